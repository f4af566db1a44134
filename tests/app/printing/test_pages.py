"""A report on paper: everything is on it, nothing over an edge, headings with what follows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from advisor.outcomes import Verdict
from advisor.plan.planning import make_plan
from advisor.report.document.blocks import (
    Bar,
    Bars,
    Document,
    Framed,
    Heading,
    Item,
    Items,
    Pairs,
    Paragraph,
    Span,
    Table,
    TableRow,
    Verbatim,
    plain,
)
from advisor.report.document.cover import NO_COVER, Cover, Logo, LogoKind
from advisor.report.safe_text import visible
from advisor.report.sections.run_report import report_document
from advisor.wording.advice.evidence_card import of_verdict
from app.printing.columns import columns
from app.printing.pages import Pages, lay_out
from app.printing.pdf import ABOVE, to_pdf
from app.printing.pieces import RowPiece, SetText, TextPiece
from app.printing.sheet import POINT, Paper, Sheet, type_of
from app.printing.typeset import Typesetter
from probes.errors import UsageError
from probes.steps import result_of
from tests.advisor.report.builders import report
from tests.app.printing.pdf_reading import Pdf

LONG = "A sentence that is long enough to be broken into lines on any sheet of paper. " * 40

pytestmark = pytest.mark.usefixtures("qapp")


def real() -> Document:
    told = report()
    return report_document(
        told, make_plan(told.case, of_verdict(told.judgement, Verdict.RECOMMEND))
    )


def made(*blocks: object, cover: Cover = NO_COVER) -> Document:
    return Document("A title", cover, (), "", blocks, "The end.")  # type: ignore[arg-type]


def pages(document: Document, paper: Paper = Paper.A4) -> Pages:
    return result_of(lay_out(document, Sheet(paper)))


@pytest.mark.parametrize("paper", list(Paper))
def test_nothing_reaches_over_the_foot_or_into_another_piece(paper: Paper) -> None:
    found = pages(real(), paper)
    assert found.count > 4
    bottom = found.sheet.margin + found.sheet.room
    for page in found.body:
        assert page.placed
        for above, below in pairwise(page.placed):
            assert above.top + above.piece.height <= below.top + 0.01
        last = page.placed[-1]
        assert last.top + last.piece.height <= bottom + 0.01


@pytest.mark.parametrize("before", range(20, 60, 3))
def test_a_heading_is_never_the_last_of_a_page(before: int) -> None:
    lines = [Paragraph(plain(f"Line {number}.")) for number in range(before)]
    found = pages(made(*lines, Heading(1, "Next", "next"), Paragraph(plain(LONG))))
    for page in found.body:
        assert page.placed[-1].piece.mark is None
    assert [mark.text for mark in found.marks] == ["Next"]


@pytest.mark.parametrize("before", range(20, 60, 2))
def test_a_heading_stays_with_the_card_below_it(before: int) -> None:
    lines = [Paragraph(plain(f"Line {number}.")) for number in range(before)]
    card = Framed((Heading(2, "A card"), *(Paragraph(plain("Its text.")) for _ in range(12))))
    found = pages(made(*lines, Heading(1, "Next", "next"), card))
    for page in found.body:
        assert page.placed[-1].piece.mark is None


@pytest.mark.parametrize("lines", [1, 2, 3])
def test_a_label_is_drawn_whole_however_long_its_text_is(lines: int) -> None:
    label = "What somebody may ask about this setting first " * lines
    pairs = Pairs(((label, "What it says of it. " * 20),))
    (piece,) = Typesetter.of(5000).pieces(pairs)
    image = QImage(500, 200, QImage.Format.Format_Grayscale8)
    image.fill(255)
    painter = QPainter(image)
    painter.scale(1 / POINT, 1 / POINT)
    piece.draw(painter, 0, 0)
    painter.end()
    dark = [y for y in range(200) for x in range(99) if image.pixelColor(x, y).lightness() < 160]
    assert max(dark) > 12 * lines


def test_a_paragraph_over_two_pages_keeps_all_lines_and_two_on_either_side() -> None:
    found = pages(made(*(Paragraph(plain(LONG)) for _ in range(6))))
    cut = [
        each.piece
        for page in found.body
        for each in page.placed
        if isinstance(each.piece, TextPiece)
    ]
    shown: dict[int, list[range]] = {}
    for piece in cut:
        last = piece.text.lines if piece.last < 0 else piece.last
        shown.setdefault(id(piece.text), []).append(range(piece.first, last))
    assert any(len(parts) > 1 for parts in shown.values())
    for parts in shown.values():
        lines = [line for part in parts for line in part]
        assert lines == list(range(len(lines)))
        assert len(parts) == 1 or all(len(part) >= 2 for part in parts)


def test_a_table_over_several_pages_has_its_head_on_each() -> None:
    rows = tuple(TableRow((plain(f"row {n}"), plain(str(n)))) for n in range(150))
    found = pages(made(Table(("name", "figure"), rows, frozenset({0}))))
    assert len(found.body) > 2
    for page in found.body:
        head, first = (each.piece for each in page.placed[:2])
        assert isinstance(head, RowPiece)
        assert head.again is None
        assert isinstance(first, RowPiece)
    shown = [each.piece for page in found.body for each in page.placed[1:]]
    assert sum(isinstance(piece, RowPiece) for piece in shown) == len(rows)


def test_what_is_odd_is_laid_out_and_drawn() -> None:
    found = pages(
        made(
            Verbatim("x" * 30_000 + "\n\n\tend"),
            Items((Item(plain("")), Item(plain("\u202e\x00🙂 日本語 \n two")))),
            Bars("Shares", (Bar("page reads", 0.4, 0.2, 1.7, "20 to 170 %"),)),
            Table(("a", "b"), (TableRow((plain("long " * 900), plain("1"))),), frozenset({0})),
        )
    )
    image = QImage(300, 400, QImage.Format.Format_Grayscale8)
    for number in range(found.count):
        image.fill(255)
        painter = QPainter(image)
        painter.scale(300 / found.sheet.width, 400 / found.sheet.height)
        found.draw(painter, number)
        painter.end()


def test_the_pdf_opens_with_an_outline_of_its_sections() -> None:
    document = replace(real(), cover=Cover("Example Shop", "Jo Doe", "1 May 2026"))
    found, pdf = pages(document), Pdf(to_pdf(document, Sheet()))
    assert len(pdf.pages) == found.count
    assert pdf.size == (595.0, 842.0)
    assert pdf.outline() == [(each.level, each.text, each.page + 1) for each in found.marks]
    sections = [each.text for each in document.blocks if isinstance(each, Heading)]
    assert {text for level, text, _ in pdf.outline() if level == 1} <= set(sections)
    summary = next(page for _, text, page in pdf.outline() if text == "Summary")
    assert summary == 2


def test_a_document_without_headings_opens_too() -> None:
    pdf = Pdf(to_pdf(made(Paragraph(plain("Only this."))), Sheet(Paper.LETTER)))
    assert (len(pdf.pages), pdf.outline()) == (2, [])


def led_to(value: object) -> Iterator[str]:
    """The anchors that the words of a document lead to."""
    if isinstance(value, Span) and value.to:
        yield value.to
    elif isinstance(value, tuple):
        for each in value:
            yield from led_to(each)
    elif is_dataclass(value) and not isinstance(value, type):
        for one in fields(value):
            yield from led_to(getattr(value, one.name))


def test_what_leads_elsewhere_does_so_in_the_pdf() -> None:
    document = real()
    found, pdf = pages(document), Pdf(to_pdf(document, Sheet()))
    wanted = list(led_to(document.blocks))
    assert wanted
    assert {anchor for anchor in wanted if "." in anchor}
    links = [link for page in range(2, found.count + 1) for link in pdf.links(page)]
    assert len(links) >= len(wanted)
    for left, bottom, right, top in (place for place, _, _ in links):
        assert 0 < left < right < 595
        assert 0 < bottom < top < 842
    tops = {
        (number, round(found.sheet.height - each.top))
        for number, page in enumerate(found.body, 2)
        for each in page.placed
        if each.piece.anchor in wanted
    }
    assert {(page, round((up - ABOVE) * POINT)) for _, page, up in links} <= tops


def test_each_section_on_the_cover_leads_to_its_page() -> None:
    document = real()
    pdf = Pdf(to_pdf(document, Sheet()))
    sections = [page for level, _, page in pdf.outline() if level == 1]
    # The name and the page's number.
    assert [page for _, page, _ in pdf.links(1)] == [page for page in sections for _ in range(2)]


def test_a_link_over_two_lines_is_one_on_each_and_one_to_nowhere_is_none() -> None:
    words = (Span("See "), Span("a long name " * 12, to="there"), Span(" or this", to="nowhere"))
    document = made(Paragraph(words), Heading(1, "There", "there", new_page=True))
    pdf = Pdf(to_pdf(document, Sheet()))
    (first, *_), (second, *_) = (place for place, _, _ in pdf.links(2))
    assert first > second == pytest.approx(54.0)


def inked(cover: Cover) -> int:
    """How many dark points the corner has in which a logo stands."""
    sheet = Sheet()
    image = QImage(300, 200, QImage.Format.Format_Grayscale8)
    image.fill(255)
    painter = QPainter(image)
    painter.scale(1 / POINT, 1 / POINT)
    pages(made(cover=cover)).draw(painter, 0)
    painter.end()
    left = round(sheet.margin / POINT)
    return sum(
        image.pixelColor(x, y).lightness() < 128
        for x in range(left, left + 100)
        for y in range(left, left + 50)
    )


def test_a_logo_is_drawn_and_a_damaged_one_is_told(qapp: QApplication, tmp_path: Path) -> None:
    shape = b'<rect width="90" height="30"/>'
    drawn = b'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30">%s</svg>' % shape
    image = QImage(90, 30, QImage.Format.Format_RGB32)
    image.fill(0)
    file = tmp_path / "logo.png"
    assert image.save(str(file))
    assert inked(Cover()) == 0
    assert inked(Cover(logo=Logo(LogoKind.SVG, drawn))) > 1000
    assert inked(Cover(logo=Logo(LogoKind.PNG, file.read_bytes()))) > 1000
    whole = file.read_bytes()
    damaged = whole[:40] + b"\x00" * 20 + whole[60:]
    empty = b'<svg xmlns="http://www.w3.org/2000/svg"/>'
    for logo in (Logo(LogoKind.PNG, damaged), Logo(LogoKind.SVG, empty)):
        # Before anything is drawn: nobody can be told while a window is painted.
        with pytest.raises(UsageError, match="The logo can't be drawn"):
            pages(made(cover=Cover(logo=logo)))


@pytest.mark.parametrize("count", [2, 12, 40])
def test_a_table_of_many_figures_stays_on_the_sheet_and_keeps_them_whole(count: int) -> None:
    heads = ("role", *(f"D{n}" for n in range(count)))
    name = "Random reads of 16 KiB, 64 threads, over all files of the directory"
    row = TableRow((plain(name), *(plain("104 ms") for _ in range(count))))
    sheet = Sheet()
    found = columns(Table(heads, (row,), frozenset({0})), 8.0, sheet.column)
    assert sum(found.widths) == pytest.approx(sheet.column)
    assert found.widths[0] >= 0.2 * sheet.column
    if count <= 12:
        cells = [
            SetText(words, type_of(found.points), width - found.between)
            for words, width in zip(row.cells[1:], found.widths[1:], strict=True)
        ]
        assert {cell.lines for cell in cells} == {1}


def test_a_hostile_name_is_no_more_than_text() -> None:
    evil = "a\x00) /Title (b) >> endobj\u202e \udcff %%EOF trailer\n3 0 obj"
    blocks = (Heading(1, evil, "evil"), Paragraph(plain(evil)))
    document = Document(evil, NO_COVER, ((evil, evil),), evil, blocks, evil)
    pdf = Pdf(to_pdf(document, Sheet()))
    assert pdf.outline() == [(1, visible(evil), 2)]
    assert b"\n3 0 obj\n<<\n/Type /Catalog" in to_pdf(document, Sheet())
    assert len(pdf.pages) == 2
