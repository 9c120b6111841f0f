"""The page's own text against layout analysis: blanks put into words, and lines lost."""

import html
import re
import unicodedata
from collections.abc import Sequence

from ...core.document import Block

_BLANK = re.compile(r"\s+")
# Short words in a row, one of them a single letter: "L-T S A 46".
_SCATTERED = re.compile(
    r"(?<![^\W_])[A-Za-z0-9-]{1,4}(?: [A-Za-z0-9-]{1,3})* [A-Za-z](?: [A-Za-z0-9-]{1,4})*(?![^\W_])"
)


def respaced(text: str, page_text: str) -> str:
    """`text` with the blanks that the PDF's own character stream has, where letters are scattered.

    Only the parts that look scattered are looked up, and only where the page holds them in one
    spelling; the rest stays as it is.
    """
    if not page_text or not _SCATTERED.search(text):
        return text
    positions = [index for index, char in enumerate(page_text) if not char.isspace()]
    squeezed = "".join(page_text[index] for index in positions)

    def own(match: "re.Match[str]") -> str:
        key = _BLANK.sub("", match.group())
        places = [m.start() for m in re.finditer(re.escape(key), squeezed)]
        spellings = {
            _BLANK.sub(" ", page_text[positions[at] : positions[at + len(key) - 1] + 1])
            for at in places
        }
        return spellings.pop() if len(spellings) == 1 else match.group()

    return _SCATTERED.sub(own, text)


_LOST_SHARE = 0.25
_LOST_LETTERS = 80
_PIECE = 6
_NOT_LETTERS = re.compile(r"[\W_]+")
_TAG = re.compile(r"<[^>]+>")


def lost_text(page_text: str, blocks: Sequence[Block]) -> list[str]:
    """Paragraphs of lines that no block holds; none when they are a small part of the page."""
    held = "".join(_letters(part) for block in blocks for part in _parts(block))
    groups: list[list[str]] = [[]]
    total = lost = 0
    for line in page_text.replace("\r\n", "\n").split("\n"):
        key = _letters(line)
        total += len(key)
        if key and not _holds(held, key):
            groups[-1].append(line.strip())
            lost += len(key)
        elif groups[-1]:
            groups.append([])
    if lost < _LOST_LETTERS or lost < _LOST_SHARE * total:
        return []
    return ["\n".join(group) for group in groups if group]


def _holds(held: str, key: str) -> bool:
    """Whether at least half of a line stands somewhere in the blocks, in pieces of six letters."""
    pieces = [key[n : n + _PIECE] for n in range(0, max(len(key) - _PIECE, 0) + 1, 2)]
    return 2 * sum(piece in held for piece in pieces) >= len(pieces)


def _letters(text: str) -> str:
    return _NOT_LETTERS.sub("", unicodedata.normalize("NFKC", text)).lower()


def _parts(block: Block) -> tuple[str, ...]:
    inside = str(block.meta.get("text_in_picture") or "")
    table = html.unescape(_TAG.sub(" ", block.html))
    return (block.text, table, inside, *block.captions, *block.footnotes)
