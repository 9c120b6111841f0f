"""Small office files and books of our own, written part by part: no more than a format needs."""

import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from xml.sax.saxutils import escape

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_RELS = f'<Relationships xmlns="{_PACKAGE}/relationships">%s</Relationships>'
_DRAW = "http://schemas.openxmlformats.org/drawingml/2006/main"
_SHOW = "http://schemas.openxmlformats.org/presentationml/2006/main"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_MAIN = "application/vnd.openxmlformats-officedocument"
_ODF = "urn:oasis:names:tc:opendocument:xmlns"

SECTIONS = (
    ("第一章 总则", "水泵应在停机后检修，由值班人员记录。"),
    ("第二章 密封", "机械密封每六个月更换一次，更换时检查轴套。"),
    ("第三章 轴承", "轴承温度不得超过 70 ℃，每班检查一次。"),
)
ROWS = (("部件", "周期"), ("机械密封", "6个月"), ("轴承", "12个月"))


def write_all(folder: Path) -> list[Path]:
    """One file of every format below the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    makers: Mapping[str, Callable[[], Mapping[str, str]]] = {
        "规程.pptx": pptx,
        "规程.xlsx": xlsx,
        "规程.odt": odt,
        "规程.ods": ods,
        "规程.odp": odp,
        "规程.epub": epub,
    }
    return [_packed(folder / name, make()) for name, make in makers.items()]


def _packed(path: Path, entries: Mapping[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in entries.items():
            # The mimetype of EPUB and ODF comes first and is not compressed.
            kind = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(name, text, compress_type=kind)
    return path


def _types(overrides: Mapping[str, str]) -> str:
    listed = "".join(f'<Override PartName="{k}" ContentType="{v}"/>' for k, v in overrides.items())
    rels = "application/vnd.openxmlformats-package.relationships+xml"
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><Types xmlns="{_PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="{rels}"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{listed}</Types>'
    )


def _rel(number: int, kind: str, target: str) -> str:
    return f'<Relationship Id="rId{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'


def _shape(number: int, kind: str, text: str) -> str:
    place = f'<p:ph type="{kind}"/>'
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{kind}"/><p:cNvSpPr/>'
        f"<p:nvPr>{place}</p:nvPr></p:nvSpPr><p:spPr><a:xfrm>"
        f'<a:off x="500000" y="{number * 900000}"/><a:ext cx="8000000" cy="800000"/></a:xfrm>'
        "</p:spPr><p:txBody><a:bodyPr/><a:p><a:r>"
        f"<a:t>{escape(text)}</a:t></a:r></a:p></p:txBody></p:sp>"
    )


def pptx() -> dict[str, str]:
    """A slide for each section: a title and a body."""
    names = f'xmlns:p="{_SHOW}" xmlns:a="{_DRAW}" xmlns:r="{_OFFICE}"'
    kind = f"{_MAIN}.presentationml"
    numbers = range(1, len(SECTIONS) + 1)
    ids = "".join(f'<p:sldId id="{255 + n}" r:id="rId{n}"/>' for n in numbers)
    types = {f"/ppt/slides/slide{n}.xml": f"{kind}.slide+xml" for n in numbers}
    files = {
        "[Content_Types].xml": _types(
            {"/ppt/presentation.xml": f"{kind}.presentation.main+xml", **types}
        ),
        "_rels/.rels": _RELS % _rel(1, "officeDocument", "ppt/presentation.xml"),
        "ppt/presentation.xml": f"<p:presentation {names}><p:sldIdLst>{ids}</p:sldIdLst>"
        '<p:sldSz cx="9144000" cy="6858000"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": _RELS
        % "".join(_rel(n, "slide", f"slides/slide{n}.xml") for n in numbers),
    }
    for number, (title, body) in enumerate(SECTIONS, 1):
        shapes = _shape(2, "title", title) + _shape(3, "body", body)
        files[f"ppt/slides/slide{number}.xml"] = (
            f"<p:sld {names}><p:cSld><p:spTree><p:nvGrpSpPr>"
            '<p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
            f"{shapes}</p:spTree></p:cSld></p:sld>"
        )
    return files


def xlsx() -> dict[str, str]:
    """One sheet with a table."""
    kind = f"{_MAIN}.spreadsheetml"
    cells = [
        "".join(f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>' for value in row)
        for row in ROWS
    ]
    rows = "".join(f'<row r="{n}">{row}</row>' for n, row in enumerate(cells, 1))
    return {
        "[Content_Types].xml": _types(
            {
                "/xl/workbook.xml": f"{kind}.sheet.main+xml",
                "/xl/worksheets/sheet1.xml": f"{kind}.worksheet+xml",
            }
        ),
        "_rels/.rels": _RELS % _rel(1, "officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_OFFICE}"><sheets>'
        '<sheet name="周期" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _RELS % _rel(1, "worksheet", "worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_SHEET}"><sheetData>{rows}</sheetData>'
        "</worksheet>",
    }


def _opendocument(kind: str, body: str) -> dict[str, str]:
    names = " ".join(
        f'xmlns:{short}="{_ODF}:{long}:1.0"'
        for short, long in (
            *(("office", "office"), ("text", "text"), ("table", "table")),
            *(("draw", "drawing"), ("presentation", "presentation"), ("style", "style")),
        )
    )
    mime = f"application/vnd.oasis.opendocument.{kind}"
    return {
        "mimetype": mime,
        "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{_ODF}:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{mime}"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
        "</manifest:manifest>",
        "content.xml": '<?xml version="1.0" encoding="UTF-8"?>'
        f'<office:document-content {names} office:version="1.3"><office:body>{body}'
        "</office:body></office:document-content>",
    }


def _table() -> str:
    rows = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="string"><text:p>{escape(v)}</text:p>'
            "</table:table-cell>"
            for v in row
        )
        + "</table:table-row>"
        for row in ROWS
    )
    return f'<table:table table:name="周期">{rows}</table:table>'


def odt() -> dict[str, str]:
    """Headings, paragraphs and a table."""
    body = "".join(
        f'<text:h text:outline-level="1">{escape(title)}</text:h><text:p>{escape(text)}</text:p>'
        for title, text in SECTIONS
    )
    return _opendocument("text", f"<office:text>{body}{_table()}</office:text>")


def ods() -> dict[str, str]:
    """One sheet with a table."""
    return _opendocument("spreadsheet", f"<office:spreadsheet>{_table()}</office:spreadsheet>")


def odp() -> dict[str, str]:
    """A slide for each section."""
    pages = "".join(
        f'<draw:page draw:name="p{n}"><draw:frame presentation:class="title"><draw:text-box>'
        f"<text:p>{escape(title)}</text:p></draw:text-box></draw:frame><draw:frame>"
        f"<draw:text-box><text:p>{escape(text)}</text:p></draw:text-box></draw:frame></draw:page>"
        for n, (title, text) in enumerate(SECTIONS, 1)
    )
    return _opendocument("presentation", f"<office:presentation>{pages}</office:presentation>")


def epub() -> dict[str, str]:
    """A chapter for each section."""
    numbers = range(1, len(SECTIONS) + 1)
    items = "".join(
        f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>' for n in numbers
    )
    spine = "".join(f'<itemref idref="c{n}"/>' for n in numbers)
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container version="1.0" '
        'xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile '
        'full-path="content.opf" media-type="application/oebps-package+xml"/></rootfiles>'
        "</container>",
        "content.opf": '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" '
        'unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        '<dc:identifier id="id">pump</dc:identifier><dc:title>水泵规程</dc:title>'
        f"<dc:language>zh</dc:language></metadata><manifest>{items}</manifest>"
        f"<spine>{spine}</spine></package>",
    }
    for number, (title, text) in enumerate(SECTIONS, 1):
        files[f"c{number}.xhtml"] = (
            '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>'
            f"<h1>{escape(title)}</h1><p>{escape(text)}</p></body></html>"
        )
    return files
