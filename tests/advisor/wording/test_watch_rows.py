"""What a watch saw, said: what most threads wait for comes first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.wording.watch.of_limit import ALL, Focus
from advisor.wording.watch.rows import (
    _threads_at_a_time,
    rows,
    where_time_goes,
    work_sentences,
)
from app.presenters.watch.page import call_table
from probes.statistics.ranges import Range
from probes.watch.watched import Device, FileIO, Requests, StatusSeries, Watched, WatchedMachine
from probes.watch.words import FileRole, Operation


def io(role: FileRole, operation: Operation, per_s: float, mean_us: float | None) -> FileIO:
    latency = None if mean_us is None else Range(mean_us, 0.9 * mean_us, 1.1 * mean_us)
    return FileIO(role, operation, 30 * per_s, Range.exact(per_s), 16384 * per_s, latency)


READS = io(FileRole.DATA, Operation.READ, 1000, 400)
SYNCS = io(FileRole.REDO, Operation.SYNC, 200, 4000)
UNTIMED = io(FileRole.BINLOG, Operation.WRITE, 50, None)

STATUS = StatusSeries(
    (0.0, 10.0, 20.0),
    {"Threads_running": (9.0, 17.0, 13.0), "Innodb_buffer_pool_reads": (0.0, 9000.0, 20000.0)},
)


def machine(delay: float) -> WatchedMachine:
    reads = Requests(Range.exact(1000.0), 1.6e7, Range.exact(300.0), Range.exact(0.3))
    writes = Requests(Range.exact(500.0), 8e6, None, Range.exact(0.2))
    device = Device("vda", ("data",), reads, writes, None, Range.exact(0.33))
    return WatchedMachine(
        (device,), server_cpu=Range.exact(0.4), server_run_delay=Range.exact(delay)
    )


def said(watched: Watched, focus: Focus = ALL) -> list[str]:
    return [each.replace("\u202f", " ") for each in work_sentences(watched, focus)]


def test_what_most_threads_wait_in_comes_first() -> None:
    found = rows(Watched(STATUS, (UNTIMED, READS, SYNCS)))
    assert [(cells[0], cells[1]) for cells in found] == [
        ("redo", "sync"),
        ("data", "read"),
        ("binlog", "write"),
    ]
    assert found[2][4] == "not timed"
    assert found[2][5] == ""


def test_sentences_name_queries_waits_and_misses() -> None:
    found = said(Watched(STATUS, (READS, SYNCS)))
    assert found[0] == "12.0 queries were at work on average, 16 at most."
    waits = (
        "Of the calls that are timed, redo syncs take most: 0.80 threads on average, at 4.0 ms "
        "(3.6 to 4.4 ms)."
    )
    assert found[1] == waits
    assert found[-1].startswith("1,000 (")


def test_threads_don_t_wait_for_what_is_written_behind_them() -> None:
    queued = replace(io(FileRole.DATA, Operation.WRITE, 4000, 1200), queued=1.0)
    watched = Watched(STATUS, (queued, READS, SYNCS))
    assert said(watched)[1].startswith("Of the calls that are timed, redo syncs take most: 0.80")
    assert where_time_goes(watched).replace("\u202f", " ") == (
        "1.2 threads at a time are in file I/O: 67 % in redo syncs (4 ms each) and 33 % in data "
        "reads (400 µs). Another 4.8 requests are under way in the background."
    )
    assert rows(watched)[-1][-2:] == ("0", "4.80")
    assert rows(watched)[0][-2:] == ("0.80", "")


def test_what_the_kernel_says_of_waits_for_storage_is_told() -> None:
    pressed = replace(machine(0.0), io_pressure=Range.exact(0.61))
    found = said(Watched(STATUS, (), pressed))
    assert "Some program waits for storage 61 % of the time, as the kernel counts (PSI)." in found
    idle = replace(machine(0.0), io_pressure=Range.exact(0.001))
    assert not [each for each in said(Watched(STATUS, (), idle)) if "PSI" in each]


def test_a_busy_processor_is_named_where_it_is_the_cause() -> None:
    found = said(Watched(STATUS, (READS, SYNCS), machine(13.2)))
    assert "13.20 threads wait for a processor on average." in found
    device = next(each for each in found if each.startswith("vda"))
    assert device == (
        "vda is busy 33 % of the time with 0.5 reads and writes in flight; a read takes 300 µs."
    )
    assert "The server keeps 0.4 processors busy." in found


def test_the_drive_of_the_call_that_limits_comes_first_with_its_syncs() -> None:
    seen = machine(0.0)
    (data,) = seen.devices
    syncs = replace(data.reads, latency_us=Range.exact(7000.0), in_flight=Range.exact(0.9))
    others = [
        replace(data, name="sdc", roles=("data", "binlog"), syncs=None),
        replace(data, name="sda", roles=("redo",), syncs=syncs),
    ]
    two = replace(seen, devices=tuple(others))
    logs = Focus(roles=frozenset({"redo", "binlog"}))
    found = said(Watched(STATUS, (READS, SYNCS), two), logs)
    (first, second) = [each for each in found if " is busy " in each]
    assert first.startswith(
        "sda is busy 33 % of the time with 0.9 syncs and 0.5 reads and writes in flight;"
    )
    assert second.startswith("sdc is busy 33 % of the time with 0.5 reads and writes in flight;")


def test_without_anything_timed_there_is_no_guess() -> None:
    found = said(Watched(StatusSeries((0.0, 1.0), {})))
    assert found == []


def test_the_window_shows_the_same() -> None:
    watched = Watched(STATUS, (READS,))
    (found,) = call_table(watched).rows
    assert found.texts[0] == "Data reads"
    assert found.texts[-2:] == ("0.40", "")
    (behind,) = call_table(Watched(STATUS, (replace(READS, queued=0.25),))).rows
    assert behind.texts[-2:] == ("0.30", "0.10")


@pytest.mark.parametrize(
    ("threads", "said"),
    [
        (1.0, "1 thread at a time is"),
        (0.97, "0.97 threads at a time are"),
        (1.04, "1 thread at a time is"),
        (1.3, "1.3 threads at a time are"),
        (12.0, "12 threads at a time are"),
    ],
)
def test_one_thread_is_one(threads: float, said: str) -> None:
    assert _threads_at_a_time(threads, " is", " are") == said
