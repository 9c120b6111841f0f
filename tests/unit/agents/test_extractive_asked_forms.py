"""Kinds of a thing, who does something, totals over several things."""

import pytest

from tuwen.agents.compound import split_compound
from tuwen.agents.extractive import write_extractive
from tuwen.agents.extractive_bridge import named_in, said_across
from tuwen.agents.extractive_duty import clause_of_another, deed_unsaid, who_does
from tuwen.agents.extractive_kinds import asked_kinds, cases_instead, kinds_of_thing
from tuwen.agents.extractive_lookup import looked_up
from tuwen.agents.extractive_named import named_lines
from tuwen.agents.extractive_quantities import other_quantity, uncounted
from tuwen.agents.extractive_sentences import passage_sentences
from tuwen.agents.extractive_tables import Reading, read_cells
from tuwen.agents.extractive_totals import cells_to_add, of_several, of_two_rows, total_unsaid
from tuwen.agents.extractive_values import worked_out
from tuwen.agents.extractive_words import holds_kind
from tuwen.core.analysis import Analysis
from tuwen.core.text import language

RULES = (
    "第三条 受过两种以上处分的，从重处理。\n"
    "第四条 学校可视情节轻重，给予如下纪律处分：\n（一）警告；\n（二）记过；\n（三）开除。\n"
    "第五条 处分决定书应当包括下列内容：\n（一）事实；\n（二）依据。"
)
RENTS = "| 设备 | 日租金（元） |\n|---|---|\n| 起重机 | 1,850 |\n| 升降机 | 920 |"


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("处分有哪几种？", "处分"),
        ("纪律处分的种类有哪些", "纪律处分"),
        ("假期分为哪几类", "假期"),
        ("工资由哪几部分组成", "工资"),
        ("学校可以给予哪些处分", "处分"),
        ("What kinds of turbines are there?", "turbines"),
        ("what are the types of leave", "leave"),
        ("密封多久更换一次", ""),
        ("处分是什么", ""),
        ("What is a turbine?", ""),
        ("开除学籍的情形有哪些？", "开除学籍的情形"),
    ],
)
def test_the_thing_whose_kinds_are_asked_for_is_told(question, thing):
    assert asked_kinds(question) == thing


@pytest.mark.parametrize("question", ["处分有哪几种？", "纪律处分的种类有哪些"])
def test_the_sentence_that_divides_the_thing_is_said_with_its_list(passage, tokenizer, question):
    lines = [t for _, t in kinds_of_thing(question, [passage(1, RULES)], tokenizer)]
    assert lines[1:] == ["（一）警告；", "（二）记过；", "（三）开除。"]
    assert "如下纪律处分" in lines[0]


def test_the_contents_of_another_thing_are_not_kinds_of_it(passage, tokenizer):
    text = "第五条 处分决定书应当包括下列内容：\n（一）事实；\n（二）依据。"
    assert not kinds_of_thing("处分有哪几种？", [passage(1, text)], tokenizer)
    assert kinds_of_thing("处分决定书包括哪些内容", [passage(1, text)], tokenizer)


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("What kinds of paper are in the price list?", ""),
        ("What kinds of paper are listed in the catalogue?", "paper"),
        ("What types of turbine are there?", "turbine"),
        ("Which kinds of leave does the firm offer?", "leave"),
    ],
)
def test_kinds_of_a_thing_at_a_place_are_not_those_of_the_thing(question, thing):
    assert asked_kinds(question) == thing


def test_the_clause_of_another_regulation_does_not_answer_for_the_named_one(passage, tokenizer):
    passages = [
        passage(1, "第九条 本办法由财务处负责解释。", section_path="差旅办法"),
        passage(2, "第八条 由保卫处负责解释停车事项。", section_path="差旅办法"),
    ]
    line = (1, "第九条 本办法由财务处负责解释。")
    assert clause_of_another("停车办法由谁负责解释？", [line], passages, tokenizer)
    assert not clause_of_another("差旅办法由谁负责解释？", [line], passages, tokenizer)
    # Neither names a regulation, or speaks of itself.
    assert not clause_of_another("停车由谁负责解释？", [line], passages, tokenizer)
    other = (2, "第八条 由保卫处负责解释停车事项。")
    assert not clause_of_another("停车办法由谁负责解释？", [other], passages, tokenizer)


