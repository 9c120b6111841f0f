"""The pages that are left of a PDF that was cut off: its objects under a page tree of our own.

A PDF's index stands at its end; without it no reader opens the file, though most pages are whole.
ISO 32000-1, 7.5: objects, object streams, trailer.
"""

import re
import zlib
from collections.abc import Iterator, Mapping
from itertools import count

_OBJECT = re.compile(rb"(?<![\d.])(\d{1,8})\s+\d{1,5}\s+obj\b")
_PAGE = re.compile(rb"/Type\s*/Page(?![A-Za-z])")
_PAGES = re.compile(rb"/Type\s*/Pages(?![A-Za-z])")
_BUNDLE = re.compile(rb"/Type\s*/ObjStm\b")
_KIDS = re.compile(rb"/Kids\s*\[([^\]]*)\]")
_REFERENCE = re.compile(rb"(\d+)\s+\d+\s+R\b")
_PARENT = re.compile(rb"/Parent\s+(\d+)\s+\d+\s+R\b")
_NUMBER = {name: re.compile(rb"/" + name + rb"\s+(\d+)") for name in (b"N", b"First")}
_BLANK = b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 595 842]/Resources<<>>>>"
_MOST_BYTES = 256 << 20


def salvaged(data: bytes) -> tuple[bytes, int] | None:
    """A PDF of the pages found in `data`, and how many; None when there is none.

    A page that is lost before one that is not becomes a blank page: page numbers never shift.
    """
    objects = _objects(data)
    order = _pages(objects)
    if not order:
        return None
    fresh = count(max(objects) + 1)
    root, catalog = next(fresh), next(fresh)
    whole = {n: _adopted(objects[n], objects, root) for n in order if n in objects}
    kids = [n if n in whole else next(fresh) for n in order]
    blanks = {n: _BLANK % root for n in kids if n not in whole}
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    ours = {
        root: b"<</Type/Pages/Count %d/MediaBox[0 0 595 842]/Kids[%s]>>" % (len(kids), listed),
        catalog: b"<</Type/Catalog/Pages %d 0 R>>" % root,
    }
    return _written({**objects, **whole, **blanks, **ours}, catalog), len(whole)


def _objects(data: bytes) -> dict[int, bytes]:
    """Whole objects by number; a later one replaces an earlier one, as updates do."""
    found: dict[int, bytes] = {}
    at = 0
    while (head := _OBJECT.search(data, at)) is not None:
        end = _end(data, head.end())
        if end < 0:
            break
        found[int(head.group(1))] = data[head.end() : end].strip()
        at = end
    for body in list(found.values()):
        if _BUNDLE.search(body[:400]):
            for number, inner in _bundled(body):
                found.setdefault(number, inner)
    return found


def _end(data: bytes, start: int) -> int:
    """Where the object's body ends; the words may stand inside a stream's bytes."""
    end = data.find(b"endobj", start)
    stream = data.find(b"stream", start, end if end >= 0 else len(data))
    if stream < 0:
        return end
    closed = data.find(b"endstream", stream)
    return data.find(b"endobj", closed) if closed >= 0 else -1


def _bundled(body: bytes) -> Iterator[tuple[int, bytes]]:
    """(number, body) of the objects in an object stream."""
    head, _, rest = body.partition(b"stream")
    counts = {name: pattern.search(head) for name, pattern in _NUMBER.items()}
    most, first = counts[b"N"], counts[b"First"]
    if most is None or first is None:
        return
    try:
        raw = rest.lstrip(b"\r\n")
        plain = zlib.decompressobj().decompress(raw, _MOST_BYTES) if b"Flate" in head else raw
    except zlib.error:
        return
    start = int(first.group(1))
    numbers = [int(word) for word in plain[:start].split() if word.isdigit()]
    pairs = list(zip(numbers[::2], numbers[1::2], strict=False))[: int(most.group(1))]
    ends = [offset for _, offset in pairs[1:]] + [len(plain) - start]
    for (number, offset), end in zip(pairs, ends, strict=True):
        yield number, plain[start + offset : start + end].strip()


def _pages(objects: Mapping[int, bytes]) -> list[int]:
    """Page objects in order: as the page trees that are left list them, then as they stand."""
    heads = {n: _head(body) for n, body in objects.items()}
    whole = {n: None for n, head in heads.items() if _PAGE.search(head)}
    trees = {n for n, head in heads.items() if _PAGES.search(head)}
    roots = [n for n in trees if _parent(objects[n]) not in trees]
    listed: list[int] = []
    for number in sorted(roots):
        listed.extend(_leaves(number, objects, trees, set()))
    order = list(dict.fromkeys([*listed, *whole]))
    last = max((place for place, n in enumerate(order) if n in whole), default=-1)
    return order[: last + 1]


def _leaves(
    number: int, objects: Mapping[int, bytes], trees: set[int], seen: set[int]
) -> Iterator[int]:
    seen.add(number)
    kids = _KIDS.search(objects[number])
    for match in _REFERENCE.finditer(kids.group(1) if kids else b""):
        kid = int(match.group(1))
        if kid in trees and kid not in seen:
            yield from _leaves(kid, objects, trees, seen)
        elif kid not in trees:
            yield kid


def _head(body: bytes) -> bytes:
    return body.partition(b"stream")[0]


def _parent(body: bytes) -> int:
    found = _PARENT.search(_head(body))
    return int(found.group(1)) if found else -1


def _adopted(page: bytes, objects: Mapping[int, bytes], root: int) -> bytes:
    """The page under our tree where its own is lost; else it inherits as before."""
    return page if _parent(page) in objects else _PARENT.sub(b"/Parent %d 0 R" % root, page)


def _written(objects: Mapping[int, bytes], catalog: int) -> bytes:
    out = bytearray(b"%PDF-1.7\n")
    places = {}
    for number in sorted(objects):
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    start = len(out)
    size = max(objects) + 1
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in places.items():
        out += b"%d 1\n%010d 00000 n \n" % (number, place)
    out += b"trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, catalog, start)
    return bytes(out)
