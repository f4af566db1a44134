"""A report on paper: everything is on it, nothing over an edge, headings with what follows."""

from __future__ import annotations

import re
import struct
import tempfile
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

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
    ParagraphRole,
    Table,
    TableRow,
    TextSpan,
    Verbatim,
    plain,
)
from advisor.report.document.cover import Cover, Logo, LogoKind
from advisor.report.document.templates import Paper
from advisor.report.forms.pdf import to_pdf
from advisor.report.safe_text import visible
from probes.errors import LeadlineError, UsageError
from tests.advisor.report.forms.documents import made, real
from tests.advisor.report.forms.pdf_reading import Pdf
from tests.each import some_of

LONG = "A sentence that is long enough to be broken into lines on any sheet of paper. " * 40
MARGIN, FOOT = 54, 84
"""Points to either side and above, and below."""


def read(document: Document, paper: Paper = Paper.A4) -> Pdf:
    return Pdf(to_pdf(document, paper))


def spaced(text: str) -> str:
    """The text with one space between words, however its lines were broken."""
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("paper", some_of(Paper, 1))
def test_nothing_reaches_over_an_edge(paper: Paper) -> None:
    pdf = read(real(), paper)
    assert pdf.size == {Paper.A4: (595, 842), Paper.LETTER: (612, 792)}[paper]
    assert len(pdf.pages) > 4
    width, height = pdf.size
    for page in range(2, len(pdf.pages) + 1):
        places = pdf.places(page)
        assert places
        for text, left, up in places:
            assert MARGIN - 1 < left < width - MARGIN, text
            foot = text.strip().startswith(("Page ", "Storage and InnoDB"))
            assert (40 if foot else FOOT) < up < height - MARGIN, text


@pytest.mark.parametrize("before", some_of(range(30, 56, 5), 2))
def test_a_heading_is_never_the_last_of_a_page(before: int) -> None:
    lines = [Paragraph(plain(f"Line {number}.")) for number in range(before)]
    card = Framed((Heading(2, "A card"), *(Paragraph(plain("Its text.")) for _ in range(12))))
    command = (Paragraph(plain("write it"), ParagraphRole.LABEL), Verbatim("one\ntwo\nthree"))
    for rest in ((Paragraph(plain(LONG)),), (card,), command):
        pdf = read(made(*lines, Heading(1, "Next", "next"), *rest))
        for page in range(2, len(pdf.pages) + 1):
            assert pdf.lines(page)[-1] not in {"Next", "A card", "write it", "one"}


@pytest.mark.parametrize("before", range(24, 48, 4))
def test_what_belongs_together_stays_so_unless_that_leaves_a_hole(before: int) -> None:
    lines = [Paragraph(plain(f"Line {number}.")) for number in range(before)]
    card = Framed((Heading(2, "A card"), *(Paragraph(plain(f"Of it {n}.")) for n in range(8))))
    pdf = read(made(*lines, card))
    pages = [set(pdf.lines(page)) for page in range(2, len(pdf.pages) + 1)]
    (whole,) = (page for page in pages if "A card" in page)
    assert {f"Of it {n}." for n in range(8)} <= whole


def test_a_section_begins_a_page_unless_that_is_hardly_begun() -> None:
    for lines, page in ((2, 2), (30, 3)):
        above = [Paragraph(plain(f"Line {number}.")) for number in range(lines)]
        pdf = read(made(*above, Heading(1, "Next", "next", new_page=True)))
        assert pdf.outline() == [(1, "Next", page)]


@pytest.mark.parametrize("lines", [1, 2, 3])
def test_a_label_is_there_whole_however_long_its_text_is(lines: int) -> None:
    label = "What somebody may ask about this setting first " * lines
    text = spaced(read(made(Pairs(((label, "What it says of it. " * 20),)))).text(2))
    for word in label.split():
        assert text.count(word) >= lines


