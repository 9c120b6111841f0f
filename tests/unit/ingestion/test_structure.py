import pytest

from tests.unit.ingestion.builders import text, title
from tuwen.core.document import BBox, Block
from tuwen.ingestion.numbering import number_of
from tuwen.ingestion.structure import structure


def numbered(blocks):
    return [b.model_copy(update={"index": n}) for n, b in enumerate(blocks)]


def paths(*blocks, doc_type="", slides=False):
    found = structure(numbered(blocks), doc_type, slides=slides)
    return {i.block.text: i.section.path if i.section else "" for i in found.placed}


def test_flat_decimal_headings_get_their_depth_back():
    found = paths(
        title("离心泵维护手册"),
        title("3 安装"),
        title("3.1 基础"),
        title("3.1.2 地脚螺栓"),
        text("扭矩 85。"),
        title("4 运行"),
        title("4.1 启动"),
        text("盘车。"),
        title("附录A 记录表"),
        title("A.1 格式"),
        text("保存三年。"),
    )
    assert found["扭矩 85。"] == "3 安装 > 3.1 基础 > 3.1.2 地脚螺栓"
    assert found["盘车。"] == "4 运行 > 4.1 启动"
    assert found["保存三年。"] == "附录A 记录表 > A.1 格式"


def test_chinese_chapters_sections_and_items_nest():
    found = paths(
        title("第一章 总则"),
        title("第一节 目的"),
        title("一、依据"),
        title("（一）法律"),
        text("甲。"),
        title("（二）规章"),
        text("乙。"),
        title("二、范围"),
        text("丙。"),
        title("第二节 原则"),
        text("丁。"),
        title("第二章 职责"),
        text("戊。"),
    )
    assert found["甲。"] == "第一章 总则 > 第一节 目的 > 一、依据 > （一）法律"
    assert found["乙。"] == "第一章 总则 > 第一节 目的 > 一、依据 > （二）规章"
    assert found["丙。"] == "第一章 总则 > 第一节 目的 > 二、范围"
    assert found["丁。"] == "第一章 总则 > 第二节 原则"
    assert found["戊。"] == "第二章 职责"


def test_english_chapters_and_decimals_nest():
    found = paths(
        title("Chapter 3 Pumps"),
        title("3.1 Bases"),
        text("a."),
        title("Chapter 4 Running"),
        title("4.2 Start"),
        text("b."),
        title("Appendix B Forms"),
        text("c."),
    )
    assert found["a."] == "Chapter 3 Pumps > 3.1 Bases"
    assert found["b."] == "Chapter 4 Running > 4.2 Start"
    assert found["c."] == "Appendix B Forms"


def test_unnumbered_titles_keep_the_given_level():
    found = paths(
        title("Paper", level=1),
        title("Abstract", level=2),
        text("x."),
        title("1 Intro", level=2),
        title("1.1 Why", level=2),
        text("y."),
        title("References", level=2),
        text("z."),
    )
    assert found["x."] == "Paper > Abstract"
    assert found["y."] == "Paper > 1 Intro > 1.1 Why"
    assert found["z."] == "Paper > References"


def test_an_authors_own_levels_count_in_markdown():
    found = paths(title("2 乙", level=2), title("1 甲", level=3), text("x."), doc_type="markdown")
    assert found["x."] == "2 乙 > 1 甲"


def test_missed_headings_between_siblings_are_found_and_sentences_are_not():
    found = paths(
        title("6 试验"),
        title("6.1 空载试验"),
        text("空载。"),
        text("6.2 联锁试验"),
        text("动作值。"),
        text("3.5 MPa 以下不得升速。"),
        text("2024 年修订时删除了旧条款。"),
        text("6.3 mm"),
        title("7 验收"),
        text("签字。"),
    )
    assert found["动作值。"] == "6 试验 > 6.2 联锁试验"
    for body in ("3.5 MPa 以下不得升速。", "2024 年修订时删除了旧条款。", "6.3 mm"):
        assert found[body] == "6 试验 > 6.2 联锁试验"
    assert found["签字。"] == "7 验收"


