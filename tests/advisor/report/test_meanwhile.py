"""What a second engine said, and how the server fared meanwhile."""

from __future__ import annotations

import io
import math
from dataclasses import replace

from rich.console import Console

from advisor.report.text.cross_check import cross_table, pairs
from advisor.report.text.report import probed, render
from advisor.run import RunKind
from advisor.wording.measured.summary import canary_sentence
from probes.figures import THIN
from probes.points import Probe
from tests.advisor.compare.contenders import rated, reads
from tests.advisor.report.builders import report
from tests.advisor.store.builders import BEATS

BOTH = [
    *reads({1: 1000.0, 8: 6000.0}),
    rated(Probe.RANDOM_READ, 1, 1010, engine="fio-3.33"),
    rated(Probe.RANDOM_READ, 8, 4000, engine="fio-3.33"),
    rated(Probe.RANDOM_READ, 64, 9000, engine="fio-3.33"),
]


def text_of(part: object) -> str:
    console = Console(file=io.StringIO(), width=140, color_system=None)
    with console.capture() as captured:
        console.print(part)
    return captured.get().replace(THIN, " ")


def test_two_engines_are_told_side_by_side() -> None:
    rows = [" ".join(line.split()) for line in text_of(cross_table(BOTH)).splitlines()]
    assert rows[0] == "measured agent /s other /s engine other / first"
    assert rows[2:] == [
        "random read 16 KiB, 1 thread 1.00k ±2 % 1.01k ±2 % fio-3.33"
        " 1.01× (0.982–1.04), within measurement error",
        "random read 16 KiB, 8 threads 6.00k ±2 % 4.00k ±2 % fio-3.33 0.667× (0.648–0.686)",
    ]


def test_one_engine_alone_needs_no_table() -> None:
    assert cross_table(reads({1: 1000.0})) is None
    assert cross_table([]) is None
    assert pairs(BOTH[2:]) == []


def test_the_server_is_told_about_where_it_was_watched() -> None:
    said = canary_sentence(BEATS).replace(THIN, " ")
    assert said.startswith("The server was watched for 2 s: a read took 400 µs before;")
    assert "61.0 ms at most" in said
    assert "At most 41 threads ran, and 7 waited" in said
    assert canary_sentence([]) == ""
    assert canary_sentence([replace(BEATS[0], latency_us=math.nan)]) == ""


def test_a_probe_tells_both_and_a_check_neither() -> None:
    full = report()
    case = replace(full.case, points=tuple(BOTH))
    probe = replace(full, case=case, beats=BEATS, run=replace(full.run, kind=RunKind.PROBE))
    said = text_of(probed(probe))
    assert "Two engines" in said
    assert "The server was watched" in said
    assert "`leadline runs show 12`" in said
    assert "Advice" not in said
    assert "Two engines" in render(probe)
    assert "Two engines" not in render(replace(probe, run=full.run))
