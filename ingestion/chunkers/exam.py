"""Exam papers, solutions and exercise sheets: one chunk a question or sub-question."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...core.document import Block
from ..structure import Placed
from .answer_key import Key, answer_key
from .draft import TEXT_KINDS, Draft, Run, chunk_type, run_of
from .key_table import with_key_lines
from .place import Place
from .questions import (
    Question,
    called,
    facts,
    questions,
    starts_with_parts,
    sub_questions,
)
from .split import Span, split

# A question longer than this is cut, with the same semantic id.
MAX_QUESTION = 4000
# A sub-question is found by its question's words, too.
_STEM = 200
_NAMED = re.compile(r"第\s*(?P<n>\d+)\s*[题題]")
_SPEAKS = re.compile(r"[如见見][下上左右]?[图圖]|图示|figure|diagram|graph|shown", re.I)


def exam_chunks(
    items: Sequence[Placed], size: int, overlap: int, *, by_part: bool = False
) -> Iterator[Draft]:
    """Drafts by question; text before the first one is cut as usual.

    `by_part`: one draft a sub-question with its solution, as in solutions and tutorials, where a
    whole question is longer than `size`.
    """
    run = run_of([i for i in with_key_lines(items) if i.block.kind in TEXT_KINDS])
    key = answer_key(run.text)
    text = run.text[: key.span[0]] if key else run.text
    found = questions(text, [head for head in _headings(run) if head[0] < len(text)])
    starts = [*starts_with_parts(text, found), len(text)]
    if text[: starts[0]].strip():
        yield from _cut(run, [(0, starts[0])], (size, overlap), "head", {})
    for place, question in enumerate(found):
        begin, end = starts[place], starts[place + 1]
        meta = facts(run.text[question.start : end], question)
        semantic = f"q{place}"
        whole = end - begin <= (size if by_part else MAX_QUESTION)
        subs = [("", [(begin, end)])] if whole else sub_questions(run.text, begin, end)
        for letter, spans in subs:
            title = called(question, run.text[begin:end], letter)
            about = {**meta, "sub_question": letter} if letter else meta
            stem = run.text[slice(*subs[0][1][0])][:_STEM] if letter else ""
            for draft in _cut(run, spans, (MAX_QUESTION, 0), semantic, about):
                embed = f"{stem.strip()}\n{draft.text}" if stem else ""
                yield replace(draft, embed=embed, title=title)
    if key:
        yield from _answers(run, key, found)
        yield from _cut(run, [(key.span[1], len(run.text))], (size, overlap), "tail", {})


def _answers(run: Run, key: Key, found: Sequence[Question]) -> Iterator[Draft]:
    """The key's entries, each with its question: where parts number anew, in the order of both."""
    left = list(enumerate(found))
    for entry in key.entries:
        number = str(entry.number)
        place, question = next((p for p in left if p[1].number == number), (-1, None))
        left = [p for p in left if p[0] != place]
        own = question or Question(number, entry.span[0])
        about = {"question": number, "answer_key": True}
        about |= {"part": own.part} if own.part else {}
        semantic = f"q{place}" if question else f"key{number}"
        for draft in _draft(run, [entry.span], semantic, about):
            title = called(own, run.text)
            yield replace(
                draft,
                embed=f"{title} {run.text[slice(*key.head)].strip()} {draft.text}",
                title=title,
            )


def _headings(run: Run) -> list[tuple[int, str]]:
    pairs = zip(run.placed, run.spans, strict=True)
    return [(a, i.block.text.strip()) for i, (a, _) in pairs if i.block.kind == "title"]


def _cut(
    run: Run, spans: Sequence[Span], limits: tuple[int, int], semantic: str, meta: dict[str, Any]
) -> Iterator[Draft]:
    """One draft of all the spans when they fit, else their pieces."""
    size, overlap = limits
    if sum(end - start for start, end in spans) <= size:
        yield from _draft(run, spans, semantic, meta)
        return
    for start, end in spans:
        atoms = [(a - start, b - start) for a, b in run.atoms() if a >= start and b <= end]
        for a, b in split(run.text[start:end], size, overlap, atoms):
            yield from _draft(run, [(start + a, start + b)], semantic, meta)


def _draft(run: Run, spans: Sequence[Span], semantic: str, meta: dict[str, Any]) -> Iterator[Draft]:
    text, places = "", list[Place]()
    inside: list[Placed] = []
    for start, end in spans:
        if not (piece := run.text[start:end].strip()):
            continue
        text += "\n" if text else ""
        here = run.places(start, end)
        places.extend(replace(place, start=place.start + len(text)) for place in here)
        inside.extend(run.within(start, end))
        text += piece
    if text and inside:
        yield Draft(
            text=text,
            blocks=tuple({item.block.index: item.block for item in inside}.values()),
            places=tuple(places),
            section=inside[0].section,
            semantic=semantic,
            chunk_type=chunk_type(inside),
            metadata=dict(meta),
        )


def question_at(drafts: Sequence[Draft], block: Block) -> dict[str, Any]:
    """Which question a picture belongs to: facts of the draft, empty when none.

    A caption ("第13题图") names it; inside a question it is that one's; between two it belongs to
    the one whose words speak of a figure, and to the later one when both or neither do.
    """
    keys = [draft for draft in drafts if draft.metadata.get("answer_key")]
    if any(block.index == own.index for draft in keys for own in draft.blocks):
        return {}  # a key belongs to no one question
    named = _NAMED.search(" ".join(block.captions))
    asked = [draft for draft in drafts if draft.metadata.get("question")]
    if named:
        same = [d for d in asked if d.metadata["question"] == named["n"]]
        near = min(same, key=lambda d: abs(d.position - block.index), default=None)
        return _facts(near)
    before = max((d for d in asked if d.position < block.index), key=_last, default=None)
    after = min(
        (d for d in asked if d.position > block.index), key=lambda d: d.position, default=None
    )
    if before is None or (after is not None and _last(before) < block.index):
        speaks = before is not None and _SPEAKS.search(before.text) is not None
        own = after is not None and _SPEAKS.search(after.text) is not None
        return _facts(before if speaks and not own else after)
    return _facts(before)


def _last(draft: Draft) -> int:
    return max(block.index for block in draft.blocks)


def _facts(draft: Draft | None) -> dict[str, Any]:
    return dict(draft.metadata) if draft else {}
