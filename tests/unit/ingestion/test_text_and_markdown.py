import pytest

from tests.unit.ingestion.builders import built_of, parsed_of, png
from tuwen.core.errors import DamagedFileError, EmptyFileError
from tuwen.ingestion.parsers.text import decode

SENTENCE = "给水泵的密封水压力应为 0.35 MPa，供水温度为 95 ℃。\r\n第二行：检修前必须断电。"
TRADITIONAL = "保險公司應於收到通知後十五日內給付保險金，並通知要保人。"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "gb18030"])
def test_chinese_text_is_read_in_every_encoding(tmp_path, encoding):
    path = tmp_path / "a.txt"
    path.write_bytes(SENTENCE.encode(encoding))
    stored = "\n".join(b.text for b in parsed_of(path).blocks)
    assert stored == SENTENCE.replace("\r\n", "\n")


def test_traditional_text_in_big5_is_not_read_as_gbk():
    assert decode((TRADITIONAL * 3).encode("big5")) == TRADITIONAL * 3


def test_western_text_in_windows_1252_is_read():
    text = "The café’s pump costs €20 – a naïve price, said Zoë in her usual manner of speaking."
    assert decode(text.encode("cp1252")) == text


@pytest.mark.parametrize(
    "data",
    [bytes([0x81, 0xFF, 0x00, 0xFE, 0x9F, 0x01, 0xFF, 0x80]) * 40, bytes(range(128, 256)) * 8],
)
def test_bytes_that_are_no_text_are_refused(tmp_path, data):
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    with pytest.raises(DamagedFileError, match="encoding"):
        parsed_of(path)


def test_blank_text_is_empty(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("\ufeff \n\t\n", encoding="utf-8")
    with pytest.raises(EmptyFileError):
        parsed_of(path)


def markdown(tmp_path, body):
    path = tmp_path / "note.md"
    path.write_text(body, encoding="utf-8")
    return path


def test_only_true_headings_make_sections_and_all_text_is_kept(tmp_path):
    body = (
        "# 安装\n\n前文不可丢。\n\n```sh\n# 这不是标题\nrun\n```\n\n~~~\n## 也不是\n~~~\n\n"
        "    # 缩进代码\n\n| 列 | # 号 |\n|---|---|\n| a | # b |\n\n## 配置 ##\n\n端口 2024。\n\n"
        "历史\n----\n\n首发。\n\n# C#\n\n语言。"
    )
    chunks = built_of(markdown(tmp_path, body)).edition.chunks
    assert {c.section_path for c in chunks} == {"安装", "安装 > 配置", "安装 > 历史", "C#"}
    everything = "\n".join(c.text for c in chunks)
    for part in (
        "前文不可丢",
        "# 这不是标题\nrun",
        "## 也不是",
        "# 缩进代码",
        "# b",
        "首发",
        "语言",
    ):
        assert part in everything


def test_local_pictures_become_figures_and_their_paths_are_not_text(tmp_path):
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "泵 1.png").write_bytes(png())
    body = "前面的话。\n\n![图2.1 泵](img/泵%201.png)\n\n后面的话。\n\n- 项 ![](img/none.png)\n"
    built = built_of(markdown(tmp_path, body))
    figure = built.edition.figures[0]
    assert (figure.caption, figure.label.key, figure.available) == ("图2.1 泵", "figure:2.1", True)
    assert (figure.context_before, figure.context_after) == ("前面的话。", "后面的话。")
    assert "png" not in "".join(c.text + c.embedding_text for c in built.edition.chunks)


def test_outside_pictures_are_never_fetched_nor_their_addresses_indexed(tmp_path):
    body = (
        "# 图\n\n正文 KW-1。\n\n![](http://169.254.169.254/latest/meta-data/)\n"
        "![](file:///etc/hostname)\n![](../../etc/passwd)\n\n[文档](http://10.0.0.5/secret)\n"
        '<img src="http://127.0.0.1:9/x.png">\n'
    )
    built = built_of(markdown(tmp_path, body))  # sockets are off: a request would fail the test
    stored = "".join(c.text + c.embedding_text + c.html for c in built.edition.chunks)
    assert "KW-1" in stored
    assert "文档" in stored
    for secret in ("169.254", "hostname", "passwd", "10.0.0.5", "127.0.0.1"):
        assert secret not in stored
    assert built.edition.assets == {}


