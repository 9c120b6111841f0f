"""One pass over an answer's text, whole or in pieces with the same result.

The scanner takes one token at a time from the front of its buffer: a code span, a formula, a tag, a
link, a marker, plain text. A token is taken only when no further text could change the decision,
so the output does not depend on how a stream was cut. Everything live is removed; where removing
would join two harmless pieces into something live, a space keeps them apart.
"""

import re
from collections.abc import Mapping

from .answer_html import DROPPED, REASONING, TableWriter, read_tag
from .answer_links import read_definition, read_image, read_link, read_url
from .answer_markers import read_marker
from .answer_math import Step, read_dollar, read_marked

_CODE = 400  # longest code span, characters
_COMMENT = 2000
_FENCE = re.compile(r"(`{3,}|~{3,})([^\n]*)\n")
_FENCE_END = re.compile(r"[ ]{0,3}(`{3,}|~{3,})[ \t\r]*\n?")
_PLAIN = re.compile(r"(?:[^`~$\\<!\[【［{(: \nhHwWfF]|(?<=[A-Za-z0-9])[hHwWfF])+")
_BLANK = re.compile(r"\n[ \t]*\n")


class Scanner:
    """Incremental cleaner of one answer.

    `html`: remove live HTML, pictures, links and reasoning. `math`: write \\( \\) and \\[ \\] as $
    and $$, so that viewers find both marks. `markers`: number of sources; citation markers are
    written [n] and those without a source removed (None: markers are left alone). `figures` maps
    picture ids that the answer may show to their addresses.
    """

    def __init__(
        self,
        *,
        html: bool = True,
        math: bool = False,
        markers: int | None = None,
        figures: Mapping[str, str] | None = None,
    ) -> None:
        self._html = html
        self._math = math
        self._markers = markers
        self._figures = dict(figures or {})
        self._buf = ""
        self._tail = ""  # the last characters read
        self._line = ""  # the line that is being written
        self._fence = ""
        self._skip = ""
        self._strict = False
        self._table = TableWriter()
        self._cited: tuple[int, ...] = ()
        self._written = 0
        self.spans: list[tuple[int, int, tuple[int, ...]]] = []
        """Places in the output of the markers written so far, with their numbers."""

    def feed(self, delta: str) -> str:
        """Add text; returns what is safe to show now."""
        self._buf += delta
        return self._run(final=False)

    def flush(self) -> str:
        """The rest: no more text will come."""
        return self._run(final=True)

    def _run(self, *, final: bool) -> str:
        out: list[str] = []
        while self._buf:
            step = self._step(final)
            if step is None:
                break
            taken, text = step
            self._tail = (self._tail + self._buf[:taken])[-48:]
            self._buf = self._buf[taken:]
            text = self._apart(text)
            if self._cited:
                blanks = len(text) - len(text.lstrip())
                end = self._written + len(text)
                self.spans.append((self._written + blanks, end, self._cited))
                self._cited = ()
            self._written += len(text)
            if text:
                _, newline, last = text.rpartition("\n")
                self._line = last if newline else self._line + last
                out.append(text)
        return "".join(out)

    def _apart(self, text: str) -> str:
        """Keep "](" and "]:" from forming a link or a definition, and two code marks from one."""
        if not self._html or self._fence or not text:
            return text
        before, first = self._line[-1:], text[0]
        if before == "]" and (first == "(" or (first == ":" and self._defining())):
            return " " + text
        return " " + text if before == first == "`" else text

    def _defining(self) -> bool:
        return self._line.lstrip(" \t>0123456789.)-*+").startswith("[")

    # Each step returns (characters taken, text written), or None to wait for more text.

    def _step(self, final: bool) -> Step | None:
        if self._skip:
            return self._step_skip(final)
        if self._fence:
            return self._step_fence(final)
        char = self._buf[0]
        step = _STEPS.get(char)
        if step is not None:
            return step(self, final)
        if char in "hHwWfF" and self._html and not _wordlike(self._tail[-1:]):
            return self._step_url(final)
        found = _PLAIN.match(self._buf)
        return (found.end(), found.group()) if found else (1, char)

    def _step_skip(self, final: bool) -> Step | None:
        """Drop up to the closing tag; other than for reasoning, a blank line ends it too."""
        name, buf = self._skip, self._buf
        reasoning = name in REASONING
        end = re.compile(
            rf"</{name}\s*>{chr(92)}n*" if reasoning else rf"</{name}\s*>", re.I
        ).search(buf)
        blank = None if reasoning else _BLANK.search(buf)
        if blank and (end is None or blank.start() < end.start()):
            self._skip = ""
            return blank.start(), ""
        if end:
            if reasoning and end.end() == len(buf) and not final:
                return (end.start(), "") if end.start() else None
            self._skip = ""
            return end.end(), ""
        # keep what may be the beginning of the end
        cut = len(buf) if final else max(0, min(_from(buf, "<"), _from(buf.rstrip(" \t"), "\n")))
        return (cut, "") if cut else None

    def _step_fence(self, final: bool) -> Step | None:
        """A line of a code block, as it is."""
        end = self._buf.find("\n") + 1
        if not end:
            return (len(self._buf), self._buf) if final else None
        closing = _FENCE_END.fullmatch(self._buf[:end])
        if closing and closing[1].startswith(self._fence):
            self._fence = ""
        return end, self._buf[:end]

    def _step_newline(self, final: bool) -> Step | None:
        if self._html and self._table.depth:
            return 1, "" if self._line.endswith(" ") or not self._line else " "
        return 1, "\n"

    def _step_backtick(self, final: bool) -> Step | None:
        buf = self._buf
        run = len(buf) - len(buf.lstrip(buf[0]))
        if run == len(buf) and not final:
            return None
        # the written line counts: what stood before the mark may have been removed
        if run >= 3 and not self._line:
            return self._step_open_fence(final, run)
        if buf[0] == "~" or (run >= 3 and not self._line.strip()):
            # an indented fence: where it ends depends on the lists around it
            self._strict = self._strict or run >= 3
            return run, buf[:run]
        return self._step_code(final, run)

    def _step_code(self, final: bool, run: int) -> Step | None:
        """A code span within its line; a mark without its pair is escaped."""
        buf = self._buf
        body, newline, _ = buf[run:].partition("\n")
        close = re.search(rf"(?<!`)`{{{run}}}(?!`)", body[:_CODE])
        at_end = close is None or close.end() == len(body)
        if at_end and not newline and len(body) < _CODE and not final:
            return None
        if close is None or (self._html and self._unsure(body[: close.start()])):
            return run, ("\\`" * run if self._html else buf[:run])
        return run + close.end(), buf[: run + close.end()]

    def _unsure(self, code: str) -> bool:
        """Code that a viewer might not see as code: in a table cell, or near indented fences."""
        return "<" in code and ("|" in code or self._strict)

    def _step_open_fence(self, final: bool, run: int) -> Step | None:
        found = _FENCE.match(self._buf)
        if found is None and "\n" not in self._buf and not final:
            return None
        if found and not (self._buf[0] == "`" and "`" in found[2]):
            self._fence = found[1]
            return found.end(), found.group()
        self._strict = True
        return run, self._buf[:run]

    def _step_dollar(self, final: bool) -> Step | None:
        return read_dollar(self._buf, final=final, safe=self._html, line=self._math_line())

    def _math_line(self) -> str | None:
        """What stands before a formula on its line; None: formulas are left as they are."""
        return self._line if self._math else None

    def _step_backslash(self, final: bool) -> Step | None:
        buf = self._buf
        if len(buf) == 1:
            return (1, buf) if final else None
        mark = buf[:2]
        if mark in {"\\(", "\\["}:
            line = self._math_line()
            return read_marked(buf, mark, final=final, safe=self._html, line=line)
        return (2, mark) if mark[1] in "\\`$*_{}#+-.|]!>" else (1, "\\")

    def _step_tag(self, final: bool) -> Step | None:
        buf = self._buf
        if not self._html or buf.startswith("<!--"):
            return self._step_comment(final) if self._html else (1, "<")
        if "<!--".startswith(buf) and not final:
            return None
        tag = read_tag(buf, final=final)
        if tag == "open":
            return None
        if isinstance(tag, str):
            plain = buf[1:2] in {" ", "\t", "=", "-", "\n"} or buf[1:2].isdecimal()
            return 1, "<" if plain else "&lt;"
        if tag.name in DROPPED | REASONING:
            opens = not tag.closing and not buf[: tag.end].endswith("/>")
            self._skip = tag.name if opens else ""
            return tag.end, ""
        return tag.end, self._table.write(tag)

    def _step_comment(self, final: bool) -> Step | None:
        end = self._buf.find("-->")
        if end < 0:
            return (4, "") if final or len(self._buf) >= _COMMENT else None
        return end + 3, ""

    def _step_bang(self, final: bool) -> Step | None:
        buf = self._buf
        if buf == "!" and self._html and not final:
            return None
        if not self._html or not buf.startswith("!["):
            return 1, "!"
        image = read_image(buf[1:], final=final)
        if image is None or not image.length:
            return None if image is None else (1, "!")
        for key in (image.target, image.target.partition(":")[2]):
            if key and key in self._figures:
                alt = re.sub(r"[\[\]()<>!`\\\n]", "", image.label)
                return 1 + image.length, f"![{alt}]({self._figures[key]})"
        return 1 + image.length, ""

    def _step_bracket(self, final: bool) -> Step | None:
        if self._html:
            link = read_link(self._buf, final=final)
            if link is None:
                return None
            if link.is_address:
                return link.length, self._inner(link.label)
            if self._line.strip(" \t>") == "":
                definition = read_definition(self._buf, final=final)
                if definition is None or definition.length:
                    return None if definition is None else (definition.length, "")
        return self._step_marker(final)

    def _inner(self, label: str) -> str:
        """A link's text, itself cleaned; "[1](address)" stays a marker."""
        inner = Scanner(html=True, math=self._math, markers=self._markers, figures=self._figures)
        if self._markers is not None and re.fullmatch(r"\s*\^?\d{1,3}\s*", label):
            label = f"[{label}]"
        text = (inner.feed(label) + inner.flush()).replace("](", "] (")
        self._cited = tuple(n for _, _, numbers in inner.spans for n in numbers)
        return text

    def _step_marker(self, final: bool) -> Step | None:
        """A citation marker, with the blanks before it, in the form [n]."""
        buf = self._buf
        blanks = len(buf) - len(buf.lstrip(" "))
        plain = (blanks, buf[:blanks]) if blanks else (1, buf[0])
        if blanks == len(buf):
            return plain if final else None
        if self._markers is None or buf[blanks] not in "[【［{":
            return plain
        marker = read_marker(buf[blanks:], self._tail + buf[:blanks], final=final)
        if isinstance(marker, str):
            return None if marker == "open" else plain
        if self._html and blanks and buf[blanks] == "[":
            link = read_link(buf[blanks:], final=final)
            if link is None or link.is_address:
                return None if link is None else plain
        good = [n for n in marker.numbers if 1 <= n <= self._markers]
        text = "".join(f"[{n}]" for n in good)
        self._cited = tuple(good)
        return blanks + marker.end, (" " * blanks + text) if text else ""

    def _step_single(self, final: bool) -> Step | None:
        return 1, self._buf[0]

    def _step_url(self, final: bool) -> Step | None:
        """A bare address becomes code without its query: readable, not live, carrying nothing."""
        url = read_url(self._buf, final=final)
        return (1, self._buf[0]) if url == (0, "") else url


def _from(text: str, char: str) -> int:
    place = text.rfind(char)
    return place if place >= 0 else len(text)


def _wordlike(char: str) -> bool:
    return char.isascii() and char.isalnum()


_STEPS = {
    "\n": Scanner._step_newline,
    "`": Scanner._step_backtick,
    "~": Scanner._step_backtick,
    "$": Scanner._step_dollar,
    "\\": Scanner._step_backslash,
    "<": Scanner._step_tag,
    "!": Scanner._step_bang,
    "[": Scanner._step_bracket,
    "【": Scanner._step_marker,
    "［": Scanner._step_marker,
    "{": Scanner._step_marker,
    " ": Scanner._step_marker,
    "(": Scanner._step_single,
    ":": Scanner._step_single,
}
