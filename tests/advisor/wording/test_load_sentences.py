"""What other programs measured has a sentence for each of its probes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.case import Case
from advisor.wording.measured.summary import sentences
from probes.doubts import stated
from probes.figures import THIN
from probes.imports import read_import
from probes.inventory.facts import Inventory
from probes.points import AT_LEAST, Latency, Point, Probe, Trust
from tests.advisor.compare.contenders import rated
from tests.probes.imports.conftest import RECORDINGS

UNTRUSTED = "Nothing was measured that can be trusted."
NAN = math.nan


def told(*points: Point) -> list[str]:
    """What is said of points, with plain spaces."""
    case = Case("them", Inventory("2026-01-02T03:04:05Z"), points)
    return [sentence.replace(THIN, " ") for sentence in sentences(case)]


def within(point: Point, p95_us: float) -> Point:
    return replace(point, latency=replace(point.latency, p95_us=p95_us))


def transactions(rates: Mapping[int, float], p95_us: float = NAN) -> list[Point]:
    made = (
        rated(
            Probe.OLTP,
            threads,
            rate,
            block=0,
            engine="sysbench",
            statements="both",
            per_transaction="14_reads_and_4_writes",
        )
        for threads, rate in rates.items()
    )
    return [within(point, p95_us) for point in made]


def test_transactions_at_their_best_and_beyond() -> None:
    found = transactions({64: 1500.4, 256: 1907.2, 512: 1467.0}, 223_000)
    assert told(*found) == [
        "Transactions of 14 reads and 4 writes: 1,907 transactions/s at 256 connections, 95 % of"
        " them within 223 ms; 1,467 at 512."
    ]


@pytest.mark.parametrize(
    ("rates", "said"),
    [
        ({8: 12_345.6}, "12,346 transactions/s at 8 connections."),
        ({1: 90.0, 4: 300.0}, "300 transactions/s at 4 connections."),
        ({1: 4.25}, "4.25 transactions/s at 1 connection."),
        ({2: 42.0, 1024: 17.0}, "42.0 transactions/s at 2 connections; 17.0 at 1,024."),
    ],
)
def test_transactions_are_counted(rates: Mapping[int, float], said: str) -> None:
    assert told(*transactions(rates)) == [f"Transactions of 14 reads and 4 writes: {said}"]


def test_each_kind_of_transaction_has_its_own() -> None:
    other = rated(Probe.OLTP, 8, 77.0, block=0, engine="sysbench", statements="reads")
    first, second = told(*transactions({8: 500.0}), other)
    assert first.startswith("Transactions of 14 reads and 4 writes: 500")
    assert second == "Transactions that only read: 77.0 transactions/s at 8 connections."


@pytest.mark.parametrize(
    ("point", "said"),
    [
        (
            rated(Probe.POINT_SELECT, 4, 122_434, block=0, protocol="prepared"),
            "The server answers 122 k primary-key lookups/s at 4 connections.",
        ),
        (
            within(rated(Probe.PK_UPDATE, 2, 3675, block=0, protocol="prepared"), 870),
            "The server makes 3.67 k primary-key updates/s at 2 connections, 95 % of them within"
            " 870 µs.",
        ),
        (
            rated(Probe.STEADY_WRITE, 2, 120, block=1 << 20),
            "Written in order, it takes 120 writes/s of 1 MiB at 2 threads.",
        ),
        (
            rated(Probe.REDO_SYNC, 1, 6866, block=16384, sync="fsync"),
            "One writer makes appends of 16 KiB safe on it (fsync): 6.87 k commits/s one after the"
            " other.",
        ),
        (
            rated(Probe.REDO_SYNC, 8, 20_000, block=512, sync="o_dsync"),
            "8 writers make appends of 512 B safe on it (o_dsync): 20.0 k commits/s.",
        ),
        (
            rated(Probe.PAGE_FLUSH, 1, 3000, doublewrite="legacy"),
            "Flushing 16 KiB pages, it takes 3.00 k pages/s with the doublewrite of before 8.0.20.",
        ),
        (
            rated(Probe.MIXED, 8, 900, part="reads", flush_per_s="max"),
            "Mixed load: reads 16 KiB, flushing at full speed: 900 reads/s at 8 readers.",
        ),
        (
            rated(Probe.PAGE_FLUSH, 1, 800, block=4096, doublewrite="off"),
            "Page flush 4 KiB, doublewrite off: 800 pages/s at 1 page cleaner.",
        ),
    ],
)
def test_each_probe_of_an_import_has_a_sentence(point: Point, said: str) -> None:
    assert told(point) == [said]
    doubted = told(replace(point, trust=Trust.DOUBTFUL))
    assert UNTRUSTED not in doubted
    assert " to " in doubted[0]
    rejected = replace(point, trust=Trust.REJECTED, doubts=(stated("No.", rejects=True),))
    assert told(rejected) == [UNTRUSTED]


def test_no_probe_is_left_unsaid_beside_others() -> None:
    said = told(
        rated(Probe.RANDOM_READ, 8, 9000),
        rated(Probe.MIXED, 8, 900, part="reads", flush_per_s="max"),
        rated(Probe.PAGE_FLUSH, 1, 800, block=4096, doublewrite="off"),
        rated(Probe.REDO_SYNC, 1, 500, block=512, sync="fsync", log="growing"),
    )
    assert [sentence.split()[0] for sentence in said] == ["The", "Mixed", "Page", "Redo"]


def test_a_single_level_does_not_say_what_more_would_bring() -> None:
    (sentence,) = told(rated(Probe.RANDOM_READ, 64, 980))
    assert sentence == "The drive gives 980 random reads/s of 16 KiB at 64 threads."


def test_the_plain_curve_is_told_of_several() -> None:
    deep = rated(Probe.RANDOM_WRITE, 8, 32, jobs="1")
    plain = rated(Probe.RANDOM_WRITE, 8, 88)
    (sentence,) = told(deep, plain)
    assert sentence.startswith("It takes 88.0 random writes/s")


def test_a_commit_of_which_only_the_mean_is_known() -> None:
    point = rated(Probe.REDO_SYNC, 1, 6866, block=16384, sync="fsync")
    known = replace(point, latency=Latency(145.0, NAN, NAN, NAN, NAN, NAN))
    (sentence,) = told(known)
    assert "is safe on it after 145 µs (fsync, mean): 6.87 k commits/s" in sentence


def test_what_lies_beyond_a_scale_is_told_as_its_end() -> None:
    point = replace(rated(Probe.RANDOM_READ, 64, 4.0), details={AT_LEAST: [0.95, 17_112_760.32]})
    (sentence,) = told(point)
    assert "at 64 threads, 5 % of them took at least 17.1 s" in sentence


def test_no_recording_with_a_trusted_point_is_called_untrusted() -> None:
    files = [*RECORDINGS.glob("sysbench-*oltp*"), *RECORDINGS.glob("sysbench-*read*")]
    files += [*RECORDINGS.glob("sysbench-*update*"), *RECORDINGS.glob("fio-*.json")]
    read = 0
    for file in files:
        if not _readable(file):
            continue
        read += 1
        points = read_import(file).points
        assert UNTRUSTED not in told(*points), file.name
    assert read > 15


def _readable(file: Path) -> bool:
    return file.name not in {"fio-2-without-options.json", "fio-engine-without-io.json"}
