"""The sample documents hold together: pictures, tables, labels, answers to the questions."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
REPORT = SAMPLES / "青川河水情年报"
HANDBOOK = SAMPLES / "small-hydro-handbook.pdf"
QUESTIONS: list[dict[str, Any]] = json.loads(
    (SAMPLES / "questions.json").read_text(encoding="utf-8")
)["questions"]
CONTENT: list[dict[str, Any]] = json.loads(
    (REPORT / "青川河水情年报_content_list.json").read_text(encoding="utf-8")
)
FURNITURE = {"header", "footer", "page_number", "page_footnote"}
KINDS = {
    "figure",
    "table",
    "text",
    "definition",
    "requirement",
    "formula",
    "follow_up",
    "cross_language",
    "unanswerable",
}


def block_text(block: dict[str, Any]) -> str:
    parts = [block.get("text", ""), *block.get("list_items", [])]
    for kind in ("image", "chart", "table"):
        parts += block.get(f"{kind}_caption", []) + block.get(f"{kind}_footnote", [])
    if block.get("table_body"):
        parts.append(BeautifulSoup(block["table_body"], "html.parser").get_text("\n"))
    return "\n".join(parts)


def squeezed(text: str) -> str:
    """Text without line breaks, as a reader sees a paragraph."""
    return re.sub(r"\s+", " ", text)


def page_text(document: str, page: int | None) -> str:
    if document == REPORT.name:
        blocks = [b for b in CONTENT if b["page_idx"] + 1 == page and b["type"] not in FURNITURE]
        return "\n".join(block_text(b) for b in blocks)
    if document == HANDBOOK.name:
        assert page is not None
        return squeezed(PdfReader(HANDBOOK).pages[page - 1].extract_text())
    assert page is None
    return squeezed((SAMPLES / document).read_text(encoding="utf-8"))


def captions() -> dict[str, int]:
    """Label -> page of every captioned object of the report."""
    found = {}
    for block in CONTENT:
        for kind in ("image", "chart", "table"):
            for caption in block.get(f"{kind}_caption", []):
                found[caption.split(" ")[0]] = block["page_idx"] + 1
    return found


def table_shape(html: str) -> list[int]:
    """How many cells each row has once spans are laid out; equal numbers mean a whole table."""
    rows = BeautifulSoup(html, "html.parser").find_all("tr")
    width = Counter[int]()
    for y, row in enumerate(rows):
        for cell in row.find_all("td"):
            for down in range(int(cell.get("rowspan", "1"))):
                width[y + down] += int(cell.get("colspan", "1"))
    assert max(width) == len(rows) - 1
    return [width[y] for y in range(len(rows))]


def test_every_picture_the_report_names_is_there_and_every_picture_is_named():
    named = {b["img_path"] for b in CONTENT if "img_path" in b}
    there = {f"images/{path.name}" for path in (REPORT / "images").iterdir()}
    assert named == there
    assert all((REPORT / name).read_bytes().startswith(b"\xff\xd8") for name in named)


def test_report_blocks_have_boxes_on_the_page_and_pages_in_order():
    pages = [b["page_idx"] for b in CONTENT]
    assert pages == sorted(pages)
    assert set(pages) == set(range(10))
    for block in CONTENT:
        x0, y0, x1, y1 = block["bbox"]
        assert 0 <= x0 < x1 <= 1000
        assert 0 <= y0 < y1 <= 1000


def test_report_has_every_kind_of_block():
    kinds = {b["type"] for b in CONTENT}
    assert kinds >= FURNITURE | {"text", "image", "chart", "table", "equation", "list"}
    assert {b["text_level"] for b in CONTENT if "text_level" in b} == {1, 2, 3}


def test_report_tables_are_rectangular_and_some_cells_are_joined():
    bodies = [b["table_body"] for b in CONTENT if b["type"] == "table"]
    assert all(len(set(table_shape(body))) == 1 for body in bodies)
    assert any("rowspan" in body and "colspan" in body for body in bodies)


def test_every_label_in_the_running_text_names_an_object_of_the_report():
    text = "\n".join(b["text"] for b in CONTENT if b["type"] == "text")
    mentioned = set(re.findall(r"[图表]\d+\.\d+", text))
    assert mentioned == set(captions())


def test_table_of_contents_names_the_right_pages():
    headings = {b["text"]: b["page_idx"] + 1 for b in CONTENT if b.get("text_level") == 1}
    lines = next(b["list_items"] for b in CONTENT if b["type"] == "list")
    assert len(lines) == 4
    for line in lines:
        title, page = line.split(" …… ")
        assert headings[title] == int(page)


def test_monthly_runoff_adds_up_to_the_year():
    body = next(b["table_body"] for b in CONTENT if "表2.1" in str(b.get("table_caption")))
    rows = [
        [c.get_text() for c in r.find_all("td")] for r in BeautifulSoup(body, "html.parser")("tr")
    ]
    *months, year = [float(row[-1]) for row in rows[2:]]
    assert len(months) == 12
    assert sum(months) == pytest.approx(year, abs=0.005)


def test_handbook_has_outline_labels_captions_and_pictures():
    reader = PdfReader(HANDBOOK)
    assert reader.page_labels == ["i", "ii", "1", "2", "3", "4", "5"]
    top = [entry["/Title"] for entry in reader.outline if not isinstance(entry, list)]
    assert top[2:] == [
        "1 Introduction",
        "2 Site Assessment",
        "3 Turbine Selection",
        "4 Operation and Maintenance",
        "5 Safety",
    ]
    assert [len(page.images) for page in reader.pages] == [0, 0, 0, 1, 1, 1, 0]


def test_pictures_of_the_notes_are_there():
    notes = sorted((SAMPLES / "notes").glob("*.md"))
    assert len(notes) == 3
    links = [
        path.parent / link
        for path in notes
        for link in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", path.read_text(encoding="utf-8"))
    ]
    assert links
    assert all(link.is_file() for link in links)


def test_questions_cover_every_kind_in_both_languages_and_ids_are_unique():
    assert {q["kind"] for q in QUESTIONS} == KINDS
    assert {q["language"] for q in QUESTIONS} == {"zh", "en"}
    assert len({q["id"] for q in QUESTIONS}) == len(QUESTIONS)
    assert all(q["history"] for q in QUESTIONS if q["kind"] == "follow_up")


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q["id"])
def test_answer_and_label_stand_on_the_stated_pages(question: dict[str, Any]):
    if question["kind"] == "unanswerable":
        assert question["answer"] is question["document"] is question["page"] is None
        assert question["label"] not in captions()
        return
    assert question["answer"] in page_text(question["document"], question["page"])
    label, page = question["label"], question["label_page"]
    if label is None:
        assert page is None
    elif question["document"] == REPORT.name:
        assert captions()[label] == page
    else:
        # A caption starts its line and goes on with a capital letter; no mention does both.
        text = PdfReader(HANDBOOK).pages[page - 1].extract_text()
        assert re.search(rf"(?m)^\s*{re.escape(label)} [A-Z]", text)


def test_samples_stay_small():
    files = [p for p in SAMPLES.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    assert sum(path.stat().st_size for path in files) < 1_500_000
