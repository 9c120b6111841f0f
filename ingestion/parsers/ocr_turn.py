"""Scanned pages that lie on their side or upside down: which way is up, and boxes both ways.

The engine turns single lines, so that their words are right; their order needs the whole page's.
"""

from collections.abc import Callable
from typing import Any

from ...core.document import BBox

_SURE = 0.6
_TALL = 1.5

Recognise = Callable[[Any], float]
"""How sure the engine is of the text in a picture of one line, as it stands."""


def quarter_turns(result: Any, picture: Any, recognise: Recognise) -> int:
    """Quarter turns counter-clockwise that set the page upright, told by its longest line."""
    if result.boxes is None:
        return 0
    spans = [_span(corners, picture) for corners in result.boxes]
    tall = sum(y1 - y0 > _TALL * (x1 - x0) for x0, y0, x1, y1 in spans)
    ways = (1, 3) if tall * 2 > len(spans) else (0, 2)
    longest = max(range(len(spans)), key=lambda n: (len(result.txts[n]), -n))
    x0, y0, x1, y1 = spans[longest]
    line = picture[y0:y1, x0:x1]
    if not line.size:
        return 0
    sure = {way: recognise(upright(line, way)) for way in ways}
    best = max(ways, key=lambda way: sure[way])
    return best if sure[best] >= _SURE else 0


def upright(picture: Any, turns: int) -> Any:
    """A picture after quarter turns counter-clockwise."""
    import numpy as np

    return np.ascontiguousarray(np.rot90(picture, turns))


def _span(corners: Any, picture: Any) -> tuple[int, int, int, int]:
    height, width = picture.shape[:2]
    xs, ys = [float(p[0]) for p in corners], [float(p[1]) for p in corners]
    left, top = max(int(min(xs)), 0), max(int(min(ys)), 0)
    return left, top, min(int(max(xs)) + 1, width), min(int(max(ys)) + 1, height)


def turned(box: BBox, turns: int) -> BBox:
    """A box in page fractions after quarter turns counter-clockwise; 4 - turns leads back."""
    for _ in range(turns % 4):
        box = BBox(x0=box.y0, y0=1 - box.x1, x1=box.y1, y1=1 - box.x0)
    return box
