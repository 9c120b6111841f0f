import pytest

from tuwen.agents.subjects import asked_identifiers
from tuwen.agents.sufficiency import judge
from tuwen.core.analysis import Analysis
from tuwen.core.label import Label


def analysis(question, language="zh"):
    return Analysis(question=question, rewritten=question, queries=(question,), language=language)


@pytest.fixture
def verdict(tokenizer, make_chunk, make_hit):
    def run(question, *texts, dense=0.4, language="zh", **options):
        chunks = {
            f"c{i}": make_chunk(f"c{i}", text, doc_id=f"d{i}") for i, text in enumerate(texts)
        }
        hits = [make_hit(i, dense=dense, label=options.get("label", False)) for i in chunks]
        options.pop("label", None)
        return judge(analysis(question, language), hits, chunks, tokenizer=tokenizer, **options)

    return run


def test_covered_words_are_enough(verdict):
    found = verdict("给水泵的额定流量", "给水泵的额定流量为 50 m3/h。")
    assert found.verdict == "answer"
    assert found.signals["grey"] == 0.0


def test_a_named_object_that_was_found_is_enough(verdict):
    assert verdict("图2.3", "图2.3 发电量", label=True).verdict == "answer"


def test_an_identifier_that_occurs_nowhere_is_a_gap_and_then_unanswerable(verdict):
    first = verdict("ABC-320 给水泵的额定流量", "XYZ-100 给水泵的额定流量为 50 m3/h。")
    assert first.verdict == "gap"
    assert first.missing[0] == "ABC-320"
    assert "ABC-320" in first.queries
    tried = ["ABC-320"]
    for _ in range(6):
        again = verdict(
            "ABC-320 给水泵的额定流量", "XYZ-100 给水泵的额定流量为 50 m3/h。", tried=tried
        )
        assert not {q.lower() for q in again.queries} & {t.lower() for t in tried}
        tried += again.queries
    assert again.verdict == "unanswerable"
    assert again.queries == ()


def test_identifiers_are_compared_without_their_separators(verdict):
    assert (
        verdict("ABC320 给水泵的额定流量", "ＡＢＣ-３２０ 给水泵的额定流量为 50。").verdict
        == "answer"
    )


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("GB/T 14747-2006 的要求", ["GB/T 14747-2006"]),
        ("2021年的营业收入", ["2021"]),
        ("380 V 的电机", ["380 V"]),
        ("P-101A 泵", ["P-101A"]),
        ("密封多久更换", []),
    ],
)
def test_identifiers_of_a_question(question, named):
    found = asked_identifiers(question)
    assert all(any(n.replace(" ", "") in f.replace(" ", "") for f in found) for n in named)
    assert bool(found) == bool(named)


def test_a_year_that_no_text_has_is_missing(verdict):
    found = verdict("2021年的营业收入", "2019年的营业收入为 3 亿元。")
    assert found.verdict == "gap"
    assert "2021" in found.missing


def test_nothing_found_is_a_gap_while_a_query_is_left(verdict):
    found = verdict("给水泵的额定流量是多少")
    assert found.verdict == "gap"
    assert found.queries
    tried = []
    while found.queries:
        assert not set(found.queries) & set(tried)
        tried += found.queries
        found = verdict("给水泵的额定流量是多少", tried=tried)
    assert len(tried) <= 8
    assert found.verdict == "unanswerable"


def test_a_question_in_another_language_is_judged_by_meaning(verdict):
    text = "The rated flow of the feed pump is 50 m3/h."
    assert verdict("给水泵的额定流量", text, dense=0.62).verdict == "answer"
    assert verdict("给水泵的额定流量", text, dense=0.1).verdict == "gap"
    grey = verdict("给水泵的额定流量", text, dense=0.38)
    assert (grey.verdict, grey.signals["grey"]) == ("caveat", 1.0)


def test_half_covered_is_grey_and_left_to_a_model(verdict):
    found = verdict("给水泵的额定流量和额定功率", "给水泵的额定功率见铭牌。", coverage=0.5)
    assert found.signals["grey"] in (0.0, 1.0)
    assert (found.verdict == "caveat") == (found.signals["grey"] == 1.0)


def test_a_label_that_does_not_exist_is_said(verdict):
    missing = [Label(kind="figure", parts=("9", "9"))]
    found = verdict("图9.9表示什么", "图2.3 发电量", label_missing=missing)
    assert found.verdict == "unanswerable"
    assert found.missing == ("图9.9",)


def test_two_documents_with_other_numbers_in_one_sentence_conflict(verdict):
    found = verdict(
        "给水泵的额定流量", "给水泵的额定流量为 50 m3/h。", "给水泵的额定流量为 60 m3/h。"
    )
    assert found.verdict == "conflict"
    assert "50" in found.reason
    assert "60" in found.reason


def test_another_plants_number_is_no_conflict_with_the_one_asked_for(verdict):
    texts = ("甲厂启动时主蒸汽压力不低于 50 kPa。", "乙厂启动时主蒸汽压力不低于 40 kPa。")
    assert verdict("甲厂启动时主蒸汽压力不低于多少？", *texts).verdict != "conflict"
    same = [text[2:] for text in texts]
    found = verdict("启动时主蒸汽压力不低于多少？", *same)
    assert found.verdict == "conflict"
    assert "为 50" in found.reason


def test_the_same_number_twice_is_no_conflict(verdict):
    text = "给水泵的额定流量为 50 m3/h。"
    assert verdict("给水泵的额定流量", text, text).verdict == "answer"


def test_signals_are_plain_floats(verdict):
    signals = verdict("给水泵的额定流量", "给水泵", coverage=0.4).signals
    assert all(type(value) is float for value in signals.values())


def test_a_name_that_no_text_has_is_missing(verdict):
    found = verdict("甲厂的密封多久更换", "乙厂的密封每年更换。")
    assert found.verdict == "gap"
    assert found.missing[0] == "甲厂"


def test_new_queries_are_no_parts_of_a_name(verdict):
    found = verdict("P-103 的额定功率", "P-101 的额定功率为 55 kW。")
    assert "P-103" in found.queries
    assert not any(query.replace(" ", "").isdigit() for query in found.queries)
    assert not any("103 103" in query or "-103 103" in query for query in found.queries)


def test_new_queries_say_it_in_other_words(verdict):
    first = verdict("水泵多久检查", "今天天气晴。")
    asked = [*first.queries]
    second = verdict("水泵多久检查", "今天天气晴。", tried=asked)
    assert any("巡检" in query or "检验" in query for query in (*asked, *second.queries))
