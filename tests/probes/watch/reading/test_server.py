"""Reading a watch's samples: means with their ranges, resets, and answers that are none."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from probes.boundary.malformed import Malformed
from probes.inventory.facts import StatusWindow
from probes.watch.reading.whole import read_watch
from probes.watch.watched import Watched
from probes.watch.words import FileRole, Operation
from tests.probes.watch.reading.test_trace import call

US = 1_000_000
"""Picoseconds in a microsecond."""


def status(*moments: dict[str, str]) -> str:
    samples = [{"at_s": float(at), "values": values} for at, values in enumerate(moments)]
    return json.dumps({"samples": samples})


def files(*moments: dict[str, Sequence[int]]) -> str:
    samples = [
        {
            "at_s": float(at),
            "kinds": {name: [str(each) for each in row] for name, row in one.items()},
        }
        for at, one in enumerate(moments)
    ]
    return json.dumps({"samples": samples})


def seen(**answers: str) -> Watched:
    told = {f"watch.{name}": text for name, text in answers.items()}
    watched = read_watch({"watch.status": status({}, {}), **told}).watched
    assert watched is not None
    return watched


def reads(count: int, us: int) -> tuple[int, ...]:
    return (count, count * us * US, count * 16384, 0, 0, 0, 0, 0)


def test_without_samples_nothing_was_watched() -> None:
    assert read_watch({}).watched is None


def test_a_steady_counter_has_a_rate_that_is_known() -> None:
    told = status(*({"Questions": str(7 * at)} for at in range(5)))
    rate = seen(status=told).status.per_s("Questions")
    assert rate is not None
    assert (rate.low, rate.value, rate.high) == pytest.approx((7, 7, 7))


def test_bursts_widen_the_range_and_are_seen() -> None:
    told = status(*({"Questions": str(count)} for count in (0, 10, 20, 120, 130)))
    series = seen(status=told).status
    rate = series.per_s("Questions")
    assert rate is not None
    assert rate.value == pytest.approx(32.5)
    assert rate.low < 10
    assert rate.high > 60
    assert series.burst_per_s("Questions") == 100


def test_a_counter_that_was_reset_is_not_known() -> None:
    series = seen(
        status=status({"Questions": "50"}, {"Questions": "60"}, {"Questions": "5"})
    ).status
    assert series.per_s("Questions") is None
    assert series.burst_per_s("Questions") is None


def test_a_gauge_is_its_mean_with_least_and_most() -> None:
    series = seen(status=status(*({"Threads_running": str(n)} for n in (2, 9, 4)))).status
    running = series.gauge("Threads_running")
    assert running is not None
    assert (running.low, running.value, running.high) == (2, 5, 9)


def test_a_gauge_that_was_counted_below_zero_is_not_known() -> None:
    below = str(2**64 - 1)
    series = seen(status=status(*({"Threads_running": text} for text in ("2", below, "3")))).status
    assert series.gauge("Threads_running") is None
    window = StatusWindow(1.0, {}, {"Open_files": below, "Open_tables": "7"})
    assert window.gauge("Open_files") is None
    assert window.gauge("Open_tables") == 7


def test_the_mean_of_a_call_is_its_time_by_its_number() -> None:
    kind = "innodb/innodb_data_file"
    told = files({kind: reads(0, 0)}, {kind: reads(100, 300)}, {kind: reads(200, 300)})
    found = seen(files=told).file_io(FileRole.DATA, Operation.READ)
    assert found is not None
    assert found.latency_us is not None
    assert found.latency_us.value == pytest.approx(300)
    assert found.per_s.value == pytest.approx(100)
    assert found.bytes_per_s == pytest.approx(100 * 16384)
    assert found.waiting == pytest.approx(0.03)


def test_reads_ahead_are_left_out_of_the_mean_and_kept_in_its_range() -> None:
    kind = "innodb/innodb_data_file"
    ahead = status(*({"Innodb_buffer_pool_read_ahead": str(50 * at)} for at in range(3)))
    told = files({kind: reads(0, 0)}, {kind: reads(100, 300)}, {kind: reads(200, 300)})
    found = seen(status=ahead, files=told).file_io(FileRole.DATA, Operation.READ)
    assert found is not None
    assert found.latency_us is not None
    assert found.latency_us.value == pytest.approx(600)
    assert found.latency_us.low == pytest.approx(300)
    # Of 100 a second 50 have a thread that waits; the others are under way in the background.
    assert found.waiting == pytest.approx(50 * 600e-6)
    assert found.under_way == pytest.approx(100 * 600e-6)


def test_tablespaces_that_a_trace_tells_apart_are_no_data_besides() -> None:
    kind = "innodb/innodb_data_file"
    told = files({kind: reads(0, 0)}, {kind: reads(100, 300)}, {kind: reads(200, 300)})
    undo = call("undo", "read", [100.0] * 50, 50 * 16384)
    trace = {"seconds": 2.0, "sampled": 1.0, "calls": [undo]}
    moments = [{"at_s": 0.0}, {"at_s": 2.0}]
    watched = seen(files=told, machine=json.dumps({"moments": moments, "trace": trace}))
    data, undone = (
        watched.file_io(role, Operation.READ) for role in (FileRole.DATA, FileRole.UNDO)
    )
    assert data is not None
    assert undone is not None
    assert data.per_s.value == pytest.approx(75)
    assert data.bytes_per_s == pytest.approx(75 * 16384)
    assert undone.per_s.value == pytest.approx(25)


def test_kinds_of_one_role_are_added_up_and_a_new_kind_began_at_nothing() -> None:
    one, other = "innodb/innodb_temp_file", "sql/io_cache"
    told = files({one: reads(10, 1)}, {one: reads(20, 1), other: reads(30, 2)})
    found = seen(files=told).file_io(FileRole.TEMP, Operation.READ)
    assert found is not None
    assert found.calls == 40


def both_write(data: Sequence[int], doublewrite: Sequence[int]) -> dict[str, Sequence[int]]:
    return {"innodb/innodb_data_file": data, "innodb/innodb_dblwr_file": doublewrite}


def spent(us: int) -> tuple[int, ...]:
    return (us * US,)


def test_what_the_servers_own_threads_did_not_write_connections_wrote() -> None:
    nothing, none = (0,) * 8, both_write(spent(0), spent(0))
    # In a second: reads of 900 ms, writes of 200 and syncs of 500 ms; 300 ms of doublewrite.
    data = (900, 900_000 * US, 0, 200, 200_000 * US, 0, 100, 500_000 * US)
    double = (0, 0, 0, 100, 100_000 * US, 0, 100, 200_000 * US)
    told = files(both_write(nothing, nothing), both_write(data, double))
    its = files(none, both_write(spent(400_000), spent(50_000)))
    found = seen(files=told, background_io=its).own_writes
    assert found is not None
    assert found.value == pytest.approx(0.3 + 0.25)
    # Its own threads may have read as well: of data files nothing is sure then.
    busy = files(none, both_write(spent(1_000_000), spent(50_000)))
    sure = seen(files=told, background_io=busy).own_writes
    assert sure is not None
    assert sure.value == pytest.approx(0.25)


def test_threads_that_are_not_told_apart_write_nothing_that_is_known() -> None:
    kind = "innodb/innodb_data_file"
    told = files({kind: reads(0, 0)}, {kind: reads(100, 300)})
    assert seen(files=told).own_writes is None
    assert seen(files=told, background_io=files({}, {})).own_writes is None
    assert (
        seen(files=told, background_io=files({kind: spent(9)}, {kind: spent(1)})).own_writes is None
    )


def test_file_io_that_was_reset_counts_for_the_longer_part_and_that_is_said() -> None:
    """Redo was read more often after the reset than before: data tells that there was one."""
    data, redo = "innodb/innodb_data_file", "innodb/innodb_log_file"
    told = files(
        {data: reads(100, 1), redo: reads(1, 1)},
        {data: reads(200, 1), redo: reads(2, 1)},
        {data: reads(10, 1), redo: reads(90, 1)},
        {data: reads(20, 1), redo: reads(91, 1)},
        {data: reads(30, 1), redo: reads(92, 1)},
    )
    watched = seen(files=told)
    for role, per_s in ((FileRole.DATA, 10), (FileRole.REDO, 1)):
        found = watched.file_io(role, Operation.READ)
        assert found is not None
        assert found.per_s.value == pytest.approx(per_s)
    assert watched.over_time is not None
    assert {each.edges_s for each in watched.over_time.files} == {(2.0, 3.0, 4.0)}
    answers = {"watch.status": status({}, {}), "watch.files": told}
    ((fact, because),) = read_watch(answers).missing
    assert fact == "files"
    assert because.replace("\u202f", " ") == (
        "its counters were reset meanwhile (TRUNCATE), so that 2 s of 4 s count"
    )


def test_file_io_that_was_reset_in_the_one_stretch_that_there_was_is_left_out() -> None:
    kind = "innodb/innodb_log_file"
    assert seen(files=files({kind: reads(10, 1)}, {kind: reads(3, 1)})).files == ()


def test_what_is_not_timed_has_a_rate_alone() -> None:
    kind = "sql/binlog"
    told = files({kind: (0,) * 8}, {kind: (0, 0, 0, 5, 0, 1000, 0, 0)})
    found = seen(files=told).file_io(FileRole.BINLOG, Operation.WRITE)
    assert found is not None
    assert found.latency_us is None
    assert found.waiting is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("status", "[]"),
        ("status", '{"samples": []}'),
        ("status", '{"samples": [{"at_s": 0, "values": {}}]}'),
        ("status", '{"samples": [{"at_s": 1, "values": {}}, {"at_s": 1, "values": {}}]}'),
        ("status", '{"samples": [{"at_s": 0, "values": {}}, {"at_s": "soon", "values": {}}]}'),
        ("status", status({"Questions": "many"}, {"Questions": "more"})),
        ("files", '{"samples": [{"at_s": 0, "kinds": []}, {"at_s": 1, "kinds": []}]}'),
        ("files", files({"sql/binlog": (1, 2)}, {"sql/binlog": (3, 4)})),
        ("files", '{"samples": [{"at_s": 0, "kinds": {"a": 1}}, {"at_s": 1, "kinds": {"a": 1}}]}'),
    ],
)
def test_what_is_no_sample_is_malformed(name: str, text: str) -> None:
    with pytest.raises(Malformed):
        seen(**{name: text})
