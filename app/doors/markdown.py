"""Sources and figures as Markdown under an answer, for clients that show nothing else."""

import html
import re
from typing import Any
from urllib.parse import quote

from ...graph.messages import SOURCES_TITLE
from ..shown import pages

Json = dict[str, Any]
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#!|~])")


def plain(text: str) -> str:
    """A title or caption that stays text wherever Markdown or HTML is read."""
    return _SPECIAL.sub(r"\\\1", html.escape(" ".join(text.split()), quote=False))


def link(url: str) -> str:
    """An address as it may stand between a link's brackets."""
    return quote(url, safe=":/?&=%#@+,;~.-_")


def appendix(finish: Json) -> str:
    """Figures, then sources, each with its link; "" when there are none."""
    figures = [_figure(image) for image in finish["images"] if image["url"]]
    sources = [_source(source) for source in finish["sources"]]
    parts = [*figures]
    if sources:
        parts.append(f"{SOURCES_TITLE}\n\n" + "\n".join(sources))
    return "".join(f"\n\n{part}" for part in parts)


def _figure(image: Json) -> str:
    name = plain(image["caption"] or image["label"] or image["type"])
    where = plain(image["source"]) + (f", p. {image['page']}" if image.get("page") else "")
    return f"![{name}]({link(image['url'])})\n\n*{name}* — {where}"


def _source(source: Json) -> str:
    where = pages(source)
    title = plain(source["doc"]) + (f" {where}" if where else "")
    shown = f"[{title}]({link(source['page_url'])})" if source.get("page_url") else title
    path = f" — {plain(source['section_path'])}" if source["section_path"] else ""
    return f"- \\[{source['n']}\\] {shown}{path}"
