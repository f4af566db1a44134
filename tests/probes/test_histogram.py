"""Histograms of the one shape that is written are read; all others are refused before they cost."""

from __future__ import annotations

import base64
import random
import tracemalloc
import zlib
from collections.abc import Callable

import pytest
from hdrh.histogram import HdrHistogram

from advisor.model.curves.latency_bins import shares
from probes.boundary.malformed import Malformed
from probes.statistics.histogram import (
    DIGITS,
    HIGHEST_NS,
    LONGEST_LETTERS,
    LOWEST_NS,
    Histogram,
    read_histogram,
    summarise,
)
from tests.probes.engines.hostile_agent import gigabyte, swelling
from tests.probes.engines.hostile_agent import histogram as framed
from tests.probes.engines.lines import histogram

BOMB = framed(digits=5, highest=1 << 62, counts=b"\x81\xa0\xf0\x05\x02")


def test_what_an_agent_writes_is_read() -> None:
    latency = summarise(read_histogram(histogram(100, 200, 900)))
    assert latency.p50_us == pytest.approx(200, rel=0.01)
    assert sum(shares(histogram(100, 200, 900))) == pytest.approx(1)


@pytest.mark.parametrize(
    "encoded",
    [
        BOMB,
        framed(digits=3),
        framed(lowest=1000),
        framed(highest=1 << 62),
        framed(counts=b"\xff" * 500),
        framed(counts=b"\x02" * 100_000),
        "",
        "HIST",
        "größe",
        "A" * 100_000,
        base64.b64encode(b"\x1c\x84\x93\x14" + bytes(50)).decode(),
    ],
)
def test_another_shape_is_refused(encoded: str) -> None:
    with pytest.raises(Malformed):
        read_histogram(encoded)
    assert shares(encoded) == ()


@pytest.mark.parametrize("make", [lambda: BOMB, gigabyte, swelling])
def test_a_refusal_costs_next_to_nothing(
    make: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of these took from 14 s to for ever, or a gigabyte: none may be unpacked or decoded."""
    bomb = make()
    decoded: list[bytes] = []
    monkeypatch.setattr("probes.statistics.histogram._counts", decoded.append)
    tracemalloc.start()
    try:
        with pytest.raises(Malformed):
            read_histogram(bomb)
        _, most_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert decoded == []
    assert most_bytes < 1 << 20


def test_what_swells_is_short_enough_to_be_unpacked() -> None:
    packed = base64.b64decode(swelling())[8:]
    assert len(swelling()) <= LONGEST_LETTERS
    assert len(zlib.decompress(packed)) > 40 << 20


def test_damaged_histograms_are_read_or_refused() -> None:
    chance = random.Random(5)
    whole = base64.b64decode(histogram(*range(1, 2000)))
    refused = 0
    for _ in range(2000):
        damaged = bytearray(whole)
        for _ in range(chance.choice((1, 2, 5))):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        try:
            summarise(read_histogram(base64.b64encode(damaged).decode()))
        except Malformed:
            refused += 1
    assert refused > 1000


def test_counts_that_are_nonsense_within_the_frame() -> None:
    """Nothing in them may end otherwise than by a refusal."""
    chance = random.Random(6)
    for _ in range(2000):
        try:
            summarise(read_histogram(framed(counts=chance.randbytes(chance.randrange(1, 400)))))
        except Malformed:
            continue


@pytest.mark.parametrize("seed", range(20))
def test_it_counts_and_writes_as_the_library_does(seed: int) -> None:
    """Its own implementation for Python reads what ours writes, and ours what that one does."""
    chance = random.Random(seed)
    ours, theirs = Histogram(), HdrHistogram(LOWEST_NS, HIGHEST_NS, DIGITS)
    for _ in range(chance.choice((1, 30, 2000))):
        latency = int(10 ** chance.uniform(0, 11))
        times = chance.choice((1, 1, 7, 1 << 20, 1 << 40))
        ours.record(latency, times)
        theirs.record_value(latency, times)
    again = HdrHistogram.decode(ours.encoded())
    assert list(again.counts) == ours.counts == list(theirs.counts)
    assert read_histogram(theirs.encode().decode()).counts == ours.counts
    for percent in (0.1, 50, 95, 99.9, 100):
        assert ours.at(percent) == theirs.get_value_at_percentile(percent)
    assert ours.total == theirs.get_total_count()
    assert ours.mean_ns() == pytest.approx(theirs.get_mean_value())
    assert ours.deviation_ns() == pytest.approx(theirs.get_stddev())
    summary = summarise(ours)
    assert summary.max_us == theirs.get_max_value() / 1000
    assert summary.p999_us == theirs.get_value_at_percentile(99.9) / 1000


def test_two_together_hold_what_both_hold() -> None:
    first, second = Histogram(), Histogram()
    first.record(100)
    second.record(100, 2)
    second.record(HIGHEST_NS * 3)
    first.add(second)
    assert first.total == 4
    assert [number for _, _, number in first.filled()] == [3, 1]
    low, high, _ = list(first.filled())[-1]
    assert low <= HIGHEST_NS <= high