def test_pictures_in_cells_are_figures_of_the_table(tmp_path):
    (tmp_path / "a.png").write_bytes(png())
    body = "表1 接头\n\n| 型号 | 外形 |\n|---|---|\n| JT-9 | ![](a.png) |\n"
    table, cell = built_of(markdown(tmp_path, body)).edition.figures
    assert (table.kind, table.label.key) == ("table", "table:1")
    assert cell.available
    assert "JT-9" in cell.caption
    assert cell.group == table.figure_id


def test_tags_and_scripts_are_no_text(tmp_path):
    body = (
        "# 标题 <script>alert(1)</script>\n\n"
        "| 名 | 说明 |\n|---|---|\n| 阀 | <img src=x onerror=alert(1)>常开 |\n"
    )
    stored = "".join(
        c.text + c.section_path for c in built_of(markdown(tmp_path, body)).edition.chunks
    )
    assert "<script" not in stored
    assert "onerror" not in stored
    assert "常开" in stored


def test_formulas_keep_their_underscores_and_backslashes(tmp_path):
    body = "流量 $q_{v_1}*k_2*$ 与\n\n$$\n\\frac{a}{b}\n$$\n"
    stored = "".join(c.text for c in built_of(markdown(tmp_path, body)).edition.chunks)
    assert "$q_{v_1}*k_2*$" in stored
    assert "\\frac{a}{b}" in stored


def test_front_matter_gives_the_title_and_is_no_text(tmp_path):
    built = built_of(markdown(tmp_path, "---\ntitle: 泵手册\ntags: [x]\n---\n正文。"))
    assert built.record.title == "泵手册"
    assert [c.text for c in built.edition.chunks] == ["正文。"]


def test_a_linked_table_of_contents_is_dropped_with_a_reason(tmp_path):
    body = "- [安装](#a)\n- [配置](#b)\n- [历史](#c)\n\n# 安装\n\n正文。"
    built = built_of(markdown(tmp_path, body))
    assert built.account.dropped == {"table of contents": 1}


DAMAGED = (
    "The seal is changed every six months.\nThe valve opens at 4 bar.\n" * 8
    + "水压力为四兆帕。\n" * 9
)


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html"])
@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_a_damaged_byte_costs_a_character_not_the_file(tmp_path, name, encoding):
    data = bytearray(DAMAGED.encode(encoding))
    data[DAMAGED.index("opens")] = 0xFF
    path = tmp_path / name
    path.write_bytes(bytes(data))
    parsed = parsed_of(path)
    text = "\n".join(block.text for block in parsed.blocks)
    assert "The valve" in text
    assert "pens at 4 bar." in text
    assert "水压力为四兆帕。" in text
    end = "damaged characters stand as \ufffd, the first in line 2."
    assert any(warning.endswith(end) for warning in parsed.warnings)


def test_a_table_file_with_a_damaged_byte_is_read_with_a_warning(tmp_path):
    path = tmp_path / "a.csv"
    rows = "".join(f"水泵 {n},{n}\n" for n in range(60))
    path.write_bytes(f"名称,数量\n{rows}".encode().replace(b" 7,", b"\xff7,"))
    parsed = parsed_of(path)
    assert "水泵 41" in parsed.blocks[0].html
    assert any("in line 9" in warning for warning in parsed.warnings)


def test_a_file_of_which_much_is_damaged_is_refused(tmp_path):
    data = bytearray(DAMAGED.encode())
    data[::20] = b"\xff" * len(data[::20])
    path = tmp_path / "a.txt"
    path.write_bytes(bytes(data))
    with pytest.raises(DamagedFileError, match="encoding"):
        parsed_of(path)


@pytest.mark.parametrize("again", ["![", "<!--", "<img ", ".", "·", ". ", "[", "**", "<td>"])
@pytest.mark.parametrize("name", ["a.md", "a.txt"])
def test_what_is_opened_without_end_is_read_like_any_text(tmp_path, name, again):
    path = tmp_path / name
    path.write_text(f"The valve opens at 4 bar.\n\n{again * 30_000}\n\nIt closes at 3 bar.\n")
    text = "\n".join(chunk.text for chunk in built_of(path).edition.chunks)
    assert "The valve opens" in text
    assert "It closes" in text