def test_a_number_out_of_sequence_is_no_missed_heading():
    found = paths(
        title("6 试验"), title("6.1 空载"), text("6.7 版软件"), text("x."), title("7 验收")
    )
    assert found["x."] == "6 试验 > 6.1 空载"


def test_a_figures_caption_marked_as_heading_is_no_section():
    assert paths(title("2 水情"), title("图2.1 水位过程线"), text("x。"))["x。"] == "2 水情"


def at(y, body, page):
    return text(body, page, bbox=BBox(x0=0.1, y0=y, x1=0.9, y1=y + 0.02))


def test_running_headers_go_and_repeats_within_the_page_stay():
    blocks = []
    for page in range(1, 13):
        blocks += [
            at(0.02, f"某厂手册 第2版 {page}", page),
            at(0.2, f"第{page}章要点。", page),
            at(0.5, "警告：检修前必须断电。", page),
            at(0.96, f"— {page} —", page),
        ]
    blocks.append(at(0.9, "注：2021 年试验。", 8))
    found = structure(numbered(blocks))
    kept = [i.block.text for i in found.placed]
    assert kept.count("警告：检修前必须断电。") == 12
    assert "注：2021 年试验。" in kept
    assert not any("手册" in t or "—" in t for t in kept)
    assert set(found.dropped.values()) == {"running header or footer", "page number"}


@pytest.mark.parametrize("heading", ["目次", "目 录", "Contents", "TABLE OF CONTENTS"])
def test_a_table_of_contents_goes_and_what_follows_stays(heading):
    found = structure(
        numbered(
            [
                title(heading),
                text("1 总则 ........ 1\n2 安装 …… 3"),
                text("3 运行 …………… 12"),
                title("1 总则"),
                text("适用于离心泵的安装、运行与维护，不适用于其他设备。"),
            ]
        )
    )
    assert found.placed[0].block.text == "1 总则"
    assert list(found.dropped.values()) == ["table of contents"] * 3


def test_a_slides_header_is_its_title():
    def header(body, page):
        return Block(index=0, kind="header", text=body, page=page)

    found = paths(
        header("随机事件", 1),
        text("a。", 1),
        header("随机事件", 2),
        text("b。", 2),
        header("期望", 3),
        text("c。", 3),
        text("d。", 4),
        slides=True,
    )
    assert (found["b。"], found["c。"], found["d。"]) == ("随机事件", "期望", "期望")


@pytest.mark.parametrize(
    ("heading", "number", "rest"),
    [
        ("第十二章 水情", "12", "水情"),
        ("第三节", "3", ""),
        ("3.1.2 地脚螺栓", "3.1.2", "地脚螺栓"),
        ("３．１　术语", "3.1", "术语"),
        ("3安装", "3", "安装"),
        ("IV. RESULTS", "4", "RESULTS"),
        ("附录B 表格", "B", "表格"),
        ("A.2 Sizes", "A.2", "Sizes"),
        ("二十一、其他", "21", "其他"),
        ("（三）责任", "3", "责任"),
    ],
)
def test_numbers_of_headings_are_read(heading, number, rest):
    found = number_of(heading)
    assert (found.text, found.rest) == (number, rest)


@pytest.mark.parametrize("body", ["3D打印", "4K video", "安装", "Appendixes are long", "2nd stage"])
def test_words_that_begin_with_a_digit_have_no_number(body):
    assert number_of(body) is None


def test_appendices_with_bare_letters_hold_their_numbered_parts():
    blocks = [
        title("1 Introduction"),
        title("A Novel Approach"),
        title("A Experimental Settings"),
        title("A.1 Training"),
        title("B Prompts"),
        title("C Statistics"),
    ]
    numbered = [b.model_copy(update={"index": n}) for n, b in enumerate(blocks)]
    found = {s.path: s.number for s in structure(numbered).sections}
    assert found["A Experimental Settings > A.1 Training"] == "A.1"
    assert found["B Prompts"] == "B"
    assert found["C Statistics"] == "C"


def test_a_title_that_begins_with_an_article_has_no_number():
    blocks = [title("Overview"), title("A Pump in Winter"), title("A Valve in Summer")]
    numbered = [b.model_copy(update={"index": n}) for n, b in enumerate(blocks)]
    assert [s.number for s in structure(numbered).sections] == ["", "", ""]
