"""The text: figures first, everything that was found, readable without colours."""

from __future__ import annotations

from dataclasses import replace

from advisor.outcomes import Verdict
from advisor.report.document.blocks import Table, TableRow, plain
from advisor.report.forms.text import page
from advisor.report.sections.measured import sparkline
from advisor.report.terminal.first_screen import first_screen
from advisor.run import RunState
from advisor.wording.advice.evidence_card import change_of
from advisor.wording.measured.summary import sentences
from probes.figures import THIN
from probes.points import Point, Probe, Setting, Trust
from tests.advisor.report.builders import DIRECTORY, kept, reads, render, report


def flat(text: str) -> str:
    """On one line, with plain spaces."""
    return " ".join(text.replace(THIN, " ").split())


def test_the_drive_comes_first_in_a_sentence_of_its_figures() -> None:
    text = flat(render(report()))
    assert text.index("The drive gives 9.05 k random reads/s of 16 KiB") < text.index("Advice")
    assert "from 8 threads on, more threads only wait." in text
    assert "A single thread waits 714 µs for a read." in text
    assert "640 commits/s" in text
    assert "41.0 k primary-key lookups/s" in text


def test_a_curve_that_still_climbs_is_said_to_climb() -> None:
    case = replace(report().case, points=tuple(reads(16384, {1: 1000, 2: 2000, 4: 4000})))
    (sentence,) = sentences(case)
    assert "more threads would still bring more" in sentence


def test_points_that_are_not_trusted_make_no_sentence() -> None:
    odd = kept(Setting(Probe.RANDOM_READ, 1, 16384, 1, DIRECTORY), 9e9, 1, Trust.REJECTED, "No.")
    case = replace(report().case, points=(odd,))
    assert sentences(case) == ["Nothing was measured that can be trusted."]


def test_each_outcome_is_told() -> None:
    full = report()
    text = flat(render(full))
    for advice in full.judgement.recommendations:
        assert flat(advice.saw) in text
        if advice.verdict is Verdict.RECOMMEND:
            assert flat(advice.apply.cnf) in text
            assert flat(advice.undo) in text
            assert all(flat(each.text) in text for each in advice.evidence)
    for outcome in full.judgement.not_judged:
        assert outcome.rule in text
    assert "The files are smaller than planned." in text
    assert "The clock of the target is coarse." in text


def test_a_run_that_failed_says_so_at_the_top() -> None:
    text = render(report(RunState.FAILED, "The agent died."))
    assert text.splitlines()[1] == "Failed. The agent died."


def test_doubtful_points_are_marked_and_explained() -> None:
    text = render(report())
    assert "4.10k?" in text
    assert "? doubtful" in text
    trusted = tuple(each for each in report().case.points if each.trust is Trust.OK)
    assert "doubtful" not in render(replace(report(), case=replace(report().case, points=trusted)))


def test_nothing_is_wider_than_asked_and_nothing_is_coloured() -> None:
    text = render(report(), width=100)
    assert max(map(len, text.splitlines())) <= 100
    assert "\x1b" not in text


def test_roles_in_one_place_share_a_line() -> None:
    assert "data, redo, doublewrite, probe" in render(report())


def test_the_spark_follows_the_rates() -> None:
    assert sparkline([100, 400, 800]) == "▂▅█"
    assert sparkline([100]) == ""


def test_the_first_screen_names_what_is_advised() -> None:
    full = report()
    said = page(first_screen(full), 200)
    proposed = [a for a in full.judgement.recommendations if a.verdict is Verdict.RECOMMEND]
    assert proposed
    assert all(change_of(each) in said for each in proposed)
    assert "Not judged" not in said


def test_commits_that_share_a_sync_are_told_beside_the_single_one() -> None:
    def redo(threads: int, rate: float, **options: str) -> Point:
        setting = Setting(
            Probe.REDO_SYNC, threads, 4096, 1, DIRECTORY, {"sync": "fdatasync", **options}
        )
        return kept(setting, rate, 1500)

    shared = (redo(1, 640), redo(16, 9000), redo(1, 300, log="growing"), redo(1, 200, binlog="1"))
    (sentence,) = sentences(replace(report().case, points=shared))
    assert flat(sentence) == (
        "One writer's append of 4 KiB is safe on it after 1.50 ms (fdatasync, median):"
        " 640 commits/s one after the other;"
        " 16 that share their syncs reach 9.00 k commits/s."
    )


def test_flushing_is_told_with_and_without_doublewrite() -> None:
    def flush(doublewrite: str, rate: float, **options: str) -> Point:
        setting = Setting(
            Probe.PAGE_FLUSH, 4, 16384, 1, DIRECTORY, {"doublewrite": doublewrite, **options}
        )
        return kept(setting, rate, 4000)

    found = (flush("off", 9000), flush("on", 5000), flush("on", 70, batch_pages="1"))
    sentence, _price = sentences(replace(report().case, points=found))
    assert flat(sentence) == (
        "Flushing 16 KiB pages, it takes 9.00 k pages/s without doublewrite"
        " and 5.00 k pages/s with doublewrite."
    )


def test_a_name_in_a_table_stands_on_one_line() -> None:
    name, long = "innodb_redo_log_capacity", "a sentence that is longer than its column is " * 3
    row = TableRow(tuple(map(plain, ("db7", long, f"{name}: 100 MiB", long))))
    said = page([Table(("a", "b", "c", "d"), (row,), frozenset(range(4)))], 100)
    assert f"{name}:" in said
    assert max(map(len, said.splitlines())) <= 100


def test_a_long_name_is_whole_and_figures_that_lack_room_stand_below() -> None:
    name = "reporting-replica-of-the-warehouse"
    heads = ("server", "version", *(f"figure {n}" for n in range(8)))
    row = TableRow(tuple(map(plain, (name, "MySQL 8.0.33", *["23.5 GiB"] * 8))))
    said = page([Table(heads, (row,), frozenset({0, 1}))], 100)
    assert said.count(name) == 2
    assert said.count("23.5 GiB") == 8
    assert max(map(len, said.splitlines())) <= 100
