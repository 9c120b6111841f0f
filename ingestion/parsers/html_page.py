"""What of a web page is its text and what is around it: navigation, head, foot, scripts."""

from collections.abc import Iterator

from bs4 import BeautifulSoup
from bs4.element import Tag

from ...core.document import Block
from ...core.markup import parsable

NAVIGATION, BANNER, FOOT, SCRIPT = "navigation", "banner", "contentinfo", "script"
_CONTENT = ("article", "main", "section", "blockquote", "li", "td")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def without_surroundings(html: str) -> tuple[str, list[Block]]:
    """The page without what stands around its text, and that as blocks to account for.

    A `header` or `footer` inside an article is part of it, and so is one with a heading. A page
    with nothing else stays as it is.
    """
    soup = BeautifulSoup(parsable(html), "html.parser")
    around = list(_around(soup))
    blocks = [
        Block(index=0, kind="footer" if role == FOOT else "header", text=text, raw_type=role)
        for tag, role in around
        if (text := " ".join(tag.get_text(" ").split()))
    ]
    if not blocks:
        return html, []
    for tag, _ in around:
        tag.extract()
    body = soup.body or soup
    left = body.get_text().strip() or body.find("img")
    return (str(soup), blocks) if left else (html, [])


def _around(soup: BeautifulSoup) -> Iterator[tuple[Tag, str]]:
    taken: set[int] = set()
    for tag in soup.find_all(True):
        role = _role(tag)
        if role and not any(id(parent) in taken for parent in tag.parents):
            taken.add(id(tag))
            yield tag, role


def _role(tag: Tag) -> str:
    if tag.name in ("script", "style", "noscript", "template"):
        return SCRIPT
    said = str(tag.get("role") or "").strip().lower()
    if tag.name == "nav" or said == NAVIGATION:
        return NAVIGATION
    if tag.name == "header" or said == BANNER:
        role = BANNER
    elif tag.name == "footer" or said == FOOT:
        role = FOOT
    else:
        return ""
    own = tag.find_parent(_CONTENT) is not None or tag.find(_HEADINGS) is not None
    return "" if own else role