def test_a_paragraph_over_two_pages_keeps_all_words_and_two_lines_on_either_side() -> None:
    pdf = read(made(*(Paragraph(plain(f"{n}: {LONG}")) for n in range(6))))
    pages = [pdf.lines(page) for page in range(2, len(pdf.pages) + 1)]
    assert spaced(" ".join(line for page in pages for line in page)).count("any sheet") == 6 * 40
    for page in pages[1:]:
        first = next((at for at, line in enumerate(page) if re.match(r"\d: ", line)), 2)
        assert first == 0 or first >= 2


def test_a_table_over_several_pages_has_its_head_on_each() -> None:
    rows = tuple(TableRow((plain(f"row {n}"), plain(str(n)))) for n in range(150))
    pdf = read(made(Table(("name", "figure"), rows, frozenset({0}))))
    assert len(pdf.pages) > 3
    whole = ""
    for page in range(2, len(pdf.pages) + 1):
        text = spaced(pdf.text(page))
        assert text.startswith("name figure row")
        assert text.count("name figure") == 1
        whole += text + " "
    assert all(f"row {n} {n} " in whole for n in range(150))


@pytest.mark.long
def test_what_is_odd_is_laid_out_and_nothing_of_it_is_lost() -> None:
    word = "innodb_" * 90
    pdf = read(
        made(
            Verbatim("x" * 30_000 + "\n\n\tend"),
            Paragraph(plain(word)),
            Items((Item(plain("")), Item(plain("\u202e\x00🙂 日本語 \n two")))),
            Bars("Shares", (Bar("page reads", 0.4, 0.2, 1.7, "20 to 170 %"),)),
            Table(("a", "b"), (TableRow((plain("long " * 5000), plain("1"))),), frozenset({0})),
            Heading(2, word),
        )
    )
    text = "".join(pdf.text(page) for page in range(2, len(pdf.pages) + 1)).replace("\n", "")
    assert text.count("x" * 30_000) == 1
    assert text.count(word) == 2
    assert len(re.findall("long", text)) == 5000


def test_the_pdf_has_an_outline_of_its_sections_and_says_whose_it_is() -> None:
    document = replace(real(), cover=Cover("Example Shop", "Jo Doe", "1 May 2026"))
    pdf = read(document)
    assert (pdf.title, pdf.author, pdf.language) == (document.title, "Jo Doe", "en")
    for said in ("Example Shop", "Jo Doe", "1 May 2026"):
        assert said in pdf.text(1)
    assert [text for level, text, _ in pdf.outline() if level == 1] == [
        each.text for each in document.blocks if isinstance(each, Heading) and each.level == 1
    ]
    assert "1. Set innodb_flush_method to O_DIRECT" in {
        text for level, text, _ in pdf.outline() if level == 2
    }
    assert next(page for _, text, page in pdf.outline() if text == "What to decide") == 2
    for _, text, page in pdf.outline():
        assert spaced(text) in spaced(pdf.text(page))


def test_a_document_without_headings_opens_too() -> None:
    pdf = read(made(Paragraph(plain("Only this."))), Paper.LETTER)
    assert (len(pdf.pages), pdf.outline()) == (2, [])


def test_what_leads_elsewhere_does_so_in_the_pdf() -> None:
    rows = tuple(TableRow((plain(f"row {n}"), plain("1")), anchor=f"point-{n}") for n in range(150))
    there = Framed((Heading(2, "A card"),), anchor="rule.card")
    listed = Items((Item(plain("found"), anchor="finding-1"),))
    names = ("point-140", "rule.card", "finding-1", "part")
    words = tuple(TextSpan(f"{name} ", to=name) for name in names)
    table = Table(("name", "figure"), rows, frozenset({0}))
    pdf = read(made(Paragraph(words), table, there, listed, Heading(1, "Part", "part")))
    links = pdf.links(2)
    assert len(links) == len(names)
    for text, link in zip(("row 140", "A card", "found", "Part"), links, strict=True):
        assert 0 < link.left < link.right < 595
        assert 0 < link.bottom < link.top < 842
        shown = [up for said, _, up in pdf.places(link.to_page) if text in said]
        assert any(0 < link.to_height - up < 30 for up in shown), text


