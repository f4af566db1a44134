"""How a run of sysbench ended, and what its transactions were made of."""

from __future__ import annotations

import pytest

from probes.imports import ImportRefused
from probes.imports.sysbench.oltp import NO_STATEMENTS, SPECIAL
from probes.kinds.words import title
from probes.points import Trust
from tests.points import doubts_of
from tests.probes.imports.conftest import Recordings


def test_an_event_queue_that_overflows(recordings: Recordings) -> None:
    (point,) = recordings.read("sysbench-1.0-queue-full.txt").points
    said = " ".join(doubts_of(point))
    assert "held to" not in said
    assert "Little's law" not in said
    assert "did not keep up: 3.50\u202fk/s is what it could do" in said
    assert "its latency holds the wait in the queue" in said
    assert "The run ended early: the event queue was full." in said
    assert point.trust is Trust.DOUBTFUL


def test_a_full_queue_without_the_line_that_says_the_rate(recordings: Recordings) -> None:
    found = recordings.changed(
        "sysbench-1.0-queue-full.txt", ("Target transaction rate: 4500/sec\n", "")
    )
    assert doubts_of(found.points[0]) == ("The run ended early: the event queue was full.",)


def test_a_script_of_calls_alone(recordings: Recordings) -> None:
    found = recordings.of(_mix(recordings, 2, 0, 0))
    assert dict(found.points[0].setting.options) == {}
    assert NO_STATEMENTS in found.warnings
    assert not any("none of sysbench's own" in each or each == SPECIAL for each in found.warnings)


QUEUE = "sysbench-1.0-queue-full.txt"
FULL = (
    "FATAL: The event queue is full. This means the worker threads are unable to keep up with the "
    "specified event generation rate\n"
)


@pytest.mark.parametrize(
    ("changes", "said", "unsaid"),
    [
        ([(FULL, "")], "4.50\u202fk events/s and did not keep up", "queue was full"),
        ([(FULL, ""), ("4500/sec", "3500/sec")], "held to 3,500 events", "keep up"),
        ([("4500/sec", "90000/sec")], "90.0\u202fk events/s and did not keep up", "held to"),
        (
            [
                ("Target transaction rate: 4500/sec\n", ""),
                (FULL, "FATAL: mysql_stmt_execute() returned error 1205 (Lock wait timeout)\n"),
                ("avg:                                  760.00", "avg: 18.20"),
            ],
            "The run ended with: mysql_stmt_execute() returned error 1205",
            "queue",
        ),
    ],
)
def test_a_target_that_was_not_reached(
    recordings: Recordings, changes: list[tuple[str, str]], said: str, unsaid: str
) -> None:
    reasons = " ".join(doubts_of(recordings.changed(QUEUE, *changes).points[0]))
    assert said in reasons
    assert unsaid not in reasons


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([], "The run ended with: Failed to fsync file! file: 3 errno = 5 (Input/output error)."),
        (
            [("FATAL: Failed to fsync file! file: 3 errno = 5 (Input/output error)", "FATAL: x")],
            "The run ended with: x.",
        ),
        (
            [("FATAL: Failed to fsync file! file: 3 errno = 5 (Input/output error)", "")],
            "The run was cut off before its result.",
        ),
        (
            [
                (
                    "FATAL: Failed to fsync file! file: 3 errno = 5 (Input/output error)",
                    "(last message repeated 3 times)\nFATAL: `thread_run' function failed: no row",
                )
            ],
            "The run ended with: `thread_run' function failed: no row.",
        ),
    ],
)
def test_how_a_run_ended_that_has_no_result(
    recordings: Recordings, changes: list[tuple[str, str]], said: str
) -> None:
    with pytest.raises(ImportRefused) as refused:
        recordings.changed("sysbench-1.0-fatal.txt", *changes)
    assert refused.value.advice == said


def test_of_several_runs_the_one_that_ended_early_is_named(recordings: Recordings) -> None:
    good = recordings.text("sysbench-1.0-rndrd-direct.txt")
    found = recordings.of(good + recordings.text("sysbench-1.0-fatal.txt"))
    assert len(found.points) == 1
    assert found.warnings[0].startswith("Run 2 ended with: Failed to fsync file!")
    assert not any("fsync after every 100" in warning for warning in found.warnings)


