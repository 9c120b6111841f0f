"""Labels of figures, tables, equations, sections, exam items: equal across every written form.

图2.3, 图 2-3, 圖2.3, 图２．３, Figure 2.3, Fig. 2-3 and 图二之三 are one label; 图2.30, 图12.3 and
表2.3 are others.
"""

from .label_question import PART
from .label_scan import CAPTION_LEAD, LabelKind, scan
from .model import Noun

__all__ = ["Label", "LabelKind", "LabelSpan", "display", "find_labels", "parse_label"]


class Label(Noun):
    """A kind and its number parts: 图2.3(b) is ("figure", ("2", "3"), "b").

    `parts` are canonical: Arabic digits without leading zeros; upper-case letters ("A", "1"; "S"
    for supplementary, "ED" for extended data); 附 before the number of a 附图 or 附表; "Q13" for
    the picture of exam question 13 (第13题图); "P3" for the third part of a paper (第三大题). `sub`
    is a lower-case letter or a number; for a section with one part it is the unit where that is
    not a chapter (第三条: ("3",), "条").
    """

    kind: LabelKind
    parts: tuple[str, ...]
    sub: str = ""

    @property
    def key(self) -> str:
        """`figure:2.3` or `figure:2.3(b)`: the form stored and compared."""
        return f"{self.kind}:{'.'.join(self.parts)}" + (f"({self.sub})" if self.sub else "")

    @classmethod
    def from_key(cls, key: str) -> "Label":
        """The label of a stored key. Raises ValueError on anything else."""
        kind, colon, number = key.partition(":")
        number, bracket, sub = number.partition("(")
        if not colon or not number or (bracket and not sub.endswith(")")):
            raise ValueError(f"{key!r} is no label key; expected the form 'figure:2.3(b)'")
        return cls.model_validate(
            {"kind": kind, "parts": tuple(number.split(".")), "sub": sub.removesuffix(")")}
        )


class LabelSpan(Noun):
    """A label found in running text at [start, end)."""

    label: Label
    start: int
    end: int
    text: str


def parse_label(text: str) -> Label | None:
    """The label that `text` begins with (a caption, a heading), or None."""
    first = next(iter(scan(text)), None)
    if first is None or text[: first.start].strip(CAPTION_LEAD):
        return None
    return Label(kind=first.kind, parts=first.parts, sub=first.sub)


def find_labels(text: str) -> list[LabelSpan]:
    """Every label that `text` names, in order; ranges and lists are expanded to their members.

    The members of a range share the range's span. "version 3.2", "代表2人", "图3张", years and the
    numbers of standards name nothing.
    """
    return [
        LabelSpan(
            label=Label(kind=m.kind, parts=m.parts, sub=m.sub),
            start=m.start,
            end=m.end,
            text=text[m.start : m.end],
        )
        for m in scan(text)
    ]


def display(label: Label, language: str) -> str:
    """How a reader writes it: "图2.3(b)" (zh) or "Figure 2.3(b)" (any other language)."""
    zh = language == "zh"
    parts, extra = label.parts, ""
    if parts[0] == "附" and len(parts) > 1:
        parts, extra = parts[1:], "附" if zh else "Appendix "
    glued = parts[0] in {"S", "ED"}
    number = parts[0] + ".".join(parts[1:]) if glued else ".".join(parts)
    sub = f"({label.sub})" if label.sub else ""
    if label.kind == "question":
        return _item_name(label, zh=zh)
    if number.startswith("Q"):
        return f"第{number[1:]}题图{sub}" if zh else f"Figure of question {number[1:]}{sub}"
    if label.kind == "section":
        unit = label.sub or ("节" if len(parts) > 1 or parts[0].isalpha() else "章")
        return f"第{number}{unit}" if zh else f"{_UNITS_EN.get(label.sub, 'Section')} {number}"
    if label.kind == "equation":
        number, sub = f"({number}{label.sub})", ""
    word = extra + (_WORDS_ZH if zh else _WORDS_EN)[label.kind]
    return f"{word}{number}{sub}" if zh else f"{word} {number}{sub}"


def _item_name(label: Label, *, zh: bool) -> str:
    """第三大题第2题(b); Question 2(b) of part 3."""
    sub = f"({label.sub})" if label.sub else ""
    part = label.parts[0][1:] if label.parts[0].startswith(PART) else ""
    number = ".".join(label.parts[1:] if part else label.parts)
    if zh:
        return (f"第{part}大题" if part else "") + (f"第{number}题{sub}" if number else "")
    if not number:
        return f"Part {part}"
    return f"Question {number}{sub}" + (f" of part {part}" if part else "")


_UNITS_EN = {"条": "Article"}
_WORDS_ZH: dict[LabelKind, str] = {
    "figure": "图",
    "table": "表",
    "equation": "式",
    "section": "第",
    "appendix": "附录",
    "algorithm": "算法",
    "scheme": "Scheme ",
    "question": "第",
}
_WORDS_EN: dict[LabelKind, str] = {
    "figure": "Figure",
    "table": "Table",
    "equation": "Equation",
    "section": "Section",
    "appendix": "Appendix",
    "algorithm": "Algorithm",
    "scheme": "Scheme",
    "question": "Question",
}
