"""Draw one page of a PDF to standard output as PNG: run as a program, without the package.

Arguments: file, page (from 1), width in pixels, boxes "x0,y0,x1,y1;…" as fractions of the page.
Exit code 3: there is no such page.
"""

import io
import sys
from typing import Any

BORDER = (214, 69, 65, 255)
FILL = (255, 213, 79, 70)
MAX_HEIGHT = 6000


def main(argv: list[str]) -> int:
    """Draw; the exit code."""
    import pypdfium2 as pdfium

    path, number, width, marks = argv[1], int(argv[2]), int(argv[3]), argv[4]
    document = pdfium.PdfDocument(path)
    if not 1 <= number <= len(document):
        return 3
    page = document[number - 1]
    scale = min(width / page.get_width(), MAX_HEIGHT / page.get_height())
    picture = page.render(scale=scale).to_pil().convert("RGB")
    boxes = [tuple(map(float, part.split(","))) for part in marks.split(";") if part]
    out = io.BytesIO()
    marked(picture, boxes).save(out, "PNG")
    sys.stdout.buffer.write(out.getvalue())
    return 0


def marked(picture: Any, boxes: list[Any]) -> Any:
    """The picture with each box outlined and tinted."""
    from PIL import Image, ImageDraw

    layer = Image.new("RGBA", picture.size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(layer)
    wide, high = picture.size
    for x0, y0, x1, y1 in boxes:
        corners = (x0 * wide - 4, y0 * high - 4, x1 * wide + 4, y1 * high + 4)
        pen.rectangle(corners, fill=FILL, outline=BORDER, width=3)
    return Image.alpha_composite(picture.convert("RGBA"), layer).convert("RGB")


if __name__ == "__main__":
    sys.exit(main(sys.argv))