def test_each_section_on_the_cover_leads_to_its_page() -> None:
    pdf = read(real())
    sections = [page for level, _, page in pdf.outline() if level == 1]
    assert [link.to_page for link in pdf.links(1)] == sections
    assert re.findall(r" (\d+)$", pdf.text(1), re.MULTILINE)[-len(sections) :] == [
        str(page) for page in sections
    ]


def test_a_link_over_two_lines_is_one_on_each_and_one_to_nowhere_is_none() -> None:
    words = (
        TextSpan("See "),
        TextSpan("a long name " * 12, to="there"),
        TextSpan(" or this", to="nowhere"),
    )
    document = made(Paragraph(words), Heading(1, "There", "there"), Heading(1, "Too", "there"))
    first, second = read(document).links(2)
    assert first.left > second.left == pytest.approx(MARGIN)


def chunk(kind: bytes, content: bytes) -> bytes:
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)


def test_a_logo_is_drawn_and_a_damaged_one_is_told() -> None:
    shape = b'<rect width="90" height="30"/>'
    drawing = b'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30">%s</svg>' % shape
    head = struct.pack(">IIBBBBB", 90, 30, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + bytes(90)) * 30)
    whole = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    assert Pdf(to_pdf(made(), Paper.A4)).pictures() == []
    assert (90, 30) in read(made(cover=Cover(logo=Logo(LogoKind.PNG, whole)))).pictures()
    drawn = to_pdf(made(cover=Cover(logo=Logo(LogoKind.SVG, drawing))), Paper.A4)
    assert len(drawn) > len(to_pdf(made(), Paper.A4))
    damaged = whole[:45] + bytes(8) + whole[53:]
    for logo in (Logo(LogoKind.PNG, damaged), Logo(LogoKind.SVG, b"<svg>")):
        with pytest.raises(UsageError, match="The logo can't be drawn"):
            to_pdf(made(cover=Cover(logo=logo)), Paper.A4)


NAME, SERVER = "innodb_redo_log_capacity", "reporting-replica-of-the-warehouse-in-the-north"


def test_a_name_in_a_table_is_whole_or_parted_where_it_has_a_sign() -> None:
    cells = (SERVER, f"{NAME}: 100 MiB", LONG[:300], "high, urgent", "DBA", "within a week")
    wide = TableRow(tuple(map(plain, cells)))
    pdf = read(made(Table(("a", "b", "c", "d", "e", "f"), (wide,), frozenset(range(6)), True)))
    lines = [line.strip() for line in pdf.lines(2)]
    assert f"{NAME}:" in lines
    assert lines[-1] == "high, urgent DBA within a week"
    name = lines[1 : lines.index(f"{NAME}:")]
    assert "".join(name) == SERVER
    assert len(name) > 1 and all(part.endswith("-") for part in name[:-1])


def test_a_word_that_no_column_holds_is_broken_and_none_of_it_is_lost() -> None:
    word = "x" * 150
    row = TableRow((plain(word), plain(LONG[:200]), plain(NAME)))
    pdf = read(made(Table(("a", "b", "c"), (row,), frozenset(range(3)))))
    assert "".join(pdf.text(2).split()).count("x") >= len(word)
    assert NAME in pdf.text(2)


def test_a_long_name_takes_its_room_from_all_other_texts_alike() -> None:
    row = TableRow((plain(LONG[:200]), plain(LONG[:250]), plain(f"{'x' * 44} {LONG[:300]}")))
    table = Table(("a", "b", "c"), (row,), frozenset(range(3)))
    heads = {text.strip(): left for text, left, _ in read(made(table)).places(2)}
    assert heads["b"] - heads["a"] == pytest.approx(heads["c"] - heads["b"], abs=1)


