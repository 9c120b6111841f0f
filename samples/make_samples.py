"""Write the sample documents: `python samples/make_samples.py` (needs the `dev` extra).

The results are committed, so nobody has to run this to use them. Dates, identifiers and settings
are fixed: a second run with the same package versions writes the same bytes.
"""

import argparse
import tempfile
from pathlib import Path

from making import handbook_charts
from making.canvas import paint, save_png, use_font
from making.handbook import make_handbook
from making.report_zh import make_report

SAMPLES = Path(__file__).resolve().parent


def main() -> None:
    """Write every generated sample beside this file."""
    parser = argparse.ArgumentParser(description="Write the sample documents.")
    parser.add_argument(
        "--keep-pdf", action="store_true", help="also keep the pages of the Chinese report as PDF"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as pictures:
        make_handbook(SAMPLES / "small-hydro-handbook.pdf", Path(pictures))
    use_font()
    picture = paint(handbook_charts.plant, (7.0, 3.2))
    save_png(picture, SAMPLES / "notes" / "pictures" / "run-of-river-plant.png")
    make_report(SAMPLES, keep_pdf=options.keep_pdf)


if __name__ == "__main__":
    main()