def test_kinds_are_read_from_a_sentence_or_the_first_column_of_a_table(passage, tokenizer):
    said = passage(1, "The plant knows three types of leave: annual, sick and parental leave.")
    (line,) = kinds_of_thing("What kinds of leave are there?", [said], tokenizer)
    assert line[1].endswith("parental leave.")
    table = passage(2, "Turbines\n\n| Type | Head |\n|---|---|\n| Kaplan | 9 |\n| Pelton | 90 |")
    lines = kinds_of_thing("What types of turbines are there?", [table], tokenizer)
    assert lines == [(2, "Type: Kaplan, Pelton")]


def test_who_does_something_is_said_of_the_document_that_is_asked_about(passage, tokenizer):
    passages = [
        passage(1, "第九条 本办法由财务处负责解释。", section_path="差旅办法"),
        passage(2, "第八条 本办法由保卫处负责解释。", section_path="停车办法"),
    ]
    assert who_does("停车办法由哪个部门解释？", passages, tokenizer)[0][0] == 2
    assert who_does("差旅办法由谁负责解释", passages, tokenizer)[0][0] == 1
    assert not who_does("采购办法由谁负责解释", passages, tokenizer)
    # One part of a handbook does not speak for the handbook.
    part = passage(
        1, "第八条 本办法由保卫处负责解释。", title="员工手册", section_path="停车办法 > 附则"
    )
    whole = passage(2, "本手册由人事处负责解释。", title="员工手册", section_path="前言")
    assert not who_does("员工手册由谁负责解释？", [part], tokenizer)
    assert who_does("员工手册由谁负责解释？", [part, whole], tokenizer)[0][0] == 2
    assert not who_does("停车办法是什么？", passages, tokenizer)


def test_a_line_broken_inside_a_chinese_sentence_is_read_whole(passage):
    broken = (
        "学生在校期间违反规定的，学校应当给予批评教育，并可以视情节给予\n警告处分。\n第二条 附则。"
    )
    assert passage_sentences(passage(1, broken)) == [
        "学生在校期间违反规定的，学校应当给予批评教育，并可以视情节给予警告处分。",
        "第二条 附则。",
    ]
    listed = "短的标题\n另一行"
    assert len(passage_sentences(passage(1, listed))) == 2


@pytest.mark.parametrize(
    ("question", "several"),
    [
        ("两台起重机一天租金一共多少", True),
        ("水费和停车费一共多少", True),
        ("how much are water and parking in total", True),
        ("押金一共多少钱", False),
        ("水费和停车费分别是多少", False),
        ("工作10年以上的员工一共有多少", False),
    ],
)
def test_a_total_over_several_things_is_told(question, several):
    assert of_several(question) is several


@pytest.mark.parametrize(
    ("question", "text", "withheld"),
    [
        ("How many pages does a report need?", "3.1 甲方支付30%作为预付款。", True),
        ("How many pages does a report need?", "A report has at least 12 typed pages.", False),
        ("How many pages may the summary have?", "摘要不超过2页。", False),
        ("报告要有多少页？", "第3页有一张表，共12项。", True),
        ("报告要有多少页？", "报告不少于十页。", False),
        ("这本书有几章？", "须在第四学期完成32学时。", True),
        ("这本书有几章？", "全书共9章。", False),
        ("这本书有几章？", "见第二十一章。", True),
        ("青石河有多少张图？", "干流全长142 km，分三段。", True),
        ("训练集有多少张图片？", "训练集共有六万张手写数字图片。", False),
    ],
)
def test_a_count_of_pages_or_chapters_names_them(question, text, withheld):
    assert uncounted(question, [text]) is withheld


def test_a_total_is_answered_by_what_says_or_adds_it_only():
    question = "水费和停车费一共多少"
    assert total_unsaid(question, [(1, "水费：35")])
    assert not total_unsaid(question, [(1, "两项合计 95 元。")])
    assert not total_unsaid(question, [(1, "水费：35"), (1, "停车费：60"), (0, "60 + 35 = 95")])
    assert not total_unsaid("押金一共多少钱", [(1, "押金 9000 元。")])