def test_figures_alone_stand_evenly_over_the_sheet() -> None:
    table = Table(("a", "b", "c"), (TableRow(tuple(map(plain, ("1", "22", "333")))),), frozenset())
    heads = {text.strip(): left for text, left, _ in read(made(table)).places(2)}
    assert heads["b"] - heads["a"] == pytest.approx(heads["c"] - heads["b"], abs=12)


def test_many_short_terms_stand_in_two_columns() -> None:
    rows = tuple((f"term {n}", f"meaning {n}") for n in range(1, 6))
    places = {text: (left, at) for text, left, at in read(made(Pairs(rows, small=True))).places(2)}
    assert places["term 1"][1] == places["term 4"][1]
    assert places["term 1"][0] == MARGIN < 595 / 2 < places["term 4"][0]


def test_a_long_line_of_confidentiality_leaves_the_logo_alone() -> None:
    drawing = b'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="3"><rect/></svg>'
    line = "Strictly confidential, for the board of the company alone. " * 2
    cover = Cover(confidential=line.strip(), logo=Logo(LogoKind.SVG, drawing))
    head = [left for text, left, at in read(made(text_block(), cover=cover)).places(2) if at > 780]
    assert head
    assert min(head) > MARGIN + 120


def text_block() -> Paragraph:
    return Paragraph(plain("A sentence."))


@pytest.mark.parametrize("count", [2, 12, 40])
def test_a_table_of_many_figures_stays_on_the_sheet_and_keeps_them_whole(count: int) -> None:
    heads = ("role", *(f"D{n}" for n in range(count)))
    name = "Random reads of 16 KiB, 64 threads, over all files of the directory"
    row = TableRow((plain(name), *(plain("104 ms") for _ in range(count))))
    pdf = read(made(Table(heads, (row,), frozenset({0}))))
    assert all(left < 595 - MARGIN for _, left, _ in pdf.places(2))
    if count <= 12:
        assert pdf.text(2).count("104 ms") == count


def test_a_hostile_name_is_no_more_than_text() -> None:
    evil = (
        "a\x00) /Title (b) >> endobj\u202e \udcff %%EOF trailer\n3 0 obj "
        '#panic("x") $x$ `raw` *b* <label> @ref #include "/etc/passwd" \\u{41} https://a.example'
    )
    blocks = (
        Heading(1, evil, evil),
        Paragraph((TextSpan(evil, to=evil),)),
        Pairs(((evil, evil),)),
        Table((evil,), (TableRow((plain(evil),), anchor=evil),), frozenset({0})),
        Verbatim(evil),
        Bars(evil, (Bar(evil, 0.4, 0.2, 0.5, evil),)),
    )
    document = Document(evil, Cover(evil, evil), ((evil, evil),), evil, blocks, evil)
    pdf = read(document)
    assert pdf.outline() == [(1, visible(evil), 2)]
    text = "".join(pdf.text(page) for page in range(1, len(pdf.pages) + 1)).replace("\n", "")
    assert text.count('#panic("x") $x$ `raw` *b* <label>') > 3
    assert {link.to_page for link in pdf.links(2)} == {2}


def test_letters_of_europe_need_no_font_of_the_system() -> None:
    names = "Zoë Müller, Łódź, Пример, Παράδειγμα → ≥ 100 µs"
    document = made(Paragraph(plain(names)), cover=Cover(names))
    assert names in read(document).text(1)
    assert names in read(document).text(2)


def test_names_from_right_to_left_are_read_back() -> None:
    assert "שלום" in read(made(cover=Cover("for שלום"))).text(1)


def test_a_folder_that_takes_nothing_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(LeadlineError, match="The PDF can't be made: No such file"):
        to_pdf(made(), Paper.A4)
