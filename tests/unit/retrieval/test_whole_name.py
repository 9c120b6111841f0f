"""Documents that a question names in full, and the question without the name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tuwen.core.document import DocumentRecord
from tuwen.tools.whole_name import named_whole, without_name, without_year


def shelf(**titles):
    """Records by id, with these titles."""
    return [
        DocumentRecord(
            doc_id=doc_id,
            edition="1",
            collection="c",
            name=f"{title}.pdf",
            source_key=doc_id,
            content_hash=doc_id,
            title=title,
        )
        for doc_id, title in titles.items()
    ]


SHELF = shelf(
    pump="湖州白石泵业股份有限公司招股说明书",
    valve="南岭阀门有限公司_2021_年度报告",
    rules="职工休假管理办法（试行）",
    flow="青川河水情年报（2023年度）",
    topic="离心泵",
    early="2019-04-02__广东远山传感科技股份有限公司__600000__远山传感__2018年__年度报告",
    late="2020-04-02__广东远山传感科技股份有限公司__600000__远山传感__2019年__年度报告",
    acme="ACME_2022_10K",
    best="BOLTSHOP_2023Q4_EARNINGS",
)


@pytest.mark.parametrize(
    ("question", "doc", "inner"),
    [
        ("湖州白石泵业股份有限公司的控股股东是谁？", "pump", "控股股东是谁？"),
        ("湖州白石泵业的注册资本是多少？", "pump", "注册资本是多少？"),
        ("白石泵业有哪些子公司？", "pump", "有哪些子公司？"),
        ("根据湖州白石泵业股份有限公司招股意向书，产量为多少？", "pump", "产量为多少？"),
        ("2021年末南岭阀门有限公司的存货是多少？", "valve", "2021年末存货是多少？"),
        ("根据南岭阀门有限公司2021年的年报数据，主要客户是谁？", "valve", "主要客户是谁？"),
        ("职工休假管理办法由哪个部门解释？", "rules", "由哪个部门解释？"),
        ("《职工休假管理办法》第七条怎么规定？", "rules", "第七条怎么规定？"),
        ("青川河水情年报（2023年度）里最高水位是多少？", "flow", "最高水位是多少？"),
        ("What was the revenue of ACME in 2022?", "acme", "What was the revenue in 2022?"),
        ("Is Bolt Shop's gross margin improving?", "best", "Is gross margin improving?"),
    ],
)  # fmt: skip
def test_a_name_in_full_says_the_document_and_is_left_out_inside_it(question, doc, inner):
    named = named_whole(question, SHELF)
    assert named is not None
    assert named.docs == (doc,)
    assert without_name(question, named.words) == inner


@pytest.mark.parametrize(
    "question",
    [
        "离心泵有哪些种类？",  # a subject, not a kind of document
        "休假有多少天？",
        "泵业公司的发展前景如何？",
        "How many acmes are there?",
        "What do the earnings say?",
        "湖州白石泵业股份有限公司是做什么的？",  # nothing else is asked
        "",
    ],
)
def test_subjects_and_parts_of_names_name_no_document(question):
    assert named_whole(question, SHELF) is None


def test_two_names_in_one_question_are_left_to_the_whole_search():
    assert named_whole("白石泵业和南岭阀门的注册资本分别是多少？", SHELF) is None


def test_all_documents_of_one_name_are_meant():
    reports = shelf(a="南岭阀门有限公司2020年年度报告", b="南岭阀门有限公司2021年年度报告")
    named = named_whole("南岭阀门有限公司的审计机构是谁？", reports)
    assert named is not None
    assert named.docs == ("a", "b")


@pytest.mark.parametrize(
    ("question", "doc", "inner"),
    [
        ("In tide_2020_v2, what is the surge?", "tide", "what is the surge?"),
        ("TIDE_2020_V2.pdf里2019年的水位是多少？", "tide", "2019年的水位是多少？"),
        ("What does harbour.pdf say on dues?", "harbour", "What does say on dues?"),
        ("海天精工的注册资本是多少？", "lathe", "注册资本是多少？"),
        ("白石股份的主要产品是什么？", "stone", "主要产品是什么？"),
    ],
)
def test_a_file_name_or_a_firms_short_name_says_the_document(question, doc, inner):
    named = named_whole(
        question,
        shelf(
            tide="tide_2020_v2",
            harbour="harbour",
            lathe="宁波海天精密工业股份有限公司",
            stone="湖州白石泵业股份有限公司",
        ),
    )
    assert named is not None
    assert named.docs == (doc,)
    assert named.year == ""
    assert without_name(question, named.words) == inner


@pytest.mark.parametrize(
    "question", ["Is the harbour deep?", "海洋天气精准吗？", "天海精工的注册资本是多少？"]
)
def test_a_plain_word_or_other_characters_are_no_name_of_a_file_or_firm(question):
    held = shelf(harbour="harbour", lathe="宁波海天精密工业股份有限公司")
    assert named_whole(question, held) is None


@given(st.text(alphabet="白石泵业的有限公司是谁《》（）?？， aACME10K", max_size=40))
def test_without_its_name_a_question_is_never_longer(text):
    named = named_whole(text, SHELF)
    if named is not None:
        assert named.words in text
        assert len(without_name(text, named.words)) < len(text)


@pytest.mark.parametrize(
    ("question", "docs", "year"),
    [
        ("远山传感2019年的电子信箱是什么？", ("late",), "2019"),
        ("2018年广东远山传感科技股份有限公司的存货是多少？", ("early",), "2018"),
        ("远山传感的股票代码是什么？", ("early", "late"), ""),
        ("远山传感2012年的存货是多少？", ("early", "late"), ""),
    ],
)
def test_of_several_filings_the_year_of_the_question_is_meant(question, docs, year):
    named = named_whole(question, SHELF)
    assert named is not None
    assert named.docs == docs
    assert named.year == year


@pytest.mark.parametrize("question", ["水力发电的原理是什么？", "工业设计费是多少？"])
def test_the_trade_in_a_firms_name_names_no_firm(question):
    firms = shelf(power="华能水力发电股份有限公司", art="海棠工业设计有限公司章程")
    assert named_whole(question, firms) is None


@pytest.mark.parametrize(
    ("question", "year", "left"),
    [
        ("2019年的电子信箱", "2019", "电子信箱"),
        ("2019年末存货是多少？", "2019", "存货是多少？"),
        ("What was the revenue in 2022?", "2022", "What was the revenue ?"),
    ],
)
def test_a_year_that_the_name_says_is_left_out(question, year, left):
    assert without_year(question, year) == left