def test_one_of_the_things_is_no_whole_answer_and_the_cells_are_given(passage, tokenizer, embedder):
    question = "两台吊车一天的日租金一共多少"
    rents = passage(1, RENTS)
    assert [t for _, t in cells_to_add(question, [rents], tokenizer)] == [
        "起重机 · 日租金（元）：1,850",
        "升降机 · 日租金（元）：920",
    ]
    analysis = Analysis(
        question=question, rewritten=question, queries=(question,), language=language(question)
    )
    draft = write_extractive(analysis, [rents], tokenizer=tokenizer, embedder=embedder)
    assert draft.caveat
    assert "1,850" in draft.text


STORES = "| 项目 | 单价（元/月） |\n|---|---|\n| 3号库 | 52,000 |\n| 4号库 | 34,000 |"


@pytest.mark.parametrize(
    "question", ["3号库和4号库的单价一共多少？", "3号库和4号库每月租金一共多少？"]
)
def test_the_rows_of_a_total_are_added_and_not_said_to_be_missing(
    passage, tokenizer, embedder, question
):
    analysis = Analysis(
        question=question, rewritten=question, queries=(question,), language=language(question)
    )
    draft = write_extractive(analysis, [passage(1, STORES)], tokenizer=tokenizer, embedder=embedder)
    assert "52,000 + 34,000 = 86,000" in draft.text
    assert "没有找到" not in draft.text


def test_money_is_added_with_its_sign():
    assert worked_out("how much in total", ["$35", "$60"]) == "60 + 35 = $95"
    assert worked_out("how much in total", ["$35", "60"]) == ""


@pytest.mark.parametrize(
    ("question", "text", "withheld"),
    [
        ("How many turbines does the plant have?", "It runs below 40 % at 2,445 kW.", True),
        ("How many turbines does the plant have?", "The plant has two turbines.", False),
        ("How many people died?", "The fire killed 300.", False),
        ("How many hours does it run?", "It runs below 40 %.", False),
        ("国家励志奖学金是多少钱", "获得国家励志奖学金的学生可以同时申请助学金。", True),
        ("国家励志奖学金是多少钱", "每人每年 5000 元。", False),
    ],
)
def test_a_count_is_not_answered_by_measures_nor_money_without_a_number(question, text, withheld):
    assert uncounted(question, [text]) is withheld


def test_a_quantity_of_another_unit_is_no_answer():
    assert other_quantity("What voltage is the panel?", ["A panel (5 W) can be connected."])
    assert not other_quantity("What voltage is the panel?", ["The panel gives 12 V and 5 W."])
    assert not other_quantity("启功书法价格", ["成交价大约 30 万每平尺，功率 5 W。"])


def test_who_does_something_is_not_answered_by_lines_that_do_not_speak_of_it():
    assert deed_unsaid("奖学金由哪个部门解释", ["获奖名额每年按照分配确定。"])
    assert not deed_unsaid("奖学金由哪个部门解释", ["由学工部负责解释。"])
    assert not deed_unsaid("奖学金是什么", ["获奖名额每年按照分配确定。"])


def test_a_sentence_that_opens_a_list_is_said_with_its_items(passage, tokenizer, embedder):
    text = (
        "第九条 打架斗殴的，按下列规定给予处分：\n"
        "（一）未伤人的，给予警告；\n致人受伤的，给予记过；\n"
        "（二）持械的，给予开除。\n第十条 附则。"
    )
    question = "打架斗殴怎么处分？"
    analysis = Analysis(question=question, rewritten=question, queries=(question,), language="zh")
    draft = write_extractive(analysis, [passage(1, text)], tokenizer=tokenizer, embedder=embedder)
    assert "（二）持械的，给予开除。" in draft.text
    assert "附则" not in draft.text


def test_the_number_of_an_article_is_no_number_that_it_says():
    assert not holds_kind("number", "第三条 学生应当遵守规定。", "奖金是多少")
    assert not holds_kind("number", "6. 封面由学校统一印制。", "奖金是多少")
    assert holds_kind("number", "第三条 奖金为 8000 元。", "奖金是多少")
    assert holds_kind("number", "6.5 m 的水头。", "水头是多少")


def test_a_clock_time_is_asked_for_by_the_hour():
    assert holds_kind("date", "上班时间为9:00。", "几点上班")
    assert not holds_kind("date", "超过半年不满一年，按一年结算。", "几点熄灯")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("照片尺寸", "| Setting | Photo size |", True),
        ("押金", "The Tenant pays a security deposit.", True),
        ("押金", "The monthly rent is due.", False),
        ("电池扭矩", "The camera takes eight AA batteries.", False),
        ("deposit", "甲方支付押金。", True),
    ],
)
def test_a_listed_word_is_said_in_the_other_language(name, text, said):
    assert said_across(name, text) is said


