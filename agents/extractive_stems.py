"""The words that an item of a list stands under and says nothing without."""

import re
from collections.abc import Sequence

_OWN_MARK = re.compile(r"^\s*[(（]?[a-z一二三四五六七八九十\d]{1,2}[)）]", re.I)
# Headings that their items go on with: "The tenant must not" – "(a) smoke inside".
_GOES_ON = re.compile(
    r"(?:\b(?:must|shall|may|will|should|can|cannot|not|to|is|are|has|have|include[sd]?)"
    r"|[须应可]|不[得准能可应]|禁止|严禁|可以|应当?|必须|负责|有权|无权|包括)\s*[:：]?\s*$",
    re.I,
)


def is_marked(text: str) -> bool:
    """Whether a sentence begins like an item of a list: "(a)", "2)"."""
    return _OWN_MARK.match(text) is not None


def stem(spans: Sequence[str], section_path: str, order: int) -> str:
    """The heading or line that the item at this place of the sentences goes on from: "The tenant
    must not" of "(a) smoke inside"; empty: it stands for itself."""
    if order >= len(spans) or not is_marked(spans[order]):
        return ""
    leads = [text for text in spans[:order] if not is_marked(text)]
    for lead in (leads[-1] if leads else "", section_path.rpartition(" > ")[2]):
        if _GOES_ON.search(lead):
            return lead.strip()
    return ""
