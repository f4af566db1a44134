"""A PDF's outline (its bookmarks) and the links inside it, which Qt can't write: added behind.

PDF lets a file be changed by what is appended to it: new objects, the old root in a new version,
and a table of where these stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A line of the outline: level from 1, text, page from 0, and points above the page's end."""

    level: int
    text: str
    page: int
    up: float


@dataclass(frozen=True, slots=True)
class Jump:
    """A place that leads to another one: pages from 0, points from the page's lower left corner.

    ``place`` is left, bottom, right and top; ``to_up`` is shown at the top then.
    """

    page: int
    place: tuple[float, float, float, float]
    to_page: int
    to_up: float


def with_navigation(pdf: bytes, bookmarks: Sequence[Bookmark], jumps: Sequence[Jump]) -> bytes:
    """The file with an outline, shown when it is opened, and links.

    Raises ValueError where ``pdf`` is none as Qt writes them.
    """
    trailer = re.search(rb"trailer\s*<<(.*?)>>\s*startxref\s+(\d+)\s+%%EOF\s*$", pdf, re.DOTALL)
    if trailer is None:
        raise ValueError("the file has no trailer")
    root, size = _number(rb"/Root\s+(\d+) 0 R", trailer[1]), _number(rb"/Size\s+(\d+)", trailer[1])
    catalog = _object(pdf, root)
    pages = _object(pdf, _number(rb"/Pages\s+(\d+) 0 R", catalog))
    kids = [int(each) for each in re.findall(rb"(\d+) 0 R", _kids(pages))]
    made = dict(_items(bookmarks, kids, size))
    inside = catalog.strip().removeprefix(b"<<").removesuffix(b">>")
    made[root] = b"<<%s\n/Outlines %d 0 R\n/PageMode /UseOutlines\n>>" % (inside, size)
    made.update(_links(pdf, jumps, kids))
    return pdf + _appended(made, len(pdf), trailer[1], int(trailer[2]))


def _items(
    bookmarks: Sequence[Bookmark], kids: Sequence[int], first: int
) -> list[tuple[int, bytes]]:
    """The outline as object ``first``, and its lines as those that follow."""
    numbers = [first + 1 + at for at in range(len(bookmarks))]
    parents = _parents(bookmarks)
    below: dict[int, list[int]] = {}
    for at, parent in enumerate(parents):
        below.setdefault(parent, []).append(at)
    top = below.get(-1, [])
    ends = b"/First %d 0 R /Last %d 0 R " % (numbers[top[0]], numbers[top[-1]]) if top else b""
    found = [(first, b"<</Type /Outlines %s/Count %d>>" % (ends, len(top)))]
    for at, each in enumerate(bookmarks):
        beside = below[parents[at]]
        place = beside.index(at)
        parent = first if parents[at] < 0 else numbers[parents[at]]
        parts = [b"/Title %s" % _text(each.text), b"/Parent %d 0 R" % parent]
        parts.append(b"/Dest [%d 0 R /XYZ null %.2f null]" % (kids[each.page], each.up))
        if place:
            parts.append(b"/Prev %d 0 R" % numbers[beside[place - 1]])
        if place + 1 < len(beside):
            parts.append(b"/Next %d 0 R" % numbers[beside[place + 1]])
        if inner := below.get(at):
            # A count below none: what is inside is folded at first.
            ends = b"/First %d 0 R /Last %d 0 R" % (numbers[inner[0]], numbers[inner[-1]])
            parts.append(b"%s /Count -%d" % (ends, len(inner)))
        found.append((numbers[at], b"<<%s>>" % b" ".join(parts)))
    return found


def _links(pdf: bytes, jumps: Sequence[Jump], kids: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """The list of links of each page that has some, in place of the empty one that Qt gives it."""
    for page in sorted({each.page for each in jumps}):
        held = _number(rb"/Annots\s+(\d+) 0 R", _object(pdf, kids[page]))
        links = (
            b"<</Type /Annot /Subtype /Link /Border [0 0 0] /Rect [%.2f %.2f %.2f %.2f] "
            b"/Dest [%d 0 R /XYZ null %.2f null]>>" % (*each.place, kids[each.to_page], each.to_up)
            for each in jumps
            if each.page == page
        )
        yield held, b"[%s]" % b"\n".join(links)


def _parents(bookmarks: Sequence[Bookmark]) -> list[int]:
    """For each the last one before it that stands above it, -1 for none."""
    found, open_ = [], list[int]()
    for at, each in enumerate(bookmarks):
        while open_ and bookmarks[open_[-1]].level >= each.level:
            open_.pop()
        found.append(open_[-1] if open_ else -1)
        open_.append(at)
    return found


def _appended(made: Mapping[int, bytes], start: int, trailer: bytes, before: int) -> bytes:
    """The objects, where each of them stands, and a trailer that leads to the table before."""
    body, table = b"", b"xref\n"
    for number, content in sorted(made.items()):
        table += b"%d 1\n%010d 00000 n \n" % (number, start + len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    size = max(made) + 1
    kept = re.sub(rb"/Size\s+\d+", b"/Size %d" % size, trailer).strip()
    end = b"trailer\n<<\n%s\n/Prev %d\n>>\nstartxref\n%d\n%%%%EOF\n"
    return body + table + end % (kept, before, start + len(body))


def _object(pdf: bytes, number: int) -> bytes:
    found = re.search(rb"(?:^|\n)%d 0 obj\s*(.*?)\s*endobj" % number, pdf, re.DOTALL)
    if found is None:
        raise ValueError(f"the file has no object {number}")
    return found[1]


def _kids(pages: bytes) -> bytes:
    found = re.search(rb"/Kids\s*\[(.*?)\]", pages, re.DOTALL)
    if found is None:
        raise ValueError("the file has no pages")
    return found[1]


def _number(pattern: bytes, content: bytes) -> int:
    found = re.search(pattern, content)
    if found is None:
        raise ValueError("the file lacks what is looked up in it")
    return int(found[1])


def _text(text: str) -> bytes:
    """As PDF writes texts of any language."""
    return b"<FEFF%s>" % text.encode("utf-16-be", "replace").hex().upper().encode()
