"""What the agent says beside its points: itself, the server, the device."""

from __future__ import annotations

import math

from probes.engines.agent.events import AgentReader
from probes.events import (
    Calibrated,
    CanaryBeat,
    PointDone,
    SampleTaken,
)
from tests.probes.engines.lines import (
    STEADY,
    line,
    plan_of,
    point,
    read_all,
    read_setting,
    samples,
)


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
