"""A Chinese question over English statements and the reverse: rows and names are met."""

import numpy as np
import pytest

from tuwen.agents.foreign_name import foreign_name, name_unmet, owner_named
from tuwen.agents.row_answer import row_lines
from tuwen.agents.row_question import row_asked
from tuwen.agents.row_words import same_across, unsaid_across
from tuwen.core.document import DocumentRecord

PORT = """| Year ended 31 March | 2021 | 2020 |
|---|---|---|
| Lease liabilities | 3 | 5 |
| Total current liabilities | 41 | 39 |
| Net income | (12) | 15 |"""
STATION = "| 项目 | 2021年度 |\n|---|---|\n| 营业外收入 | 7 |\n| 营业收入 | 880 |"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("固定资产", "Fixed assets", True),
        ("应付账款", "Accounts payable", True),
        ("Gross profit", "毛利", True),
        ("短期借款", "Long-term borrowings", False),
        ("租赁负债", "Total finance lease liabilities", False),
        ("Net income", "营业外收入", False),
        ("水位", "Level", False),
        ("Fixed assets", "Fixed assets", False),
    ],
)
def test_items_of_two_languages_are_the_same_only_word_by_word(one, other, same):
    assert same_across(one, other) is same


@pytest.mark.parametrize(
    ("question", "text", "lines"),
    [
        ("2020年的流动负债合计是多少？", PORT, ["Total current liabilities · 2020: 39"]),
        ("2021年净利润是多少？", PORT, ["Net income · 2021: (12)"]),
        ("2021年毛利是多少？", PORT, []),
        ("What was revenue in 2021?", STATION, ["营业收入 · 2021年度：880"]),
    ],
)
def test_a_row_in_the_other_language_answers(passage, question, text, lines):
    assert [line for _, line in row_lines(row_asked(question), [passage(1, text)])] == lines


def test_a_loss_is_less_than_a_profit(passage):
    lines = row_lines(row_asked("2021年净利润比2020年增加了吗？"), [passage(1, PORT)])
    assert lines[-1] == (0, "2021年与2020年相比减少：(12) < 15")


KNOWN = {"白石": 0, "whitestone": 0, "青川": 1, "greenriver": 1}


class Names:
    """An encoder that knows a few transcriptions."""

    def embed_passages(self, texts):
        rows = [np.eye(3)[KNOWN.get(text.lower(), 2)] for text in texts]
        return np.asarray(rows, dtype=np.float32)

    embed_queries = embed_passages


def reports(*titles):
    return [
        DocumentRecord(
            doc_id=title,
            edition="1",
            collection="c",
            name=f"{title}.pdf",
            source_key=title,
            content_hash=title,
            title=title,
        )
        for title in titles
    ]


class Unlike(Names):
    """An encoder to which no two of these names are near."""

    def embed_queries(self, texts):
        return np.zeros((len(texts), 3), dtype=np.float32)


def test_a_chinese_name_means_the_document_of_its_latin_name():
    held = reports("whitestone_2021_annual_report", "greenriver_2021_annual_report")
    named = foreign_name("青川2021年的收入是多少？", held, Names())
    assert named is not None
    assert (named.words, named.docs) == ("青川", ("greenriver_2021_annual_report",))
    assert foreign_name("青川2021年的收入是多少？", held, Unlike()) is None
    assert foreign_name("What did Greenriver earn?", held, Names()) is None
    assert foreign_name("青川的收入是多少？", reports("船闸手册"), Names()) is None


def test_a_name_that_the_other_language_never_says_is_unmet():
    assert owner_named("青川2021年的收入是多少？") == ["青川"]
    assert owner_named("在2021年的收入是多少？") == []
    assert not name_unmet(["青川"], ["The Greenriver dam. Whitestone too."], Names())
    assert name_unmet(["青川"], ["The Whitestone dam."], Names())
    assert not name_unmet([], ["The Whitestone dam."], Names())


def test_a_line_that_does_not_name_the_item_is_told():
    assert unsaid_across("固定资产", "The dues were 12 in 2021.")
    assert not unsaid_across("固定资产", "Fixed assets were 12 in 2021.")
    assert not unsaid_across("船闸资产", "The dues were 12 in 2021.")  # 船闸 is not listed
