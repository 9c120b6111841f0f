"""Markdown: CommonMark headings only, fences kept whole, pictures only from below the file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.document import Block, BlockKind, ParsedDocument
from ...core.markup import parsable
from .. import images
from ..tables import read_table
from .text import read_text

if TYPE_CHECKING:
    from markdown_it.token import Token

# Bounded: of brackets that nothing closes each would be followed to the text's end.
_IMAGE = re.compile(r"!\[(?P<alt>[^\]]{0,1000})\]\(\s*<?(?P<src>[^)\s>]*)>?(?:\s+[\"'(][^)]*)?\)")
_TAG_IMAGE = re.compile(r"<img\b[^<>]*?\bsrc\s*=\s*[\"']?(?P<src>[^\"'\s>]*)[\"']?[^>]*>", re.I)
_ALT = re.compile(r"\balt\s*=\s*[\"']([^\"']*)[\"']", re.I)
_LINK = re.compile(r"(?<!!)\[(?P<text>[^\[\]]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+[\"'][^)]*)?\)")
_AUTOLINK = re.compile(r"<((?:https?|mailto):[^>\s]+)>")
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_TAG = re.compile(
    r"</?(?:p|br|div|span|center|font|b|i|u|em|strong|sup|sub|a|details|summary|hr|script|style|iframe|svg|object|embed|form|input|button|video|audio|source|h[1-6])\b[^>]*>",
    re.I,
)
_COMMENT = re.compile(r"<!--(?:(?!<!--).)*?-->", re.S)
_FRONT = re.compile(r"\A---\n(?P<body>.*?)\n(?:---|\.\.\.)[ \t]*\n", re.S)
_FRONT_TITLE = re.compile(r"^title:\s*[\"']?(.+?)[\"']?\s*$", re.M)
_INDEX_LINK = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s*\[[^\]]+\]\(#[^)]*\)\s*$")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+.!|~>-])")


class MarkdownParser:
    """Reads Markdown with the pictures that lie below its folder."""

    @property
    def name(self) -> str:
        """Name and version: part of the edition's identity."""
        return "markdown-1"

    def accepts(self, path: Path) -> bool:
        """Whether the suffix says Markdown."""
        return path.suffix.lower() in {".md", ".markdown", ".mdown"}

    def parse(self, path: Path) -> ParsedDocument:
        """Blocks of the whole file. Raises DocumentError with what to do."""
        text, notes = read_text(path)
        front = _FRONT.match(text)
        title = _FRONT_TITLE.search(front["body"]) if front else None
        walk = _Walk(text[front.end() :] if front else text, path.parent)
        walk.run()
        heading = next((b.text for b in walk.blocks if b.kind == "title" and b.level == 1), "")
        return ParsedDocument(
            title=title.group(1) if title else heading or path.stem,
            blocks=tuple(walk.blocks),
            images=walk.images,
            parser=self.name,
            doc_type="markdown",
            warnings=(*walk.warnings(), *notes),
        )


