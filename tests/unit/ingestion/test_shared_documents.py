"""Real outputs of parsers, where the folder of real documents is named."""

import pytest

from tests.unit.ingestion.builders import record
from tuwen.core.errors import DocumentError
from tuwen.core.options import IngestOptions
from tuwen.core.settings import IngestSettings
from tuwen.ingestion.build import build_edition
from tuwen.ingestion.parse import parse_input
from tuwen.ingestion.sniff import find_inputs

pytestmark = pytest.mark.shared


def build(item):
    parsed = parse_input(item, IngestOptions(), IngestSettings())
    return build_edition(parsed, record(item.name))


def test_every_content_list_is_read_and_accounted_for(shared_data):
    read = 0
    for item in find_inputs([shared_data / "mineru"]):
        if item.kind != "mineru":
            continue
        try:
            built = build(item)
        except DocumentError:
            continue
        read += 1
        assert built.account.balanced, item.name
        assert all(c.text.strip() for c in built.edition.chunks), item.name
    assert read > 15


def test_both_list_versions_of_a_parse_give_the_same_chunks(shared_data):
    compared = 0
    for second in sorted((shared_data / "mineru").glob("*/*content_list_v2.json")):
        first = second.with_name(second.name.replace("_v2", ""))
        if first.exists() and second.parent.name.startswith(("naacl", "tw_")):
            one, two = (build(find_inputs([path])[0]).edition for path in (first, second))
            assert one.chunks == two.chunks, second.parent.name
            compared += 1
    assert compared >= 10
