"""Pictures that a parser's folder holds and its content list does not name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ...core.document import Block
from .. import images

_PICTURE = re.compile(
    r"!\[(?P<alt>[^\]]*)\]\(\s*<?(?P<src>[^)\s>]+)>?[^)]*\)|<img[^>]+src=[\"'](?P<tag>[^\"']+)"
)
_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp"})
_LETTERS = re.compile(r"\W+")


@dataclass(frozen=True)
class Recovered:
    """Blocks with the recovered pictures at their places, their files, and what to report."""

    blocks: list[Block]
    images: dict[str, str | bytes] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def unlisted_pictures(path: Path, blocks: list[Block], listed: set[str]) -> Recovered:
    """Where the Markdown beside the list shows a picture that no block names, index it there."""
    on_disk = {p.name: p for p in _pictures(path.parent / "images")}
    named = {n.rsplit("/", 1)[-1] for n in listed} | {
        name for block in blocks for name in on_disk if name in block.html
    }
    unlisted = {name: p for name, p in on_disk.items() if name not in named}
    if not unlisted:
        return Recovered(blocks)
    placed: dict[int, list[str]] = {}
    for name, before in _shown(path, unlisted):
        placed.setdefault(_position(blocks, before), []).append(name)
    kept = [name for names in placed.values() for name in names]
    merged = _merge(blocks, placed)
    return Recovered(merged, {n: str(unlisted[n]) for n in kept}, _warnings(unlisted, kept))


def _pictures(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from sorted(
            p for p in folder.iterdir() if p.suffix.lower() in _SUFFIXES and p.is_file()
        )


def _warnings(unlisted: dict[str, Path], kept: list[str]) -> list[str]:
    rest = sorted(set(unlisted) - set(kept))
    notes = []
    if kept:
        notes.append(
            f"{len(kept)} picture(s) missing from the content list were placed from the Markdown."
        )
    if rest:
        shown = ", ".join(rest[:5]) + (" …" if len(rest) > 5 else "")
        notes.append(f"{len(rest)} picture(s) on disk are not referenced: {shown}")
    return notes


def _shown(path: Path, unlisted: dict[str, Path]) -> Iterator[tuple[str, str]]:
    """(picture name, the text line before it) in the Markdown of the folder."""
    stem = path.name.split("content_list")[0].rstrip("_.-")
    candidates = [
        path.parent / f"{stem}.md",
        path.parent / "full.md",
        *sorted(path.parent.glob("*.md")),
    ]
    markdown = next((p for p in candidates if p.is_file()), None)
    if markdown is None:
        return
    before = ""
    seen: set[str] = set()
    for line in markdown.read_text(encoding="utf-8", errors="replace").splitlines():
        for match in _PICTURE.finditer(line):
            name = (match["src"] or match["tag"] or "").replace("\\", "/").rsplit("/", 1)[-1]
            if (
                name in unlisted
                and name not in seen
                and images.below(path.parent, f"images/{name}")
            ):
                seen.add(name)
                yield name, before
        if line.strip() and not _PICTURE.search(line):
            before = line.strip()


def _position(blocks: list[Block], before: str) -> int:
    """Index in `blocks` after the one that holds the line; the end when none does."""
    wanted = _LETTERS.sub("", before)[:60]
    if wanted:
        for place, block in enumerate(blocks):
            own = _LETTERS.sub("", block.text or " ".join(block.captions))
            if own and (own.startswith(wanted) or wanted in own):
                return place + 1
    return len(blocks) if wanted else 0


def _merge(blocks: list[Block], placed: dict[int, list[str]]) -> list[Block]:
    merged: list[Block] = []
    for place in range(len(blocks) + 1):
        near = blocks[place - 1] if place else (blocks[0] if blocks else None)
        merged.extend(
            Block(
                index=0,
                kind="image",
                image=name,
                page=near.page if near else None,
                raw_type="recovered",
            )
            for name in placed.get(place, [])
        )
        merged.extend(blocks[place : place + 1])
    return [block.model_copy(update={"index": index}) for index, block in enumerate(merged)]