@dataclass
class _Walk:
    """One pass over the tokens; `blocks` and `images` grow."""

    text: str
    folder: Path
    blocks: list[Block] = field(default_factory=list)
    images: dict[str, str | bytes] = field(default_factory=dict)
    external: int = 0

    def run(self) -> None:
        from markdown_it import MarkdownIt

        lines = self.text.split("\n")
        tokens = MarkdownIt("commonmark").enable("table").parse(self.text)
        skip_below = -1
        for place, token in enumerate(tokens):
            if skip_below >= 0:
                skip_below = -1 if token.nesting == -1 and token.level == skip_below else skip_below
                continue
            if token.type in ("bullet_list_open", "ordered_list_open", "table_open"):
                skip_below = token.level
            self._token(token, tokens[place + 1 : place + 2], lines)

    def _token(self, token: "Token", following: list["Token"], lines: list[str]) -> None:
        span = "\n".join(lines[slice(*token.map)]) if token.map else ""
        if token.type == "heading_open":
            level = int(token.tag[1])
            self._add("title", self._prose(following[0].content), level=level)
        elif token.type == "paragraph_open":
            self._paragraph(following[0].content)
        elif token.type in ("fence", "code_block"):
            self._add("code", token.content.rstrip("\n"), meta={"language": token.info.strip()})
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            self._list(span)
        elif token.type == "table_open":
            self._add("table", html=_pipe_table(span))
        elif token.type == "html_block":
            self._html(token.content)

    def _add(
        self,
        kind: BlockKind,
        text: str = "",
        *,
        html: str = "",
        level: int | None = None,
        meta: dict[str, str] | None = None,
    ) -> None:
        if kind == "table":
            self._register(read_table(html).pictures)
        if text or html:
            self.blocks.append(
                Block(
                    index=len(self.blocks),
                    kind=kind,
                    text=text,
                    html=html,
                    level=level,
                    meta=meta or {},
                )
            )

    def _paragraph(self, content: str) -> None:
        """Text and pictures of a paragraph, in order."""
        start = 0
        for match in _pictures(content):
            self._add("text", self._prose(content[start : match.start()]))
            self._picture(match)
            start = match.end()
        rest = self._prose(content[start:])
        kind: BlockKind = "equation" if _is_display_math(rest) else "text"
        self._add(kind, rest)

    def _list(self, span: str) -> None:
        lines = span.split("\n")
        if len(lines) > 2 and all(_INDEX_LINK.match(line) for line in lines if line.strip()):
            self._add("toc", self._prose(span))
            return
        found = list(_pictures(span))
        self._add("list", self._prose(_IMAGE.sub("", _TAG_IMAGE.sub("", span))))
        for match in found:
            self._picture(match)

    def _html(self, content: str) -> None:
        body = _COMMENT.sub("", content)
        if re.search(r"<table\b", body, re.I):
            self._add("table", html=body)
            return
        for match in _pictures(body):
            self._picture(match)
        from bs4 import BeautifulSoup

        soup = BeautifulSoup(parsable(body), "html.parser")
        for tag in soup(["script", "style"]):
            tag.decompose()
        self._add("text", self._prose(soup.get_text("\n").strip()))

    def _picture(self, match: "re.Match[str]") -> None:
        groups = match.groupdict()
        alt = _ALT.search(match.group())
        caption = (groups.get("alt") or (alt.group(1) if alt else "")).strip()
        source = groups["src"] or ""
        names = self._register((source,))
        outside = "://" in source or source.startswith(("data:", "//"))
        self.external += outside
        if not names and not caption and outside:
            return
        self.blocks.append(
            Block(
                index=len(self.blocks),
                kind="image",
                image=names[0] if names else "",
                captions=(caption,) if caption and not _is_file_name(caption) else (),
                meta={} if names else {"missing_image": "external picture" if outside else source},
            )
        )

    def _register(self, sources: tuple[str, ...]) -> list[str]:
        from urllib.parse import unquote

        found = []
        for source in sources:
            name = unquote(source)
            target = images.below(self.folder, name)
            if target is not None:
                self.images[source] = str(target)
                found.append(source)
        return found

    def _prose(self, text: str) -> str:
        text = _COMMENT.sub("", _IMAGE.sub("", _TAG_IMAGE.sub("", text)))
        text = _AUTOLINK.sub(r"\1", _LINK.sub(lambda m: m["text"], text))
        text = _TAG.sub("", _STRONG.sub(r"\2", text))
        return "" if not text.strip() else _ESCAPE.sub(r"\1", text).strip("\n").rstrip()

    def warnings(self) -> tuple[str, ...]:
        if not self.external:
            return ()
        return (f"{self.external} picture(s) lie at outside addresses and were not fetched.",)


def _pictures(text: str) -> Iterator["re.Match[str]"]:
    yield from sorted([*_IMAGE.finditer(text), *_TAG_IMAGE.finditer(text)], key=lambda m: m.start())


def _is_display_math(text: str) -> bool:
    body = text.strip()
    return len(body) > 4 and body.startswith("$$") and body.endswith("$$") and body.count("$$") == 2


def _is_file_name(text: str) -> bool:
    return bool(
        re.fullmatch(r"[\w-]+\.(png|jpe?g|gif|webp|svg)|image|img|\d+|[0-9a-f]{16,}", text, re.I)
    )


_CELL_SPLIT = re.compile(r"(?<!\\)\|")


def _pipe_table(span: str) -> str:
    """HTML of a pipe table; pictures in cells become `<img>`."""
    rows = [line.strip() for line in span.split("\n") if line.strip()]
    out = []
    for number, line in enumerate(rows):
        if number == 1:
            continue
        tag = "th" if number == 0 else "td"
        cells = _CELL_SPLIT.split(line.removeprefix("|").removesuffix("|"))
        out.append("<tr>" + "".join(f"<{tag}>{_cell(c)}</{tag}>" for c in cells) + "</tr>")
    return "<table>" + "".join(out) + "</table>"


def _cell(cell: str) -> str:
    parts = []
    start = 0
    for match in _pictures(cell):
        parts.append(_plain_cell(cell[start : match.start()]))
        parts.append(f'<img src="{escape(match.groupdict()["src"] or "")}"/>')
        start = match.end()
    return "".join(parts) + _plain_cell(cell[start:])


def _plain_cell(cell: str) -> str:
    text = _LINK.sub(lambda m: m["text"], cell.replace("\\|", "|"))
    return escape(_STRONG.sub(r"\2", _TAG.sub(" ", text)).strip())
