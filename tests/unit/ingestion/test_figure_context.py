"""What is kept of the text around a picture without a caption."""

from tests.unit.ingestion.builders import png, record, text, title
from tuwen.core.document import BBox, Block, ParsedDocument
from tuwen.core.options import IngestOptions
from tuwen.core.settings import IngestSettings
from tuwen.ingestion.build import build_edition

LEADS = ("More households heat with wood than a decade ago", "% of households that use …")


def picture(page=1, **more):
    box = BBox(x0=0.1, y0=0.4, x1=0.9, y1=0.8)
    return Block(index=0, kind="image", image="a.png", page=page, bbox=box, **more)


def contexts(*blocks):
    numbered = tuple(block.model_copy(update={"index": n}) for n, block in enumerate(blocks))
    parsed = ParsedDocument(
        title="Heating", blocks=numbered, images={"a.png": png(300, 200)}, parser="test"
    )
    built = build_edition(parsed, record(), settings=IngestSettings(), options=IngestOptions())
    return [figure.context_before for figure in built.edition.figures]


def test_a_short_line_is_kept_with_what_it_stands_under():
    assert contexts(*map(text, LEADS), picture()) == [" ".join(LEADS)]


def test_a_sentence_that_says_enough_stands_alone():
    long = "The basins are joined by two pipes, one of which is closed in winter for repairs."
    assert contexts(text(LEADS[0]), text(long), picture()) == [long]


def test_a_heading_ends_it():
    assert contexts(text(LEADS[0]), title("Heating"), text(LEADS[1]), picture()) == [LEADS[1]]