def test_a_head_in_the_other_language_is_told_by_the_word_list():
    heads = ["Setting", "Choices", "Default", "Photo size"]
    assert named_in("照片尺寸", heads, "") == "Photo size"
    assert named_in("相机默认", heads, "Trail Camera Guide") == "Default"
    assert named_in("相机默认", heads, "Lease") == ""
    assert named_in("扭矩", heads, "") == ""


def test_a_price_is_read_from_the_column_of_money(tokenizer):
    grid = [
        ["Charge", "Amount", "Paid"],
        ["Water", "$35", "monthly"],
        ["Parking", "$60", "monthly"],
    ]
    best = read_cells("How much is the water charge?", grid, tokenizer)
    assert best[0].statement == "Water · Amount: $35"
    often = read_cells("How often is water paid?", grid, tokenizer)
    assert often[0].statement == "Water · Paid: monthly"


def test_a_total_over_two_rows_is_added_in_the_column_of_numbers(passage, tokenizer, embedder):
    question = "How much are water and parking in total?"
    text = (
        "| Charge | Amount | Paid |\n|---|---|---|\n| Water | $35 | now |\n| Parking | $60 | now |"
    )
    analysis = Analysis(question=question, rewritten=question, queries=(question,), language="en")
    draft = write_extractive(analysis, [passage(1, text)], tokenizer=tokenizer, embedder=embedder)
    assert draft.text.endswith("60 + 35 = $95")


def test_the_highest_of_a_head_with_its_own_superlative(tokenizer):
    grid = [["Type", "Peak efficiency (%)"], ["Francis", "93"], ["Pelton", "90"], ["Kaplan", "91"]]
    best = looked_up("Which turbine has the highest efficiency?", grid, tokenizer)
    assert best[0].statement == "Francis · Peak efficiency (%): 93"
    low = looked_up("Which turbine has the lowest peak efficiency?", grid, tokenizer)
    assert low[0].statement == "Pelton · Peak efficiency (%): 90"


def test_two_offices_of_one_document_are_asked_for_one_by_one():
    assert split_compound("合同的甲方和乙方分别是谁？") == ["合同的甲方是谁？", "合同的乙方是谁？"]


def test_a_party_is_found_by_the_name_it_is_given(passage, tokenizer):
    said = 'This lease is made between Harbor Ltd. ("Landlord") and Ann Other ("Tenant").'
    lines = named_lines("Who is the tenant?", [passage(1, f"{said}\nThe Tenant pays.")], tokenizer)
    assert [text for _, text in lines if "Ann Other" in text]
    assert not [text for _, text in lines if "pays" in text]


def test_two_columns_of_one_row_are_not_added():
    row = [
        Reading("1月 · 流量 平均：20.2", "20.2", 1.0, "1月"),
        Reading("1月 · 流量 最大：22", "22", 1.0, "1月"),
    ]
    assert not of_two_rows("1月和2月的流量一共多少", row)
    rows = [row[0], Reading("2月 · 流量 平均：18.2", "18.2", 1.0, "2月")]
    assert of_two_rows("1月和2月的平均流量一共多少", rows)
    assert not of_two_rows("1月的平均流量一共多少", rows)


def test_requirements_of_a_thing_are_not_its_kinds(passage, tokenizer):
    text = "大坝的巡检应符合下列要求：\na）不少于2人；\nb）携带照明。"
    assert not kinds_of_thing("巡检分为哪几类", [passage(1, text)], tokenizer)


@pytest.mark.parametrize(
    ("question", "text", "instead"),
    [
        ("What kinds of penalties are there?", "有下列情形之一的，应当从重处罚：", True),
        ("处罚有哪几种？", "有下列情形之一的，应当从重处罚：", True),
        (
            "What kinds of penalties are there?",
            "In any of the following cases a fine is due:",
            True,
        ),
        ("What kinds of penalties are there?", "The penalties are a warning and a fine.", False),
        ("从重处罚的情形有哪些？", "有下列情形之一的，应当从重处罚：", False),
        ("谁批准处罚？", "有下列情形之一的，应当从重处罚：", False),
    ],
)
def test_cases_in_which_something_holds_are_no_kinds_of_it(question, text, instead):
    assert cases_instead(question, [text]) is instead
