"""Every written form of one label is equal; none equals a neighbour."""

from hypothesis import given
from hypothesis import strategies as st

from tuwen.core.label import Label, find_labels, parse_label

WIDE = str.maketrans("0123456789.-()", "０１２３４５６７８９．－（）")
HAN = "零一二三四五六七八九"
FIGURE_WORDS = [
    "图",
    "圖",
    "図",
    "插图",
    "图表",
    "Figure ",
    "Fig. ",
    "Fig.",
    "FIG. ",
    "figure ",
    "Chart ",
]
TABLE_WORDS = ["表", "表 ", "续表", "Table ", "TABLE ", "Tab. ", "table "]
EQUATION_WORDS = ["式", "公式", "式 ", "Eq. ", "Equation ", "eq "]
WORDS = {"figure": FIGURE_WORDS, "table": TABLE_WORDS, "equation": EQUATION_WORDS}
DASHES = [".", "-", "–", "—", "－", "．", "‑", "−"]

small = st.integers(1, 99)
numbers = st.lists(small, min_size=1, max_size=3)
kinds = st.sampled_from(["figure", "table", "equation"])


def han(n: int) -> str:
    tens, ones = divmod(n, 10)
    if n >= 100:
        return HAN[n // 100] + "百" + ("零" if 0 < n % 100 < 10 else "") + han(n % 100).strip("零")
    head = ("" if tens == 1 else HAN[tens]) + "十" if tens else ""
    return head + (HAN[ones] if ones or not tens else "")


def roman(n: int) -> str:
    return "X" * (n // 10) + ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"][n % 10]


@st.composite
def written(draw: st.DrawFn, kind: str, parts: list[int]) -> str:
    word = draw(st.sampled_from(WORDS[kind]))
    chinese = not word[0].isascii()
    if chinese and len(parts) <= 2 and draw(st.booleans()):
        return word + draw(st.sampled_from(["之", "-", "."])).join(map(han, parts))
    # "figure I" in lower case may be the pronoun, so it is no label
    if (
        len(parts) == 1
        and parts[0] < 40
        and word[:1].isupper()
        and word.isascii()
        and draw(st.booleans())
    ):
        return word + roman(parts[0])
    text = draw(st.sampled_from(DASHES)).join(map(str, parts))
    text = text.translate(WIDE) if draw(st.booleans()) else text
    if kind == "equation" and draw(st.booleans()):
        text = draw(st.sampled_from(["({})", "（{}）"])).format(text)
    return word + draw(st.sampled_from(["", " ", "  "])) + text


@given(st.data(), kinds, numbers)
def test_every_written_form_of_a_label_is_the_same_label(
    data: st.DataObject, kind: str, parts: list[int]
) -> None:
    expected = Label.model_validate({"kind": kind, "parts": tuple(map(str, parts))})
    text = data.draw(written(kind, parts))
    spans = find_labels(text)
    assert [s.label for s in spans] == [expected], text
    assert spans[0].text == text
    assert parse_label(text) == expected


@given(st.data(), kinds, numbers)
def test_a_label_inside_a_sentence_is_found_at_its_place(
    data: st.DataObject, kind: str, parts: list[int]
) -> None:
    form = data.draw(written(kind, parts))
    before, after = ("结果如", "所示。") if not form[0].isascii() else ("as shown in ", " above.")
    text = before + form + after
    [span] = find_labels(text)
    assert text[span.start : span.end] == form == span.text
    assert span.label.parts == tuple(map(str, parts))


def neighbours(kind: str, parts: list[int]) -> list[tuple[str, list[int]]]:
    other = next(k for k in ("figure", "table", "equation") if k != kind)
    return [
        (kind, [*parts[:-1], parts[-1] * 10]),
        (kind, [*parts[:-1], parts[-1] + 1]),
        (kind, [parts[0] + 10, *parts[1:]]),
        (kind, [*parts, 1]),
        (kind, [int("".join(map(str, parts))) % 1000 or 1] if len(parts) > 1 else [*parts, 2]),
        (kind, parts[::-1] if parts[::-1] != parts else [*parts, 3]),
        (other, parts),
    ]


@given(st.data(), kinds, numbers)
def test_no_form_of_a_neighbour_equals_the_label(
    data: st.DataObject, kind: str, parts: list[int]
) -> None:
    here = parse_label(data.draw(written(kind, parts)))
    for other_kind, other_parts in neighbours(kind, parts):
        form = data.draw(written(other_kind, other_parts))
        assert parse_label(form) != here, form


@given(st.sampled_from(["A", "B", "S", "K"]), small, st.sampled_from(["", ".", "-", "－"]))
def test_letter_parts_are_equal_with_and_without_a_separator(
    letter: str, n: int, glue: str
) -> None:
    expected = Label(kind="figure", parts=(letter, str(n)))
    for word in ("图", "附图", "Figure ", "Fig. "):
        assert parse_label(f"{word}{letter}{glue}{n}") == expected


@given(numbers, st.sampled_from("abcdefghijkl"))
def test_sub_figures_are_equal_in_every_bracket_and_differ_from_the_whole(
    parts: list[int], letter: str
) -> None:
    number = ".".join(map(str, parts))
    expected = Label(kind="figure", parts=tuple(map(str, parts)), sub=letter)
    forms = [f"({letter})", f"（{letter}）", f" ({letter})", letter, f"{letter})", letter.upper()]
    for form in forms:
        assert parse_label(f"图{number}{form}") == expected, form
        assert parse_label(f"Figure {number}{form}") == expected, form
    assert parse_label(f"图{number}") != expected


@given(small, small, st.integers(1, 9), st.sampled_from(["-", "~", "～", "至", "到", "—"]))
def test_a_range_of_two_part_numbers_names_every_member(
    chapter: int, low: int, width: int, mark: str
) -> None:
    text = f"图{chapter}.{low}{mark}{chapter}.{low + width}"
    keys = [s.label.key for s in find_labels(text)]
    assert keys == [f"figure:{chapter}.{n}" for n in range(low, low + width + 1)]


@given(small, st.integers(1, 9), st.sampled_from([" to ", "-", "–", " through ", "~"]))
def test_a_plural_word_makes_a_dash_a_range(low: int, width: int, mark: str) -> None:
    keys = [s.label.key for s in find_labels(f"Figures {low}{mark}{low + width}")]
    assert keys == [f"figure:{n}" for n in range(low, low + width + 1)]


@given(st.lists(small, min_size=2, max_size=5, unique=True))
def test_lists_name_every_member(members: list[int]) -> None:
    expected = [f"table:{n}" for n in members]
    texts = [
        "表" + "、".join(map(str, members)),
        "、".join(f"表{n}" for n in members),
        "Tables " + ", ".join(map(str, members[:-1])) + f" and {members[-1]}",
        " and ".join(f"Table {n}" for n in members),
    ]
    for text in texts:
        assert [s.label.key for s in find_labels(text)] == expected, text


@given(st.text(max_size=60))
def test_any_text_is_scanned_without_error_and_spans_are_its_own(text: str) -> None:
    for span in find_labels(text):
        assert text[span.start : span.end] == span.text
        assert span.label.parts


@given(kinds, numbers, st.sampled_from(["", "a", "2"]))
def test_a_key_is_read_back(kind: str, parts: list[int], sub: str) -> None:
    label = Label.model_validate({"kind": kind, "parts": tuple(map(str, parts)), "sub": sub})
    assert Label.from_key(label.key) == label
