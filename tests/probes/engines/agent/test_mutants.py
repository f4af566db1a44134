"""However a line of the agent is damaged: an event whose figures are in range, or a typed fault."""

from __future__ import annotations

import json
import math
import os
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import astuple

from probes.engines.agent.events import AgentReader
from probes.errors import LeadlineError
from probes.events import EngineEvent, PointDone, SampleTaken, Warned
from probes.statistics.histogram import read_histogram
from tests.points import doubts_of
from tests.probes.engines.mutants import RECORDED, mutants, recorded_plan
from tests.servers.eleven import ALL

COUNT = 20_000 if os.environ.get(ALL) else 1_500
SEED = 9


def test_the_recorded_lines_are_what_an_agent_says() -> None:
    reader = AgentReader(recorded_plan())
    events = [event for line in RECORDED for event in reader.read(line)]
    assert sum(isinstance(event, PointDone) for event in events) == 7
    assert reader.done


def test_damaged_lines_are_faults_or_sound(record_property: Callable[[str, object], None]) -> None:
    plan = recorded_plan()
    ended: Counter[str] = Counter()
    longest_s = all_s = 0.0
    for first, damaged in mutants(SEED, COUNT):
        reader = AgentReader(plan, "db7")
        for line in first:
            list(reader.read(line))
        began_s = time.thread_time()
        try:
            for event in reader.read(damaged):
                assert_sound(event)
        except LeadlineError as fault:
            assert_a_sentence(fault)
            ended[type(fault).__name__] += 1
        else:
            ended["taken"] += 1
        took_s = time.thread_time() - began_s
        longest_s, all_s = max(longest_s, took_s), all_s + took_s
    record_property("ended", dict(ended))
    assert sum(ended.values()) == COUNT
    assert min(ended["taken"], ended["AgentFailed"]) > COUNT / 20
    # However fast the machine is, none is a bomb: it takes no great part of what all take.
    assert longest_s < all_s / 5


def assert_a_sentence(fault: LeadlineError) -> None:
    assert fault.sentence.endswith(".")
    assert len(fault.sentence) < 5000
    fault.sentence.encode()


def assert_sound(event: EngineEvent) -> None:
    """What the database, a report and a chart take."""
    if isinstance(event, PointDone):
        point = event.point
        assert 0 <= point.rate_per_s < math.inf
        assert 0 <= point.operations < 1 << 63
        assert 0 <= point.seconds < math.inf
        assert all(0 <= figure < math.inf for figure in astuple(point.latency))
        assert read_histogram(point.histogram).total >= 0
        json.dumps(dict(point.details), ensure_ascii=False, allow_nan=False).encode()
        "".join(doubts_of(point)).encode()
    elif isinstance(event, SampleTaken):
        sample = event.sample
        assert all(map(math.isfinite, (sample.at_s, sample.rate_per_s, sample.p99_us)))
    elif isinstance(event, Warned):
        f"{event.code}{event.message}".encode()
