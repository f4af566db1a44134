"""What one point's own figures say against it."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.events import Calibrated
from probes.points import EndedBy, LimitedBy, Point, Probe, Sample, Setting, Trust
from probes.trust import arrival
from probes.trust.arrival.machine import ceiling_per_s
from probes.trust.change_points import read_phases
from probes.trust.point import CHECKS, judge
from tests.points import doubted, doubts_of, point
from tests.probes.trust.made import (
    DIRECTORY,
    UNTOUCHED,
    checks_in,
    detailed,
    device,
    host_sample,
    read,
    redo,
    samples,
    select,
    steady,
    verdict,
    write,
)

STEADY = [1000.0, 1010.0, 990.0, 1005.0, 995.0, 1000.0, 1010.0, 990.0, 1005.0, 995.0]
MIB = 1 << 20
GOOD = read(1000.0)
CEILING = {4096: {1: 400_000.0, 16: 500_000.0}, 16384: {1: 200_000.0, 16: 250_000.0}}


def calibrated(ceiling: dict[int, dict[int, float]] = CEILING) -> Calibrated:
    return Calibrated(21.0, 130.0, 2, {1: 5.0}, ceiling)


def judged(made: Point, seen: list[Sample] | None = None) -> Point:
    return judge(made, samples(STEADY) if seen is None else seen, calibrated=calibrated())


def test_a_steady_point_is_trusted() -> None:
    assert verdict(judged(GOOD)) == UNTOUCHED


def test_without_samples_details_and_calibration_nothing_is_held_against_a_point() -> None:
    unknown = replace(
        GOOD, ci95_per_s=(math.nan, math.nan), seconds=math.nan, direct=None, rate_per_s=1000.0
    )
    assert verdict(judge(unknown, (), calibrated=None)) == UNTOUCHED


READ_2_MIB = {"reads": 128, "read_bytes": 2 * MIB}

DOUBTFUL = {
    "buffered": (replace(GOOD, direct=False), STEADY, {}, "page cache took part"),
    "wide": (point(GOOD.setting, 1000.0, half=0.6), STEADY, {}, "from 400/s to 1.60\u202fk/s"),
    "one failed": (detailed(GOOD, errors=1), STEADY, {}, "1 operation failed."),
    "three failed": (detailed(GOOD, errors=3), STEADY, {}, "3 operations failed."),
    "no rows": (detailed(select(9e3), missing_rows=7), STEADY, {}, "7 lookups found no row"),
    "fewer threads": (detailed(read(1e3, 64), threads=9), STEADY, {}, "Only 9 of 64 threads"),
    "burst": (
        replace(GOOD, seconds=3.2),
        [3000.0] * 8 + [1000.0] * 8,
        {},
        "stepped from 3.00\u202fk/s to 1.00\u202fk/s after 1.60",
    ),
    "drift": (
        replace(GOOD, seconds=2.4),
        [1000.0 + 60 * n for n in range(12)],
        {},
        "it rose from 1.15\u202fk/s",
    ),
    "others read": (
        device(GOOD, did={"reads": 256, "read_bytes": 4 * MIB}, asked=READ_2_MIB),
        STEADY,
        {},
        "Others used vda during the point: 128 reads (2\u202fMiB), 50\u202f% of its I/O.",
    ),
    "others read beside the server": (
        device(
            GOOD,
            did={"reads": 512, "read_bytes": 8 * MIB},
            asked=READ_2_MIB,
            server={"read_bytes": 2 * MIB},
        ),
        STEADY,
        {},
        "4\u202fMiB of reads, 50\u202f% of its I/O.",
    ),
    "others write small": (
        device(
            GOOD, did={**READ_2_MIB, "writes": 30, "written_bytes": 30 * 4096}, asked=READ_2_MIB
        ),
        STEADY,
        {},
        "30 writes (120\u202fKiB), 19\u202f%",
    ),
    "others read merged": (
        device(
            GOOD,
            did={"reads": 90, "read_bytes": 35 * MIB, "writes": 57, "written_bytes": 57 * 4096},
            asked=READ_2_MIB,
        ),
        STEADY,
        {},
        "during the point: 33\u202fMiB of reads and 57 writes (228\u202fKiB), 9",
    ),
    "much steal": (detailed(GOOD, cpu_steal=0.12), STEADY, {}, "12\u202f% of the processors' time"),
    "noisy": (
        point(GOOD.setting, 1000.0, half=0.2),
        STEADY,
        {"cpu_steal": 0.04},
        "A noisy neighbour: the host gave 4\u202f%",
    ),
    "slower clock": (detailed(GOOD, mhz=[3000.0, 2400.0]), STEADY, {}, "from 3,000 to 2,400"),
    "jump": (detailed(GOOD, clock_jump_s=1.2), STEADY, {}, "jumped forward by 1.20\u202fs"),
    "jump back": (detailed(GOOD, clock_jump_s=-0.3), STEADY, {}, "back by 300\u202fms"),
    "prober": (read(120_000.0), STEADY, {}, "reaches 200\u202fk/s in memory here; at 60"),
}


@pytest.mark.parametrize("name", DOUBTFUL)
def test_doubts(name: str) -> None:
    made, rates, host, reason = DOUBTFUL[name]
    found = judged(made, samples(rates, host=host))
    assert found.trust is Trust.DOUBTFUL
    assert len(doubts_of(found)) == 1
    assert reason in doubts_of(found)[0]


REJECTED = {
    "nothing": (read(0.0), "Nothing finished"),
    "unseen reads": (
        device(read(9e4), did={"read_bytes": MIB}, asked={"read_bytes": 8 * MIB}),
        "Of 8\u202fMiB that were read past the page cache, vda saw 1\u202fMiB",
    ),
    "unseen syncs": (
        device(redo(30.0), did={"writes": 3}, asked={"writes": 900, "syncs": 900}),
        "Of 900 syncs, vda saw 3 writes",
    ),
}


@pytest.mark.parametrize("name", REJECTED)
def test_rejections(name: str) -> None:
    made, reason = REJECTED[name]
    found = judged(made)
    assert found.trust is Trust.REJECTED
    assert reason in doubts_of(found)[0]


SYNCED_16K = {"writes": 100, "syncs": 100, "written_bytes": 100 * 512}

FINE = {
    "filesystem's journal": device(
        redo(900.0), did={"writes": 300, "written_bytes": 100 * 7 * 4096}, asked=SYNCED_16K
    ),
    "split requests": device(GOOD, did={"reads": 512, "read_bytes": 2 * MIB}, asked=READ_2_MIB),
    "metadata": device(
        GOOD, did={**READ_2_MIB, "writes": 2, "written_bytes": 8192}, asked=READ_2_MIB
    ),
    "the advised server's reads": device(
        GOOD,
        did={"reads": 256, "read_bytes": 4 * MIB},
        asked=READ_2_MIB,
        server={"read_bytes": 2 * MIB},
    ),
    "the advised server's writes, with their journal": device(
        GOOD,
        did={**READ_2_MIB, "writes": 192, "written_bytes": 2 * MIB},
        asked=READ_2_MIB,
        server={"written_bytes": MIB},
    ),
    "a server's own reads": device(select(9e3), did={"reads": 9, "read_bytes": MIB}, asked={}),
    "a mixture's part": device(
        read(9e3, part="reads"),
        did={**READ_2_MIB, "writes": 9000, "written_bytes": 9 * MIB},
        asked=READ_2_MIB,
    ),
    "waking processors": detailed(GOOD, mhz=[1200.0, 3000.0]),
    "an ordinary correction": detailed(GOOD, clock_jump_s=0.004),
    "all threads": detailed(read(1e3, 64), threads=64),
    "half the ceiling": read(99_000.0),
    "a little steal": detailed(GOOD, cpu_steal=0.04),
    "some width": point(GOOD.setting, 1000.0, half=0.35),
    "lookups above the ceiling of reads": select(180_000.0),
}
FINE["a mixture's part"] = replace(
    FINE["a mixture's part"],
    setting=replace(FINE["a mixture's part"].setting, probe=Probe.MIXED),
)


@pytest.mark.parametrize("name", FINE)
def test_what_is_no_reason(name: str) -> None:
    assert verdict(judged(FINE[name])) == UNTOUCHED


@pytest.mark.parametrize("busy", [{"cpu_user": 0.5, "cpu_system": 0.4}, {"cpu_steal": 0.8}])
def test_busy_processors_mark_a_point_from_its_samples(busy: dict[str, float]) -> None:
    found = judged(GOOD, samples(STEADY, host=busy))
    assert found.limited_by is LimitedBy.CPU
    assert found.trust is (Trust.DOUBTFUL if "cpu_steal" in busy else Trust.OK)


def test_busy_processors_leave_the_trust_as_it_is() -> None:
    found = judged(detailed(GOOD, cpu_busy=0.93))
    assert verdict(found) == (Trust.OK, (), LimitedBy.CPU)
    assert verdict(judged(detailed(GOOD, cpu_busy=0.84))) == UNTOUCHED


def test_a_point_limited_by_both_is_the_probers() -> None:
    assert judged(detailed(read(190_000.0), cpu_busy=0.99)).limited_by is LimitedBy.PROBER


def test_the_clock_within_the_point_counts_more_than_around_it() -> None:
    clocks = [3000.0] * 5 + [2500.0] * 5
    seen = [
        replace(sample, host=host_sample(mhz=mhz))
        for sample, mhz in zip(samples(STEADY), clocks, strict=True)
    ]
    assert "from 3,000 to 2,500" in doubts_of(judged(GOOD, seen))[0]
    steady_clock = samples(STEADY, host={"mhz": 3000.0})
    assert verdict(judged(detailed(GOOD, mhz=[3000.0, 1000.0]), steady_clock)) == UNTOUCHED


def test_what_was_cut_off_as_warm_up_does_not_count() -> None:
    rising = samples([100.0, 200.0, 300.0, 400.0, *STEADY], begin=1)
    assert verdict(judged(GOOD, rising)) == UNTOUCHED
    assert judged(replace(GOOD, seconds=2.8), rising).trust is Trust.DOUBTFUL


def test_a_point_that_its_interval_ended_has_settled() -> None:
    drifting = samples([1000.0 + 60 * n for n in range(12)])
    ended = replace(GOOD, ended_by=EndedBy.INTERVAL, seconds=2.4)
    assert verdict(judged(ended, drifting)) == UNTOUCHED


def test_an_engines_own_doubts_stay_and_come_first() -> None:
    warned = replace(
        GOOD, trust=Trust.DOUBTFUL, doubts=doubted("4 writes were cut short."), direct=False
    )
    found = judged(warned)
    assert found.trust is Trust.DOUBTFUL
    assert doubts_of(found)[0] == "4 writes were cut short."
    assert len(doubts_of(found)) == 2


def test_judging_twice_says_nothing_twice() -> None:
    once = judged(detailed(replace(GOOD, direct=False), errors=3, cpu_busy=0.9))
    assert judged(once) == once


def test_a_long_write_keeps_its_phases_and_is_not_doubted_for_them() -> None:
    rates = [2000.0] * 50 + [500.0] * 100
    found = judge(replace(steady(), seconds=30.0), samples(rates), calibrated=None)
    assert found.trust is Trust.OK
    told = json.loads(json.dumps(dict(found.details)))
    assert [round(phase.rate_per_s) for phase in read_phases(told)] == [2000, 500]


@pytest.mark.parametrize(
    ("size", "threads", "expected"),
    [
        (4096, 1, 400_000),
        (16384, 16, 250_000),
        (16384, 1024, 250_000),
        (16384, 4, 225_000),
        (512, 1, 400_000),
        (8192, 1, 300_000),
        (65536, 1, 66_667),
        (1 << 20, 1, math.nan),
    ],
)
def test_the_ceiling_between_and_beyond_what_was_calibrated(
    size: int, threads: int, expected: float
) -> None:
    assert ceiling_per_s(CEILING, size, threads) == pytest.approx(expected, rel=0.01, nan_ok=True)


def test_a_disturbed_calibration_counts_by_its_best() -> None:
    disturbed = {16384: {1: 109_000.0, 4: 74_000.0, 16: 143_000.0}}
    assert ceiling_per_s(disturbed, 16384, 4) == 109_000.0


@given(
    st.dictionaries(
        st.sampled_from([512, 4096, 16384, 65536]),
        st.dictionaries(st.sampled_from([1, 4, 16, 64]), st.floats(1e3, 1e7), max_size=4),
        max_size=4,
    ),
    st.sampled_from([512, 1024, 4096, 8192, 16384, 32768, 65536]),
    st.integers(1, 1024),
)
def test_a_ceiling_is_never_above_all_that_was_calibrated(
    measured: dict[int, dict[int, float]], size: int, threads: int
) -> None:
    rates = [rate for levels in measured.values() for rate in levels.values()]
    ceiling = ceiling_per_s(measured, size, threads)
    known = [size for size, levels in measured.items() if levels]
    if not rates or size > 4 * max(known):
        assert math.isnan(ceiling)
    else:
        assert 0 < ceiling <= max(rates) * 1.0001


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers(-(10**12), 10**12) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
detail_names = [
    "errors", "missing_rows", "threads", "cpu_busy", "cpu_steal", "mhz", "clock_jump_s", "device",
    "issued", "phases",
]  # fmt: skip


@given(
    st.dictionaries(st.sampled_from(detail_names), json_values),
    st.lists(st.floats(0, 1e7) | st.just(0.0), max_size=30),
    st.sampled_from(list(Probe)),
    st.sampled_from([None, True, False]),
    st.floats(0, 1e7) | st.just(math.nan),
)
def test_whatever_an_engine_tells_a_point_keeps_its_figures_and_never_gains_trust(
    details: dict[str, object],
    rates: list[float],
    probe: Probe,
    direct: bool | None,
    rate: float,
) -> None:
    made = point(
        Setting(probe, 4, 16384, 1, DIRECTORY), rate, details=details, direct=direct,
        trust=Trust.DOUBTFUL, doubts=doubted("It was so before."),
    )  # fmt: skip
    found = judge(made, samples(rates, begin=3), calibrated=calibrated())
    assert found.trust is not Trust.OK
    assert doubts_of(found)[0] == "It was so before."
    assert all(reason.endswith(".") for reason in doubts_of(found))
    same = replace(
        found, trust=made.trust, doubts=made.doubts, limited_by=made.limited_by,
        details=made.details,
    )  # fmt: skip
    assert repr(same) == repr(made)


def test_noise_alone_is_seldom_doubted() -> None:
    """Of short points that swing by 15 % a sample, as drives do, hardly one is called a burst."""
    chance = random.Random(7)
    doubted = 0
    for _ in range(200):
        rates = [max(1.0, chance.gauss(1000, 150)) for _ in range(25)]
        doubted += judged(replace(GOOD, seconds=5.0), samples(rates)).trust is not Trust.OK
    assert doubted <= 6


def test_every_check_is_asked() -> None:
    assert set(CHECKS) == checks_in(arrival, "Remark | None")


def test_writes_are_held_against_the_ceiling_too() -> None:
    assert judged(write(150_000.0)).limited_by is LimitedBy.PROBER
