"""Whatever a model writes and however it is cut: the same result, and nothing live in it."""

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tuwen.tools.citations import AnswerGuard, MarkerGuard, normalise_markers
from tuwen.tools.sanitise import StreamGuard, clean_answer, math_form, sanitise

PIECES = [
    "![a](http://evil.example/?q=1)",
    "![",
    "](",
    "[r]: ",
    "[r]",
    "[x](javascript:alert(1))",
    "\\",
    "[x](",
    ")",
    "<img src=x onerror=alert(1)>",
    "<script>",
    "</script>",
    "<svg/onload=x>",
    "<",
    ">",
    "<a href='javascript:x'>",
    "</a>",
    "<b>",
    "</b>",
    "<iframe src=//e>",
    "<!--",
    "-->",
    "`",
    "``",
    "```",
    "\n",
    "\n\n",
    "~~~\n",
    "    ",
    " ",
    "$",
    "$$",
    "\\(",
    "\\)",
    "\\[",
    "\\]",
    "|",
    "| a | b |\n|---|---|\n",
    "http://evil.example/x?d=1",
    "www.evil.example",
    "https:",
    "//",
    "h",
    "javascript:alert(1)",
    "data:text/html,x",
    "[1]",
    "[9]",
    "【2】",
    "[1,2]",
    "{{source:1}}",
    "a[1]",
    "<think>",
    "</think>",
    "<table><tr><td>",
    "</td></tr></table>",
    "&lt;",
    "&#106;",
    "!",
    "[",
    "]",
    "(",
    ":",
    "- ",
    "> ",
    "# ",
    "1. ",
    "x",
    "数",
    "“",
    '"',
    "'",
    "=",
    "/",
    "*",
    "<x onclick=a>",
]
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=14).map("".join)
cuts = st.lists(st.integers(1, 6), min_size=1, max_size=40)


def stream(guard: StreamGuard | MarkerGuard, text: str, sizes: list[int]) -> str:
    out, pos, i = "", 0, 0
    while pos < len(text):
        size = sizes[i % len(sizes)]
        out += guard.feed(text[pos : pos + size])
        pos, i = pos + size, i + 1
    return out + guard.flush()


@settings(max_examples=400)
@given(texts, cuts)
def test_any_cutting_of_a_stream_gives_the_whole_texts_result(text: str, sizes: list[int]) -> None:
    assert stream(StreamGuard(), text, sizes) == sanitise(text)
    assert stream(AnswerGuard(3), text, sizes) == clean_answer(text, 3)
    assert stream(MarkerGuard(3), text, sizes) == normalise_markers(text, 3)


class Live(HTMLParser):
    """Collects what a browser would act on."""

    SAFE = frozenset(
        [
            "p",
            "em",
            "strong",
            "code",
            "pre",
            "ul",
            "ol",
            "li",
            "blockquote",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "hr",
            "br",
            "table",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
        ]
    )

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kept = [a for a in attrs if a[0] not in {"start", "class", "style"}]
        if tag not in self.SAFE or kept:
            self.found.append(f"{tag} {kept}")


def live(text: str) -> list[str]:
    parser = Live()
    parser.feed(MarkdownIt("commonmark", {"html": True}).enable("table").render(text))
    return parser.found


@settings(max_examples=1500)
@given(texts)
def test_nothing_live_survives_in_a_markdown_viewer(text: str) -> None:
    assert live(sanitise(text)) == []
    assert live(clean_answer(text, 3)) == []


@given(texts)
def test_cleaning_a_clean_text_keeps_it_safe(text: str) -> None:
    assert live(sanitise(sanitise(text))) == []


@given(st.text(alphabet="数据表明水位上升,。；、abc 123%\n-*#", max_size=80))
def test_ordinary_prose_is_untouched(text: str) -> None:
    assert sanitise(text) == text
    assert clean_answer(text, 3) == text
    assert math_form(text) == text


@given(texts)
def test_no_marker_without_a_source_is_left(text: str) -> None:
    from tuwen.tools.citations import cited_numbers

    clean = clean_answer(text, 3)
    assert set(cited_numbers(clean, 99)) <= {1, 2, 3}


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_text_that_cannot_become_live_is_not_held_back(size: int) -> None:
    guard = AnswerGuard(3)
    text = "水位在三月上升，五月回落。"
    shown = "".join(guard.feed(text[i : i + size]) for i in range(0, len(text), size))
    assert shown == text
