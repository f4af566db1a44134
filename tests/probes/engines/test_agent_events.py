"""What the agent says becomes events; nonsense and faults become sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.engines.agent_events import AgentReader
from probes.errors import (
    AgentFailed,
    DirectoryUnusable,
    GuardTripped,
    LeadlineError,
    MySQLAccessDenied,
    MySQLConnectionLost,
    MySQLError,
    MySQLUnreachable,
    NotEnoughSpace,
    ProbeError,
)
from probes.events import (
    Calibrated,
    CanaryBeat,
    EngineEvent,
    EngineReady,
    PointDone,
    PointStarted,
    Preparing,
    SampleTaken,
    Warned,
)
from probes.points import EndedBy, Point, Trust
from probes.trust.arrival.buffered import BUFFERED
from tests.probes.engines.lines import (
    DIRECTORY,
    histogram,
    line,
    mixed_setting,
    plan_of,
    point,
    read_setting,
    samples,
    select_setting,
)

STEADY = [1000.0, 1010.0, 990.0, 1005.0, 995.0]


def read_all(reader: AgentReader, lines: Iterable[bytes]) -> list[EngineEvent]:
    return [event for each in lines for event in reader.read(each)]


def measured(*lines: bytes, rates: Iterable[float] = STEADY) -> Point:
    """The point of a plan of one step, with ``lines`` said before it was done."""
    reader = AgentReader(plan_of(read_setting()))
    told = [line("point_started", id="0"), *samples(list(rates)), *lines]
    [done] = [event for event in read_all(reader, told) if isinstance(event, PointDone)]
    return done.point


def test_a_whole_run() -> None:
    reader = AgentReader(plan_of(read_setting(1), read_setting(8)))
    events = read_all(
        reader,
        [
            line("hello", version="1.2.3", protocol=2, clock_ns=21.3, overhead_ns_per_op=130),
            line("preparing", file_set="0", stage="filling", done_bytes=100, total_bytes=400),
            line("preparing", file_set="0", stage="reading", done_bytes=100, total_bytes=400),
            line("prepared", file_set="0", direct=True, seconds=1.9),
            line("point_started", id="1"),
            *samples([10.0, 1000.0], warmup=1, point="1"),
            point(1000.0, id="1"),
            line("done"),
        ],
    )
    assert events[0] == EngineReady("agent", "1.2.3", 21.3, 130.0)
    what = f"1 file in {DIRECTORY}"
    assert events[1:3] == [Preparing(what, 50, 400), Preparing(what, 250, 400)]
    assert events[3] == PointStarted(read_setting(8), 1, 2)
    assert [type(event) for event in events[4:]] == [SampleTaken, SampleTaken, PointDone]
    done = events[-1]
    assert isinstance(done, PointDone)
    assert [sample.at_s for sample in done.samples] == [0.0, 0.2]
    assert done.point.setting == read_setting(8)
    assert (done.point.engine, done.point.operations, done.point.direct) == ("agent", 1000, True)
    assert done.point.cpu_us_per_op == pytest.approx(5.2)
    assert reader.done


def test_latency_is_in_microseconds() -> None:
    latency = measured(point(histogram=histogram(*[100] * 90, *[1000] * 9, 5000))).latency
    assert latency.p50_us == pytest.approx(100, rel=0.01)
    assert latency.p95_us == pytest.approx(1000, rel=0.01)
    assert latency.max_us == pytest.approx(5000, rel=0.01)
    assert latency.mean_us == pytest.approx(230, rel=0.01)


def test_a_steady_point_is_trusted() -> None:
    good = measured(point())
    assert (good.trust, good.trust_reasons) == (Trust.OK, ())
    assert good.ci95_per_s == (970.0, 1030.0)
    assert (good.ended_by, good.warmup_s) == (EndedBy.INTERVAL, 0.2)


def test_an_interval_that_nobody_knows() -> None:
    unknown = measured(point(ci95_per_s=[None, None]))
    assert all(math.isnan(end) for end in unknown.ci95_per_s)


def test_details_are_kept_with_what_was_counted() -> None:
    issued = {"reads": 10, "writes": 0, "read_bytes": 163840, "written_bytes": 0, "syncs": 0}
    kept = measured(point(threads=1, errors=0, details={"cpu_busy": 0.6, "issued": issued})).details
    assert kept == {"cpu_busy": 0.6, "issued": issued, "threads": 1}


def test_a_word_of_a_newer_agent_is_unknown() -> None:
    assert measured(point(ended_by="boredom")).ended_by is EndedBy.UNKNOWN


def test_samples_of_the_point_before_do_not_count() -> None:
    reader = AgentReader(plan_of(read_setting(1), read_setting(2)))
    told = [
        line("point_started", id="0"),
        *samples([10.0, 90_000.0]),
        point(),
        line("point_started", id="1"),
        *samples(STEADY, point="1"),
        point(id="1"),
    ]
    done = read_all(reader, told)[-1]
    assert isinstance(done, PointDone)
    assert len(done.samples) == len(STEADY)
    assert done.point.trust is Trust.OK


@pytest.mark.parametrize(
    ("lines", "rates", "reason"),
    [
        ([point(direct=False)], STEADY, BUFFERED),
        ([point(errors=3)], STEADY, "3 operations failed."),
        ([point(missing_rows=7)], STEADY, "7 lookups found no row"),
        ([point(ci95_per_s=[100.0, 1900.0])], STEADY, "The rate swung"),
        (
            [
                line("warning", id="0", code="short_writes", message="4 writes were cut short"),
                point(),
            ],
            STEADY,
            "4 writes were cut short.",
        ),
    ],
)
def test_doubtful_points_say_why(lines: list[bytes], rates: list[float], reason: str) -> None:
    doubtful = measured(*lines, rates=rates)
    assert doubtful.trust is Trust.DOUBTFUL
    assert len(doubtful.trust_reasons) == 1
    assert reason in doubtful.trust_reasons[0]


def test_a_warning_before_the_point_starts_belongs_to_it_alone() -> None:
    reader = AgentReader(plan_of(read_setting(512), read_setting(1)))
    told = [
        line("warning", id="0", code="short_writes", message="4 writes were cut short"),
        line("point_started", id="0"),
        *samples(STEADY),
        point(),
        line("point_started", id="1"),
        *samples(STEADY, point="1"),
        point(id="1"),
    ]
    events = read_all(reader, told)
    points = [event.point for event in events if isinstance(event, PointDone)]
    assert Warned("short_writes", "4 writes were cut short.") in events
    assert [each.trust for each in points] == [Trust.DOUBTFUL, Trust.OK]
    assert points[0].trust_reasons == ("4 writes were cut short.",)


def test_what_the_point_tells_itself_is_said_once() -> None:
    buffered = line("warning", id="0", code="buffered", message="O_DIRECT is not possible here")
    assert measured(buffered, point(direct=False)).trust_reasons == (BUFFERED,)
    fewer = line("warning", id="0", code="fewer_threads", message="a limit allows 256 threads")
    assert len(measured(fewer, point(threads=0)).trust_reasons) == 1


def test_a_point_in_which_nothing_finished_is_rejected() -> None:
    empty = measured(point(0.0, histogram=histogram()), rates=[0.0] * 5)
    assert empty.trust is Trust.REJECTED
    assert empty.latency.max_us == 0


def test_a_point_select_has_no_files() -> None:
    reader = AgentReader(plan_of(select_setting()))
    told = [line("point_started", id="0"), *samples(STEADY), point(direct=None)]
    done = read_all(reader, told)[-1]
    assert isinstance(done, PointDone)
    assert done.point.direct is None
    assert done.point.trust is Trust.OK


def test_unknown_events_and_fields_are_passed_over() -> None:
    reader = AgentReader(plan_of(read_setting()))
    assert read_all(reader, [line("weather", sun=True), line("prepared", file_set="0")]) == []
    assert list(reader.read(line("point_started", id="0", colour="red"))) != []


@pytest.mark.parametrize(
    "nonsense",
    [
        b"Killed",
        b"\xff\xfe",
        b"[]",
        b"17",
        b"{}",
        line("point_started", id="9"),
        line("point_started", id="x"),
        line("point_started"),
        line("hello", version="1"),
        line("sample", id="0", at_s="soon", rate_per_s=1, p95_us=1, p99_us=1),
        line("preparing", file_set="5", done_bytes=1, total_bytes=2),
        point(histogram="HISTnothing"),
        point(histogram=None),
        point(rate_per_s=None),
        point(ci95_per_s=[1]),
        point(id="-1"),
        line("calibrated", processors=2, wakeup_us=[1], ceiling_per_s={}),
        line("canary", latency_us="slow"),
        line("sample", id="0", at_s=1, rate_per_s=1, p95_us=1, p99_us=1, host={"queue": "long"}),
    ],
)
def test_nonsense_is_a_fault_of_the_agent(nonsense: bytes) -> None:
    reader = AgentReader(plan_of(read_setting()))
    with pytest.raises(AgentFailed, match="can't be understood"):
        list(reader.read(nonsense))


@given(st.binary(max_size=80))
def test_any_bytes_are_events_or_a_fault(said: bytes) -> None:
    reader = AgentReader(plan_of(read_setting()))
    try:
        list(reader.read(said))
    except LeadlineError as error:
        assert error.sentence


@given(st.recursive(st.none() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=4))
def test_any_field_is_an_event_or_a_fault(value: object) -> None:
    kinds = "hello calibrated canary preparing point_started sample point warning error waiting"
    for kind in kinds.split():
        reader = AgentReader(plan_of(read_setting()))
        said = line(kind, id=value, code=value, message=value, histogram=value, host=value)
        try:
            list(reader.read(said))
        except LeadlineError as error:
            assert error.sentence


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("directory_missing", DirectoryUnusable),
        ("directory_read_only", DirectoryUnusable),
        ("no_space", NotEnoughSpace),
        ("mysql_refused", MySQLUnreachable),
        ("mysql_denied", MySQLAccessDenied),
        ("mysql_lost", MySQLConnectionLost),
        ("mysql_query", MySQLError),
        ("bad_plan", AgentFailed),
        ("guard", GuardTripped),
        ("io", ProbeError),
        ("something_newer", ProbeError),
    ],
)
def test_fatal_errors_have_their_type(code: str, kind: type[LeadlineError]) -> None:
    reader = AgentReader(plan_of(read_setting()))
    with pytest.raises(kind) as caught:
        list(reader.read(line("error", id="0", code=code, message="it went wrong", fatal=True)))
    assert type(caught.value) is kind
    assert caught.value.sentence == "It went wrong."


def test_a_fault_of_one_point_lets_the_others_be_measured() -> None:
    reader = AgentReader(plan_of(select_setting(1), select_setting(2)))
    told = [
        line("point_started", id="0"),
        line("error", id="0", code="mysql_lost", message="the server went away", fatal=False),
        line("point_started", id="1"),
        *samples(STEADY, point="1"),
        point(id="1", direct=None),
        line("done"),
    ]
    events = read_all(reader, told)
    assert Warned("mysql_lost", "The server went away.") in events
    assert isinstance(events[-1], PointDone)
    assert reader.done


def test_where_the_directory_lets_nothing_be_measured_the_run_fails() -> None:
    reader = AgentReader(plan_of(read_setting(1), read_setting(2)))
    failed = [
        line("error", id=each, code="no_space", message="no space is left", fatal=False)
        for each in "01"
    ]
    assert all(isinstance(event, Warned) for event in read_all(reader, failed))
    with pytest.raises(NotEnoughSpace, match="No space is left"):
        list(reader.read(line("done")))


def test_the_prober_measures_itself_with_what_it_said_before() -> None:
    reader = AgentReader(plan_of(read_setting()))
    events = read_all(
        reader,
        [
            line("hello", version="1", protocol=2, clock_ns=21.3, overhead_ns_per_op=130),
            line(
                "calibrated",
                processors=2,
                wakeup_us={"1": 5.2, "64": 40.1},
                ceiling_per_s={"16384": {"1": 310_000.0}},
            ),
        ],
    )
    assert events[1] == Calibrated(21.3, 130.0, 2, {1: 5.2, 64: 40.1}, {16384: {1: 310_000.0}})


def test_the_ceiling_takes_part_in_the_judgement() -> None:
    def limited(ceiling: float) -> object:
        reader = AgentReader(plan_of(read_setting()))
        told = [
            line("hello", version="1", protocol=2, clock_ns=21.3, overhead_ns_per_op=130),
            line(
                "calibrated",
                processors=2,
                wakeup_us={},
                ceiling_per_s={"16384": {"1": ceiling}},
            ),
            line("point_started", id="0"),
            *samples(STEADY),
            point(),
        ]
        done = read_all(reader, told)[-1]
        assert isinstance(done, PointDone)
        return done.point.limited_by.value

    assert (limited(1_000_000.0), limited(1_100.0)) == ("", "prober")


def test_a_beat_of_the_canary() -> None:
    reader = AgentReader(plan_of(read_setting()))
    beat = {"latency_us": 230.0, "baseline_us": 180.0, "limit_us": 50180.0}
    [event] = reader.read(line("canary", **beat, threads_running=3, row_lock_waits=0))
    assert event == CanaryBeat(230.0, 180.0, 50180.0, 3, 0)


def test_what_device_and_host_did_is_beside_the_sample() -> None:
    host = {"device": "vda", "reads_per_s": 6170.0, "queue": 7.9, "write_await_us": None}
    reader = AgentReader(plan_of(read_setting()))
    told = [line("point_started", id="0"), *samples(STEADY[:1], host=host)]
    taken = read_all(reader, told)[-1]
    assert isinstance(taken, SampleTaken)
    seen = taken.sample.host
    assert seen is not None
    assert (seen.device, seen.reads_per_s, seen.queue) == ("vda", 6170.0, 7.9)
    assert math.isnan(seen.write_await_us)
    assert math.isnan(seen.mhz)


def test_a_mixture_is_a_point_for_each_part() -> None:
    reader = AgentReader(plan_of(mixed_setting(threads=4)))
    told = [
        line("point_started", id="0"),
        *samples(STEADY, part="reads"),
        *samples([10.0, 11.0], part="redo"),
        point(id="0", part="reads", threads=4),
        point(10.0, id="0", part="redo", threads=1),
    ]
    events = read_all(reader, told)
    assert len([event for event in events if isinstance(event, PointStarted)]) == 1
    reads, redo = [event for event in events if isinstance(event, PointDone)]
    assert (len(reads.samples), len(redo.samples)) == (5, 2)
    assert [each.point.setting.options["part"] for each in (reads, redo)] == ["reads", "redo"]
    assert reads.point.setting.options["flush_per_s"] == "1000"
    # One writer is no thread too few, although the setting's threads are readers.
    assert redo.point.trust_reasons == ()
    live = [event for event in events if isinstance(event, SampleTaken)]
    assert live[-1].setting == redo.point.setting


def test_a_mixture_starts_once() -> None:
    reader = AgentReader(plan_of(mixed_setting()))
    told = [line("point_started", id="0", part=part) for part in ("reads", "redo", "flush")]
    assert len(read_all(reader, told)) == 1


def test_a_repeat_is_the_same_step_again() -> None:
    reader = AgentReader(plan_of(read_setting(1), read_setting(2)))
    told = [
        line("point_started", id="1"),
        *samples(STEADY, point="1"),
        point(id="1"),
        line("waiting"),
        line("point_started", id="1.1"),
        *samples(STEADY[:2], point="1.1"),
        point(id="1.1"),
    ]
    events = read_all(reader, told)
    assert [event.index for event in events if isinstance(event, PointStarted)] == [1, 1]
    again = events[-1]
    assert isinstance(again, PointDone)
    assert again.point.setting == read_setting(2)
    assert len(again.samples) == 2
    assert len(reader.points) == 2


def test_it_tells_what_the_agent_does() -> None:
    reader = AgentReader(plan_of(read_setting()))
    list(reader.read(line("point_started", id="0")))
    assert reader.running is not None
    list(reader.read(line("alive")))
    assert reader.heartbeat
    list(reader.read(line("waiting")))
    assert (reader.waiting, reader.running, reader.heartbeat) == (True, None, False)
    reader.asked()
    assert not reader.waiting


def test_a_used_up_budget_is_no_doubt() -> None:
    reader = AgentReader(plan_of(read_setting()))
    said = line("warning", id="0", code="budget", message="600 s are used up")
    told = [line("point_started", id="0"), *samples(STEADY), said, point()]
    done = read_all(reader, told)[-1]
    assert isinstance(done, PointDone)
    assert done.point.trust is Trust.OK
    assert reader.over_budget


def test_files_that_are_not_read_back_are_done_when_filled() -> None:
    plan = plan_of(read_setting())
    plan = replace(plan, file_sets=(replace(plan.file_sets[0], settle=False),))
    said = line("preparing", file_set="0", stage="filling", done_bytes=400, total_bytes=400)
    assert list(AgentReader(plan).read(said)) == [Preparing(f"1 file in {DIRECTORY}", 400, 400)]
