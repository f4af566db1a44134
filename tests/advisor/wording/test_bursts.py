"""A burst of a watch: said where it is plain, and once."""

from __future__ import annotations

from dataclasses import replace

from advisor.wording.watch.bursts import burst_sentence
from advisor.wording.watch.rows import work_sentences
from probes.watch.over_time import Amounts, Course, OverTime, course
from probes.watch.watched import StatusSeries, Watched
from probes.watch.words import FileRole, Operation, Source

SECONDS = 20


def writes(*, calls: float = 50.0, burst_us: float = 45_000.0, at: int = 3) -> Course:
    """Writes of 1.5 ms each, those of one second of another latency."""
    amounts = [
        Amounts(calls, 16384 * calls, calls * (burst_us if second == at else 1500.0))
        for second in range(SECONDS)
    ]
    edges = tuple(map(float, range(SECONDS + 1)))
    return course(FileRole.DATA, Operation.WRITE, Source.TRACE, edges, amounts)


def said(*courses: Course) -> str:
    watched = Watched(StatusSeries((0.0, float(SECONDS)), {}), over_time=OverTime(courses))
    return burst_sentence(watched).replace("\u202f", " ")


def test_a_second_that_stands_far_out_is_said_with_the_median() -> None:
    told = "A burst at 4 s: data writes took 45 ms each, 30.0× their median of 1.50 ms."
    assert said(writes()) == told
    watched = Watched(StatusSeries((0.0, 20.0), {}), over_time=OverTime((writes(),)))
    assert told in [each.replace("\u202f", " ") for each in work_sentences(watched)]


def test_what_is_less_than_plain_is_not_said() -> None:
    assert said(writes(burst_us=12_000.0)) == ""
    assert said(writes(calls=5.0)) == ""
    assert said() == ""
    # Next to what another role's reads take it is nothing.
    reads = replace(writes(calls=20_000.0, burst_us=1500.0), operation=Operation.READ)
    assert said(writes(), reads) == ""


def test_of_several_the_one_that_took_most_is_said() -> None:
    redo = replace(writes(calls=500.0, at=7), of=FileRole.REDO)
    assert said(writes(), redo).startswith("A burst at 8 s: redo writes took 45 ms each")
