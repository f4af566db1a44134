"""A comparison's report: who wins and who ties, what speaks against it, curves by letter."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from advisor.compare import compare
from advisor.compare.comparison import MOST, Comparison
from advisor.report.document.blocks import Block, Document, Graph, Heading, Items, Table, Words
from advisor.report.document.cover import Cover
from advisor.report.forms.html import page
from advisor.report.sections.comparison_report import comparison_document
from advisor.wording.measured.comparison import lead
from probes.figures import THIN
from probes.points import SERVER_LOAD, Latency, Point, Probe
from tests.advisor.compare.contenders import contender, fast_and_slow, rated, reads
from tests.advisor.report.client.test_client import HOSTILE, Page, flat

FAST, SLOW = fast_and_slow({1: 2000, 8: 19_900, 64: 30_000})


def said(words: Words) -> str:
    return "".join(span.text for span in words).replace(THIN, " ")


def section(document: Document, anchor: str) -> list[Block]:
    """The blocks of a section."""
    starts = [
        at
        for at, each in enumerate(document.blocks)
        if isinstance(each, Heading) and each.level == 1
    ]
    names = [getattr(document.blocks[at], "anchor", "") for at in starts]
    at = names.index(anchor)
    return list(document.blocks[starts[at] + 1 : [*starts, None][at + 1]])


def _beside_load(one: Point) -> Point:
    return replace(one, details={**one.details, SERVER_LOAD: {}})


def priced() -> Comparison:
    return compare((replace(FAST, key="1"), replace(SLOW, key="2")), {"1": 6.0})


def test_the_first_page_says_who_wins_and_what_speaks_against_it() -> None:
    found = priced()
    assert lead(found).startswith("Of 5 roles: A (fast) is best in 4 (")
    assert lead(found).endswith(" Mind how each was measured.")
    assert "× the next) and in 1 the best are too close to call. " in lead(found)
    assert "1 of these roles rests on doubtful points" in lead(found)
    blocks = section(comparison_document(found), "summary")
    drives = next(each for each in blocks if isinstance(each, Table))
    assert [[said(cell) for cell in each.cells] for each in drives.rows] == [
        ["A", "fast", "fast, a test", "6"],
        ["B", "slow", "slow, a test", "–"],
    ]
    minded = next(each for each in blocks if isinstance(each, Items))
    assert {said(each.words) for each in minded.items} == {
        each.sentence.replace(THIN, " ") for each in found.reasons
    }
    assert "filesystems differ" in said(minded.items[0].words)


def test_where_one_role_alone_can_be_judged_the_first_page_names_it_and_how_sure_it_is() -> None:
    fast = contender("run 2 (db7)", *reads({1: 4000}))
    told = tuple(replace(each, ci95_per_s=(math.nan, math.nan)) for each in reads({1: 2000}))
    found = compare((fast, contender("told", *told)))
    only = replace(found, roles=found.roles[:1])
    assert lead(only) == (
        "A (run 2, db7) is best in the only role that can be judged: random reads of 16 KiB,"
        " 1 thread (2.00× the next). That rests on figures without intervals."
    )
    few = compare((FAST, contender("slow", *reads({1: 2000, 32: 30_000}))))
    assert lead(few).startswith("2 of 5 roles can be judged: A (fast) is best in 2 (")
    blocks = section(comparison_document(few), "roles")
    figures = next(each for each in blocks if isinstance(each, Table))
    assert [said(cell) for cell in figures.rows[2].cells] == [
        "Random reads of 16 KiB, 32 or 64 threads",
        "60.0k/s ±2 % @64",
        "30.0k/s ±2 % @32",
        "not compared: other numbers of threads",
    ]


def test_the_first_page_says_that_drives_are_on_one_disk() -> None:
    sides = (replace(FAST, drives=("db7 sda",)), replace(SLOW, drives=("db7 sda",)))
    assert "Some are on the same disk" in lead(compare(sides))
    alike = (sides[0], replace(sides[0], name="other"))
    assert lead(compare(alike)).endswith(
        "the figures are too close to call. Some are on the same disk, where no difference is the"
        " drive's. Mind how each was measured."
    )


def test_every_role_has_its_figures_its_verdict_its_tails_and_its_price() -> None:
    blocks = section(comparison_document(priced()), "roles")
    figures, *tails, prices = (each for each in blocks if isinstance(each, Table))
    assert figures.heads == ("role", "A", "B", "best")
    assert [said(cell) for cell in figures.rows[0].cells] == [
        "Random reads of 16 KiB, 1 thread",
        "4.00k/s ±2 %",
        "2.00k/s ±2 %",
        "A by 2.00× (1.94–2.06)",
    ]
    assert "2 ms?" in said(figures.rows[-1].cells[2])
    assert tails == []
    assert [said(cell) for cell in prices.rows[0].cells][1:] == ["1.5", "–"]


def test_tails_are_told_where_anybody_has_them() -> None:
    slow = Latency(10.0, 9.0, 20.0, 310.0, 8400.0, 9000.0)
    tailed = replace(FAST, points=tuple(replace(each, latency=slow) for each in FAST.points))
    tables = [
        each
        for each in section(comparison_document(compare((tailed, SLOW))), "roles")
        if isinstance(each, Table)
    ]
    p99, p999 = tables[1:]
    assert [said(cell) for cell in p99.rows[0].cells][1:] == ["310 µs", "–"]
    assert [said(cell) for cell in p999.rows[0].cells][1:] == ["8.40 ms", "–"]


def test_a_drive_has_one_line_and_one_letter_in_every_figure() -> None:
    other = contender("other", *(rated(Probe.RANDOM_WRITE, n, 100.0 * n) for n in (1, 4)))
    third = contender("third", *other.points, *reads({1: 1500, 8: 9000}))
    document = comparison_document(compare((FAST, other, third)))
    graphs = [each for each in section(document, "curves") if isinstance(each, Graph)]
    names = {each.names for each in graphs}
    assert ("A: fast", "", "C: third") in names
    assert ("", "B: other", "C: third") in names
    for graph in graphs:
        for plot in graph.plots:
            drawn = {line.number for line in plot.lines if line.marks}
            assert drawn == {at for at, name in enumerate(graph.names, 1) if name}


@pytest.mark.parametrize("count", [2, MOST])
def test_the_page_is_whole_for_few_and_for_many(count: int) -> None:
    made = [
        contender(f"drive {n}", *reads({1: 1000.0 * n, 8: 4000.0 * n})) for n in range(1, count + 1)
    ]
    text = page(comparison_document(compare(made), Cover("Example Shop")))
    told = flat(Page(text).text)
    for each in made:
        assert each.name in told
    assert f"{count} drives compared" in told
    assert "leadline compare" in told


def test_what_has_nothing_in_common_is_said() -> None:
    other = contender("other", rated(Probe.POINT_SELECT, 1, 100.0, working_set="cached"))
    found = compare((FAST, other))
    assert lead(found) == (
        "No comparison: no two were measured alike, A (fast) by random reads and redo syncs and"
        " B (other) by primary-key lookups."
    )
    Page(page(comparison_document(found)))


def test_where_nobody_is_best_the_first_sentence_names_the_cause() -> None:
    idle = contender("idle", *reads({1: 1000}))
    beside = contender("run 7 (shop)", *(_beside_load(each) for each in reads({1: 4000})))
    assert lead(compare((beside, idle))) == (
        "No comparison: A (run 7, shop) was measured beside a server's own load, B (idle) without"
        " one. Measure them alike."
    )
    many = contender("many", *reads({64: 4000}))
    other = contender("other", *reads({32: 4000}))
    assert lead(compare((many, other))) == (
        "No comparison: no number of threads was measured on all, A (many) with 64 threads and"
        " B (other) with 32 threads: random reads of 16 KiB, 32 or 64 threads."
    )


def test_nothing_foreign_becomes_markup() -> None:
    bad = replace(
        SLOW, name=HOSTILE, source=HOSTILE, caveats=(HOSTILE,), conditions={"filesystem": HOSTILE}
    )
    text = page(comparison_document(compare((FAST, bad))))
    harmless = Page(page(comparison_document(compare((FAST, SLOW)))))
    assert set(Page(text).tags) <= set(harmless.tags) | {"b"}
    assert "<script" not in text
    for char in ("\x00", "\x1b", "\u202e"):
        assert char not in text


def test_where_nobody_wins_alone_the_first_page_says_who_ties() -> None:
    found = compare(
        [contender(name, *reads({1: rate})) for name, rate in (("a", 2e3), ("b", 2e3), ("c", 1e3))]
    )
    told = lead(found).replace(THIN, " ")
    assert told.startswith("A and B tie for best in 2 of 2 roles; random reads of 16 KiB, 1 thread")
    assert told.endswith(": 2.00× the next.")
