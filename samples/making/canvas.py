"""One look for every chart: fonts, colours, and writing a figure to the same bytes each time."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import matplotlib as mpl
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

INK, GREY, PALE = "#22313f", "#7b8a97", "#e6ebef"
BLUE, LIGHT, RED, AMBER, GREEN = "#1f6fb2", "#9cc7e8", "#c8443c", "#e0a030", "#3d8f6a"
CONCRETE, ROCK, EARTH, WATER = "#c9ced3", "#a58f78", "#cbbcae", "#bfe0f5"

Draw = Callable[[Figure], None]


def use_font(path: Path | None = None) -> None:
    """Set the house style; `path` is a font that has Chinese glyphs."""
    mpl.use("Agg")
    family = "DejaVu Sans"
    if path is not None:
        font_manager.fontManager.addfont(str(path))
        family = font_manager.FontProperties(fname=str(path)).get_name()
    mpl.rcParams.update(
        {
            "font.family": family,
            "font.size": 11,
            "axes.unicode_minus": False,
            "axes.edgecolor": GREY,
            "axes.labelcolor": INK,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.axisbelow": True,
            "text.color": INK,
            "xtick.color": INK,
            "ytick.color": INK,
            "grid.color": PALE,
            "legend.frameon": False,
            "figure.facecolor": "white",
        }
    )


def paint(draw: Draw, size: tuple[float, float] = (7.2, 3.7), dpi: int = 150) -> Image.Image:
    """Run `draw` on an empty figure of `size` inches and return the picture."""
    figure = Figure(figsize=size, layout="constrained")
    draw(figure)
    buffer = BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi, metadata={"Software": None})
    buffer.seek(0)
    return Image.open(buffer).convert("RGB")


def save_jpeg(picture: Image.Image, path: Path) -> None:
    """Write with fixed settings and full colour resolution, so that thin lines stay clean."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, "JPEG", quality=86, subsampling=0, optimize=True)


def save_png(picture: Image.Image, path: Path) -> None:
    """Write as a 64-colour PNG: a flat chart needs no more."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.quantize(64).save(path, "PNG", optimize=True)


def bare(figure: Figure, width: float, height: float) -> Axes:
    """Axes without a frame, `width` by `height` drawing units, equal scales: for diagrams."""
    axes = figure.add_subplot()
    axes.set_xlim(0, width)
    axes.set_ylim(0, height)
    axes.set_aspect("equal")
    axes.axis("off")
    return axes
