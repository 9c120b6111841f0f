"""Sheets of an Excel file that are hidden: the engine leaves them out."""

import zipfile
from pathlib import Path
from xml.etree.ElementTree import ParseError, fromstring

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_MOST_BYTES = 8 << 20
_MOST_NAMED = 8


def hidden_note(path: Path) -> tuple[str, ...]:
    """A warning that names the workbook's hidden sheets; empty where there are none."""
    try:
        with zipfile.ZipFile(path) as archive:
            if archive.getinfo("xl/workbook.xml").file_size > _MOST_BYTES:
                return ()
            book = fromstring(archive.read("xl/workbook.xml"))
    except (OSError, KeyError, ParseError, zipfile.BadZipFile):
        return ()
    sheets = book.iter(f"{_MAIN}sheet")
    names = [s.get("name", "") for s in sheets if s.get("state", "visible") != "visible"]
    if not names:
        return ()
    more = " …" if len(names) > _MOST_NAMED else ""
    shown = ", ".join(names[:_MOST_NAMED]) + more
    return (f"{len(names)} hidden sheet(s) left out: {shown}. Unhide them to have them read.",)
