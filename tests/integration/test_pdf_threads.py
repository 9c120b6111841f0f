"""Several PDFs are read at once, and PDFium must not be entered by two threads."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.integration

SAMPLE = Path(__file__).parents[2] / "samples" / "small-hydro-handbook.pdf"
PROGRAM = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tuwen.ingestion.parsers.pdf import PageTexts, inspect

path = Path(sys.argv[1])


def look(number):
    facts = inspect(path)
    with PageTexts(path) as texts:
        return facts.pages, texts.inside(number % facts.pages, (0, 0, 1, 1))[:20]


with ThreadPoolExecutor(6) as pool:
    seen = list(pool.map(look, range(60)))
assert len({pages for pages, _ in seen}) == 1
assert len(set(seen)) <= seen[0][0]
print("read", len(seen))
"""


def test_threads_that_read_pdfs_at_once_do_not_end_the_process():
    # In a process of its own: what goes wrong here is a segmentation fault.
    command = [sys.executable, "-c", PROGRAM, str(SAMPLE)]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert ended.stdout.strip() == "read 60"
