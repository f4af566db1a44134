"""What the agent says becomes events; nonsense and faults become sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import pytest

from advisor.wording.measured.doubts import sentence
from probes.doubts import DoubtKind, doubt
from probes.engines.agent.events import AgentReader
from probes.events import (
    EngineReady,
    PointDone,
    PointStarted,
    Preparing,
    SampleTaken,
    Warned,
)
from probes.points import EndedBy, Point, Trust
from tests.points import doubts_of
from tests.probes.engines.lines import (
    DIRECTORY,
    STEADY,
    histogram,
    line,
    mixed_setting,
    plan_of,
    point,
    read_all,
    read_setting,
    samples,
    select_setting,
)

REFUSED = sentence(doubt(DoubtKind.BUFFERED))


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
    assert (good.trust, doubts_of(good)) == (Trust.OK, ())
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
        ([point(direct=False)], STEADY, REFUSED),
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
    assert len(doubts_of(doubtful)) == 1
    assert reason in doubts_of(doubtful)[0]


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
    assert doubts_of(points[0]) == ("4 writes were cut short.",)


def test_what_the_point_tells_itself_is_said_once() -> None:
    buffered = line("warning", id="0", code="buffered", message="O_DIRECT is not possible here")
    assert doubts_of(measured(buffered, point(direct=False))) == (REFUSED,)
    fewer = line("warning", id="0", code="fewer_threads", message="a limit allows 256 threads")
    assert len(doubts_of(measured(fewer, point(threads=0)))) == 1


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
    assert doubts_of(redo.point) == ()
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
    ]
    events = read_all(reader, told)
    reader.asked("1.1")
    again_told = [
        line("point_started", id="1.1"),
        *samples(STEADY[:2], point="1.1"),
        point(id="1.1"),
    ]
    events += read_all(reader, again_told)
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
    assert [reader.waiting, reader.running, reader.heartbeat] == [True, None, False]
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
