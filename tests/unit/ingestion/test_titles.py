"""Titles of documents and of regulations, told from their numbers, dates and issuers."""

import pytest

from tests.unit.ingestion.builders import built_blocks, text, title
from tuwen.ingestion.structure import structure
from tuwen.ingestion.titles import document_title, is_docket, is_work


@pytest.mark.parametrize(
    "line",
    [
        *("校学〔2016〕7 号", "河务字[2002] 005 号（2010 年 7 月修订）", "教育部令第 41 号"),
        *("89 教政字 003 号，2005 年修订", "2016 年 6 月修订", "（2012年3月修订）", "2023 年 7 月"),
    ],
)
def test_a_number_or_a_date_is_no_title(line):
    assert is_docket(line)


@pytest.mark.parametrize(
    "line",
    [
        "第三条 泵应每年检修。",
        "泵站检修规定",
        "2023 年度报告",
        "3 号泵",
        "第 3 号机组检修规程",
        "1998 Annual report",
    ],
)
def test_a_title_or_a_sentence_is_no_number(line):
    assert not is_docket(line)


@pytest.mark.parametrize(
    ("line", "work"),
    [
        ("泵站检修管理办法", True),
        ("《仓库防火规定（试行）》", True),
        ("水库调度条例（2020年修订）", True),
        ("按下列规定，给予处分。", False),
        ("检修的方法", False),
        ("第一章 总则", False),
    ],
)
def test_a_regulation_is_told_by_its_last_word(line, work):
    assert is_work(line) == work


def blocks(*lines):
    built = [text(line) for line in lines]
    return [block.model_copy(update={"index": n}) for n, block in enumerate(built)]


@pytest.mark.parametrize(
    ("known", "name", "lines", "found"),
    [
        ("校学〔2016〕7 号", "a.pdf", ["校学〔2016〕7 号", "泵站奖惩条例"], "泵站奖惩条例"),
        (
            "12",
            "12.txt",
            ["青川河管理局文件", "河务〔2020〕6 号", "泵站检修管理办法"],
            "泵站检修管理办法",
        ),
        (
            "scan0012",
            "scan0012.pdf",
            ["Pump handbook", "It tells how pumps are run."],
            "Pump handbook",
        ),
        ("泵站手册", "泵站手册.txt", ["河务〔2020〕6 号", "泵站检修管理办法"], "泵站手册"),
        ("20240101", "20240101.txt", ["很长的一句话，说的是别的事情。"], "20240101"),
    ],
)
def test_the_title_is_found_behind_numbers_and_issuers(known, name, lines, found):
    assert document_title(known, name.rpartition(".")[0], blocks(*lines)) == found


COMPILED = [
    title("第一部分 检修"),
    title("一、泵站检修管理办法"),
    title("河务〔2020〕6 号"),
    title("第一章 总则"),
    text("第一条 为规范检修，制定本办法。"),
    title("第二章 周期"),
    text("第二条 泵每年检修一次。"),
    title("二、仓库防火规定"),
    title("河务〔2021〕8 号"),
    title("第一章 总则"),
    text("第一条 仓库内严禁烟火。"),
]


def test_chapters_stand_under_their_regulation_and_not_under_its_number():
    chunks = built_blocks(COMPILED).edition.chunks
    paths = {c.section_path for c in chunks if c.section_title.startswith("第")}
    assert paths == {
        "第一部分 检修 > 一、泵站检修管理办法 > 第一章 总则",
        "第一部分 检修 > 一、泵站检修管理办法 > 第二章 周期",
        "第一部分 检修 > 二、仓库防火规定 > 第一章 总则",
    }
    assert any("河务〔2020〕6 号" in c.text for c in chunks)


def test_a_heading_of_a_list_is_no_regulation():
    blocks = [
        title("第一章 总则"),
        title("一、选课规则"),
        text("1. 学生应按时选课。"),
        text("2. 逾期无效。"),
    ]
    numbered = [b.model_copy(update={"index": n}) for n, b in enumerate(blocks)]
    assert [s.path for s in structure(numbered).sections][-1] == "第一章 总则 > 一、选课规则"
