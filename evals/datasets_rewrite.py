"""Readers of follow-up questions with a person's self-contained form of each.

Only the user's side of a thread is given to the analyst, as in the chat. The passages are the
set's own: what belongs to one thread, so that a question that lost its subject finds the wrong one.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..core.errors import UsageError
from .datasets import passage_id, read_json
from .sets import Passage, RewriteSet, Turn, spread

REWRITE_FORMATS = ("rewrite_zh", "canard", "cast")
ZH_FIELDS = 4
MOST_OTHERS = 2000


def load_rewrite(kind: str, file: Path, *, limit: int | None = None) -> RewriteSet:
    """Read a set of follow-ups. `limit` thins the turns; their own passages stay, the others are
    thinned to MOST_OTHERS. Raises UsageError."""
    readers: dict[str, Callable[[Path], RewriteSet]] = {
        "rewrite_zh": read_rewrite_zh,
        "canard": read_canard,
        "cast": read_cast,
    }
    if kind not in readers:
        raise UsageError(f"--format is one of {', '.join(readers)}, not {kind!r}.")
    try:
        loaded = readers[kind](file)
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{file} is not in the form of --format {kind}: {error!r}.") from error
    if not loaded.turns:
        raise UsageError(f"{file} holds no turn with --format {kind}.")
    turns = spread(loaded.turns, limit)
    needed = {passage for turn in turns for passage in (*turn.relevant, turn.own)}
    others = spread([p.id for p in loaded.passages if p.id not in needed], MOST_OTHERS)
    kept = needed.union(others)
    passages = tuple(passage for passage in loaded.passages if passage.id in kept)
    return loaded.model_copy(update={"turns": turns, "passages": passages})


def read_rewrite_zh(file: Path) -> RewriteSet:
    """Lines of user, assistant, user and the complete form; tabs between, empty fields skipped.

    A thread's passage is its first two turns.
    """
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from error
    turns, passages = [], {}
    for place, line in enumerate(lines):
        fields = [field.strip() for field in line.split("\t") if field.strip()]
        if len(fields) != ZH_FIELDS:
            continue
        asked, replied, question, human = fields
        text = f"{asked}\n{replied}"
        passages[passage_id(text)] = text
        turns.append(
            Turn(
                id=str(place),
                history=(asked,),
                question=question,
                human=human,
                relevant=(passage_id(text),),
            )
        )
    return RewriteSet(name=file.stem, turns=tuple(turns), passages=_passages(passages))


def read_canard(file: Path) -> RewriteSet:
    """CANARD. The people who rewrote saw the article's and the section's title: they stand in the
    thread as a first request. A dialogue's passage is the titles and every answer known of it."""
    rows = read_json(file)
    answers: dict[str, dict[str, None]] = {}
    for row in rows:
        known = answers.setdefault(row["QuAC_dialog_id"], {})
        known.update(dict.fromkeys((*row["History"][:2], *row["History"][3::2])))
    turns = [
        Turn(
            id=f"{row['QuAC_dialog_id']}#{row['Question_no']}",
            history=(_opening(row["History"]), *row["History"][2::2]),
            question=row["Question"],
            human=row["Rewrite"],
            relevant=(row["QuAC_dialog_id"],),
        )
        for row in rows
    ]
    passages = {dialogue: "\n".join(texts) for dialogue, texts in answers.items()}
    return RewriteSet(name=file.stem, turns=tuple(turns), passages=_passages(passages))


def _opening(history: list[str]) -> str:
    title, section = [*history, "", ""][:2]
    return f"Tell me about {title}: {section}." if section else f"Tell me about {title}."


def read_cast(file: Path) -> RewriteSet:
    """TREC CAsT topics with manual rewrites, in the file (2020) or in the `.tsv` beside it (2019).

    Passages are the rewritten turns; a turn should find the other turns of its topic.
    """
    topics = read_json(file)
    resolved = _resolved(file.parent)
    turns: list[Turn] = []
    passages: dict[str, str] = {}
    for topic in topics:
        ids = [f"{topic['number']}_{turn['number']}" for turn in topic["turn"]]
        raws = [turn["raw_utterance"].strip() for turn in topic["turn"]]
        humans = [
            _human(turn, resolved.get(i, "")) for i, turn in zip(ids, topic["turn"], strict=True)
        ]
        for place, (turn_id, raw, human) in enumerate(zip(ids, raws, humans, strict=True)):
            if not human:
                continue
            passages[turn_id] = human
            turns.append(
                Turn(
                    id=turn_id,
                    history=tuple(raws[:place]),
                    question=raw,
                    human=human,
                    relevant=tuple(i for i in ids if i != turn_id),
                    own=turn_id,
                )
            )
    return RewriteSet(name=file.stem, turns=tuple(turns), passages=_passages(passages))


def _human(turn: dict[str, Any], resolved: str) -> str:
    return str(turn.get("manual_rewritten_utterance") or resolved).strip()


def _resolved(folder: Path) -> dict[str, str]:
    """Rewrites by turn id from the `*resolved*.tsv` files of a folder."""
    found: dict[str, str] = {}
    for path in sorted(folder.glob("*resolved*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            turn_id, _, text = line.partition("\t")
            found[turn_id.strip()] = text.strip()
    return found


def _passages(texts: dict[str, str]) -> tuple[Passage, ...]:
    return tuple(Passage(id=key, text=text) for key, text in texts.items())
