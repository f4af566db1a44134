"""What a second engine said, and how the server fared meanwhile."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from advisor.report.document.blocks import Block
from advisor.report.forms.text import page
from advisor.report.sections.measured import by_two_engines, two_engines
from advisor.report.terminal.run import probed
from advisor.run import RunKind
from advisor.wording.measured.summary import canary_sentence
from probes.figures import THIN
from probes.points import Probe
from tests.advisor.compare.contenders import rated, reads
from tests.advisor.report.builders import render, report
from tests.advisor.store.builders import BEATS

BOTH = [
    *reads({1: 1000.0, 8: 6000.0}),
    rated(Probe.RANDOM_READ, 1, 1010, engine="fio-3.33"),
    rated(Probe.RANDOM_READ, 8, 4000, engine="fio-3.33"),
    rated(Probe.RANDOM_READ, 64, 9000, engine="fio-3.33"),
]


def text_of(part: Iterable[Block]) -> str:
    return page(part, 140).replace(THIN, " ")


def test_two_engines_are_told_side_by_side() -> None:
    rows = [" ".join(line.split()) for line in text_of(two_engines(BOTH)).splitlines()]
    assert rows[0] == "measured agent /s other /s engine other / first"
    assert rows[2:] == [
        "random read 16 KiB, 1 thread 1.00k ±2 % 1.01k ±2 % fio-3.33"
        " 1.01× (0.982–1.04), within measurement error",
        "random read 16 KiB, 8 threads 6.00k ±2 % 4.00k ±2 % fio-3.33 0.667× (0.648–0.686)",
    ]


def test_one_engine_alone_needs_no_table() -> None:
    assert not list(two_engines(reads({1: 1000.0})))
    assert not list(two_engines([]))
    assert by_two_engines(BOTH[2:]) == []


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