@pytest.mark.parametrize(("unfinished", "threads"), [(718, 1200), (1, 64), (12, 32)])
def test_transactions_that_never_finished(
    recordings: Recordings, unfinished: int, threads: int
) -> None:
    (point,) = recordings.changed(
        "sysbench-1.0-read-write.txt",
        ("Number of threads: 2", f"Number of threads: {threads}"),
        (
            "SQL statistics:",
            "FATAL: The --max-time limit has expired, forcing shutdown...\n"
            f"\nNumber of unfinished transactions on forced shutdown: {unfinished}\n"
            "SQL statistics:",
        ),
    ).points
    reason = doubts_of(point)[0]
    assert reason.startswith(f"{unfinished} of {threads:,} connections had not finished")
    assert "leaves the slowest out" in reason


@pytest.mark.parametrize(
    ("rates", "told"),
    [
        ((1200, 0, 0, 1180, 0, 1210, 0, 0, 1190, 1200), "5 of 10 intermediate reports"),
        ((0, 0, 1200, 1200, 1200), "2 of 5 intermediate reports"),
        ((0, 1200, 1200, 1200, 1200), ""),
        ((1200, 1180, 1190, 1210, 1220), ""),
    ],
)
def test_intermediate_reports_without_a_transaction(
    recordings: Recordings, rates: tuple[int, ...], told: str
) -> None:
    lines = "".join(
        f"[ {at}s ] thds: 64 tps: {rate}.00 qps: {20 * rate}.00 (r/w/o: 1.0/1.0/1.0) "
        "lat (ms,95%): 40.00 err/s: 0.00 reconn/s: 0.00\n"
        for at, rate in enumerate(rates, 1)
    )
    text = recordings.text("sysbench-1.0-read-write.txt")
    (point,) = recordings.of(text.replace("SQL statistics:", lines + "SQL statistics:")).points
    said = " ".join(doubts_of(point))
    assert told in said
    assert ("intermediate reports" in said) is bool(told)


def _mix(recordings: Recordings, threads: int, reads: int, writes: int) -> str:
    """A run of 1,000 transactions of so many statements in all, by another script."""
    text = recordings.text("sysbench-1.0-queue-full.txt")
    for old, new in (
        ("245000", str(reads)),
        ("70000 ", f"{writes} "),
        ("         70000\n", f"         {writes}\n"),
        ("17500  (3500.00", "1000  (200.00"),
        ("Number of threads: 64", f"Number of threads: {threads}"),
        ("Target transaction rate: 4500/sec\n", ""),
        (FULL, ""),
    ):
        text = text.replace(old, new)
    return text


def test_other_transactions_are_another_curve(recordings: Recordings) -> None:
    own = recordings.text("sysbench-1.0-read-write.txt")
    found = recordings.of(own + _mix(recordings, 2, 13_020, 12_950))
    told = [point.setting.options["per_transaction"] for point in found.points]
    assert told == ["14_reads_and_4_writes", "13_reads_and_13_writes"]
    assert SPECIAL in found.warnings
    (unknown,) = (each for each in found.warnings if "none of sysbench's own" in each)
    assert "13 reads and 13 writes" in unknown


@pytest.mark.parametrize(
    ("reads", "writes"), [(13_600, 13_020), (12_400, 12_600), (13_000, 14_000)]
)
def test_a_mix_of_scripts_that_differs_by_chance_is_one_curve(
    recordings: Recordings, reads: int, writes: int
) -> None:
    found = recordings.of(_mix(recordings, 2, 13_020, 12_950) + _mix(recordings, 4, reads, writes))
    first, second = (point.setting for point in found.points)
    assert first.options == second.options


def test_what_a_transaction_was_made_of_is_its_name(recordings: Recordings) -> None:
    (point,) = recordings.of(_mix(recordings, 2, 10_000, 1000)).points
    assert title(point.setting) == "transaction, 10 reads and 1 write each"
    (point,) = recordings.read("sysbench-1.0-read-only.txt").points
    assert title(point.setting) == "transaction, 14 reads each"


@pytest.mark.parametrize(("reads", "writes"), [(1500, 0), (10_000, 1000), (26_000, 24_000)])
def test_scripts_that_are_none_of_its_own(recordings: Recordings, reads: int, writes: int) -> None:
    found = recordings.of(_mix(recordings, 2, reads, writes))
    assert SPECIAL not in found.warnings
    assert any("none of sysbench's own" in each for each in found.warnings)
