"""A TrueType subset of an OpenType/CFF font: reportlab embeds only TrueType outlines."""

from pathlib import Path

from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont, newTable


def truetype_subset(source: Path, text: str, target: Path) -> None:
    """Write the glyphs of `text` (and printable ASCII) of `source` as a TrueType font."""
    options = Options()
    options.layout_features = []
    options.notdef_outline = True
    subsetter = Subsetter(options)
    subsetter.populate(text=text + "".join(map(chr, range(32, 127))))
    font = TTFont(source, recalcTimestamp=False)
    subsetter.subset(font)
    _quadratic(font)
    font.save(target)


def _quadratic(font: TTFont) -> None:
    order, glyphs = font.getGlyphOrder(), font.getGlyphSet()
    outlines = {}
    for name in order:
        pen = TTGlyphPen(None)
        glyphs[name].draw(Cu2QuPen(pen, 1.0, reverse_direction=True))
        outlines[name] = pen.glyph()
    font["loca"] = newTable("loca")
    font["glyf"] = glyf = newTable("glyf")
    glyf.glyphOrder, glyf.glyphs = order, outlines
    metrics = font["hmtx"]
    for name in order:
        outlines[name].recalcBounds(glyf)
        metrics[name] = (metrics[name][0], getattr(outlines[name], "xMin", 0))
    font["maxp"] = maxp = newTable("maxp")
    maxp.tableVersion, maxp.numGlyphs = 0x00010000, len(order)
    fields = (
        "maxZones maxTwilightPoints maxStorage maxFunctionDefs maxInstructionDefs "
        "maxStackElements maxSizeOfInstructions maxComponentElements maxPoints maxContours "
        "maxCompositePoints maxCompositeContours maxComponentDepth"
    )
    for field in fields.split():
        setattr(maxp, field, 0)
    maxp.maxZones = 1
    font["post"].formatType = 3.0
    for tag in ("CFF ", "VORG", "GSUB", "GPOS", "BASE", "vhea", "vmtx"):
        if tag in font:
            del font[tag]
    font.sfntVersion = "\x00\x01\x00\x00"
