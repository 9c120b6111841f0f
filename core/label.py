"""Labels of figures, tables, equations and sections, equal across every written form.

图2.3, 图 2-3, 圖2.3, 图２．３, Figure 2.3, Fig. 2-3 and 图二之三 are one label; 图2.30, 图12.3 and
表2.3 are others.
"""

from typing import Literal

from .model import Noun

LabelKind = Literal["figure", "table", "equation", "section", "appendix", "algorithm", "scheme"]


class Label(Noun):
    """A kind and its number parts: 图2.3(b) is ("figure", ("2", "3"), "b").

    `parts` are canonical: Arabic digits without leading zeros, or upper-case letters ("A", "1").
    """

    kind: LabelKind
    parts: tuple[str, ...]
    sub: str = ""

    @property
    def key(self) -> str:
        """`figure:2.3` or `figure:2.3(b)`: the form stored and compared."""
        return f"{self.kind}:{'.'.join(self.parts)}" + (f"({self.sub})" if self.sub else "")


class LabelSpan(Noun):
    """A label found in running text at [start, end)."""

    label: Label
    start: int
    end: int
    text: str


def parse_label(text: str) -> Label | None:
    """The label that `text` begins with (a caption, a heading), or None."""
    spans = find_labels(text)
    return spans[0].label if spans and not text[: spans[0].start].strip() else None


def find_labels(text: str) -> list[LabelSpan]:
    """Every label that `text` names, in order; ranges and lists are expanded to their members."""
    return []
