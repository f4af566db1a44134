"""What drives would do for a server is drawn in the comparison's report, with what is expected."""

from __future__ import annotations

from dataclasses import replace

from advisor.compare import compare
from advisor.forecasts.under import under_server
from advisor.report.document.blocks import Document, Graph, Paragraph, ParagraphRole
from advisor.report.document.cover import Cover
from advisor.report.document.plot import BOTTOM, HEIGHT
from advisor.report.forms.html import page
from advisor.report.sections.comparison_report import comparison_document
from advisor.wording.forecasts.drive_answer import drive_answer
from advisor.wording.forecasts.under import sentences
from tests.advisor.forecasts.test_under import QUICK, WIDE, drive, server

UNKNOWN = drive("small", (1_000, 2_000, 3_000, 4_000, 5_000), block=4096)
"""A drive of another page size, which no forecast can be made of."""


def graph_of(document: Document) -> Graph:
    headed = [getattr(block, "text", "") for block in document.blocks]
    after = document.blocks[headed.index("Under a server") :]
    return next(block for block in after if isinstance(block, Graph))


def test_each_drive_is_a_line_with_the_range_that_is_expected() -> None:
    drives = (QUICK, UNKNOWN, WIDE)
    found = under_server(server(), drives, {})
    graph = graph_of(comparison_document(compare(drives), under=found))
    assert graph.names == ("A: quick", "", "C: wide")
    rates = graph.plots[0]
    assert rates.below == "connections"
    assert [bool(line.marks) for line in rates.lines] == [True, False, True]
    for line, entrant in zip(rates.lines, found.entrants, strict=True):
        steps = () if entrant.found is None else entrant.found.after.steps
        for mark, step in zip(line.marks, steps, strict=True):
            assert mark.label.startswith(f"{step.threads} connection")
            assert mark.reach is None or mark.reach[0] <= mark.y <= mark.reach[1]
            assert mark.y <= HEIGHT - BOTTOM
    assert any(mark.reach for line in rates.lines for mark in line.marks)


def test_more_queries_stand_higher() -> None:
    found = under_server(server(), (QUICK, WIDE), {})
    document = comparison_document(compare((QUICK, WIDE)), under=found)
    quick, wide = graph_of(document).plots[0].lines
    # Up to the first crossing the quick drive is ahead, from the second on the wide one.
    assert quick.marks[0].y < wide.marks[0].y
    assert quick.marks[-1].y > wide.marks[-1].y


def test_the_first_page_begins_with_what_the_server_gains() -> None:
    found = under_server(server(), (QUICK, WIDE), {QUICK.key: 100.0, WIDE.key: 300.0})
    live = replace(found.live, case=replace(found.live.case, target="db7"))
    found = replace(found, live=live)
    compared_ = compare((QUICK, WIDE), {QUICK.key: 100.0, WIDE.key: 300.0})
    blocks = comparison_document(compared_, under=found).blocks
    paragraphs = [each for each in blocks if isinstance(each, Paragraph)]
    first, *_ = (each for each in paragraphs if each.role is ParagraphRole.LEAD)
    text = "".join(span.text for span in first.words)
    assert text == f"Under db7: {drive_answer(found)}"
    assert sum(sentences(found)[-1] == "".join(s.text for s in each.words) for each in paragraphs)
    hidden = page(comparison_document(compared_, Cover(anonymous=True), found))
    assert "Under server: " in hidden
    assert "db7" not in hidden
