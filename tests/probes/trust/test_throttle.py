"""Limits that somebody set are told from drives, and named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.inventory.facts import Disk
from probes.points import LimitedBy, Point, Trust
from probes.trust.provisioned import CLOUDS, GIB, LIMITS, MIB, cloud_of, growing, sold_with
from probes.trust.throttle import ThrottleEvidence, round_figure, throttles
from tests.points import point
from tests.probes.trust.made import on, read, write

FLASH = [6069, 12620, 18976, 21127, 24377, 28941, 29230, 29457, 29645, 29587, 29470]
"""16 KiB reads/s at 1, 2, 4 ... 1024 threads: M. Callaghan, "How many IOPs can InnoDB do?"."""

FLASH_8K = [6758, 14050, 21120, 24260, 30100, 37850, 40853, 42300, 43296, 43100, 42900]

AWS = "Amazon EC2 (m5.large)"


def curve(rates: Sequence[float], size: int = 16384, half: float = 0.004) -> list[Point]:
    return [
        point(read(rate, 1 << step, size).setting, rate, half) for step, rate in enumerate(rates)
    ]


def volume(gib: int) -> Disk:
    return Disk("nvme1n1", bus="nvme", size_bytes=gib * GIB)


ROUGH = [900, 1800, 2980, 3030, 3010, 2990, 3020]
GP3 = [900, 1800, 2990, 3004, 3002, 3001, 3003]


def test_gp3_is_named_on_aws() -> None:
    [found] = throttles(curve(GP3), on(volume(200), platform=AWS))
    assert (found.figure, found.evidence, found.in_bytes) == (3000, ThrottleEvidence.SOLD, False)
    assert [limit.name for limit in found.limits] == ["gp3 base", "gp2 burst"]
    assert [one.setting.threads for one in found.plateau.points] == [4, 8, 16, 32, 64]


@pytest.mark.parametrize(
    ("platform", "gib", "top", "name"),
    [
        (AWS, 400, 1200, "gp2 (3 IOPS per GiB)"),
        (AWS, 20, 100, "gp2 (3 IOPS per GiB)"),
        ("Google Compute Engine", 500, 6000, "pd-balanced (3,000 and 6 IOPS per GiB)"),
        ("Google Compute Engine", 100, 9000, "pd-ssd (6,000 and 30 IOPS per GiB)"),
        ("Microsoft Azure", 128, 500, "P10, or Standard SSD and HDD"),
        ("Microsoft Azure", 512, 2300, "P20"),
        ("Microsoft Azure", 1024, 5000, "P30"),
        ("Oracle Cloud", 100, 6000, "Balanced (60 IOPS per GB)"),
    ],
)
def test_volumes_of_the_clouds(platform: str, gib: int, top: float, name: str) -> None:
    [found] = throttles(
        curve([top * 0.4, top * 0.8, top, top, top]), on(volume(gib), platform=platform)
    )
    assert found.figure == top
    assert name in [limit.name for limit in found.limits]


def test_throughput_is_named_too() -> None:
    rates = [n * 2**20 / 65536 for n in (40, 80, 125, 125.3, 124.9, 125.1)]
    [found] = throttles(curve(rates, 65536), on(volume(200), platform=AWS))
    assert found.in_bytes
    assert [limit.name for limit in found.limits] == ["gp3 base throughput"]


@pytest.mark.parametrize(
    ("gib", "mib", "name"),
    [
        (200, 196, "pd-balanced throughput (140 and 0.28 MiB/s per GiB)"),
        (200, 336, "pd-ssd throughput (240 and 0.48 MiB/s per GiB)"),
        (1000, 120, "pd-standard throughput (0.12 MiB/s per GiB)"),
    ],
)
def test_a_persistent_disks_bytes_come_with_its_size(gib: int, mib: float, name: str) -> None:
    top = mib * MIB / 65536
    platform = "Google Compute Engine"
    [found] = throttles(
        curve([top * 0.4, top * 0.8, top, top, top], 65536), on(volume(gib), platform=platform)
    )
    assert found.in_bytes and found.figure == pytest.approx(mib * MIB)
    assert [limit.name for limit in found.limits] == [name]
    grown = growing(found.limits, 2 * found.figure)
    assert grown is not None and grown.gib_for(found.figure) == pytest.approx(gib)
    assert growing(found.limits, 1201 * MIB) is None
    beside = sold_with(grown, found.figure)
    assert beside is not None and not beside[0].in_bytes and beside[1] == beside[0].at(gib * GIB)


def test_a_stripe_of_volumes_is_not_judged_by_the_size_of_one() -> None:
    rates = [300.0, 1200, 1200, 1200]
    disks = (volume(400), replace(volume(400), name="nvme2n1"))
    found = throttles(curve(rates), on(*disks, platform=AWS))
    assert [one.evidence for one in found] == [ThrottleEvidence.ROUND]


def test_one_rate_for_two_block_sizes_is_a_limit_on_requests() -> None:
    points = [*curve([2000, 3900, 4433, 4440, 4436]), *curve([2500, 4420, 4440, 4439, 4441], 4096)]
    found = throttles(points, on())
    assert [one.evidence for one in found] == [ThrottleEvidence.SAME_RATE] * 2


def test_one_rate_for_reads_and_writes_is_a_limit_on_requests() -> None:
    writes = [point(write(4440, 1 << n).setting, 4440, 0.004) for n in range(5)]
    found = throttles([*curve([2000, 3900, 4433, 4440, 4436]), *writes], on())
    assert {one.evidence for one in found} == {ThrottleEvidence.SAME_RATE}


def half_of_all(at_16k: float, at_4k: float) -> list[Point]:
    """Reads and writes of 16 KiB and reads of 4 KiB that stop at these rates."""
    writes = [point(write(at_16k, 1 << n).setting, at_16k * (1, 1.002)[n % 2]) for n in range(5)]
    reads = curve([at_16k * part for part in (0.3, 0.9, 1, 1.001, 1)])
    small = curve([at_4k * part for part in (0.2, 0.6, 1, 1.001, 1)], 4096)
    return [*reads, *small, *writes]


@pytest.mark.parametrize(
    ("mib_per_s", "platform", "bus"),
    [(48, "VMware", "scsi"), (130, "OpenStack", "virtio"), (410, "KVM/QEMU", "virtio-scsi"),
     (70, "", "sata"), (23, AWS, "nvme")],
)  # fmt: skip
def test_one_throughput_of_two_block_sizes_is_a_limit_on_bytes(
    mib_per_s: float, platform: str, bus: str
) -> None:
    points = half_of_all(mib_per_s * 64, mib_per_s * 256)
    found = throttles(points, on(Disk("sda", bus=bus), platform=platform))
    assert {one.evidence for one in found} == {ThrottleEvidence.SAME_THROUGHPUT}
    assert all(one.in_bytes for one in found)
    assert len(found) == 3
    for one in found:
        assert one.figure == pytest.approx(mib_per_s * 2**20, rel=0.01)


@pytest.mark.parametrize(("bus", "mb_per_s"), [("sata", 540), ("sata", 270), ("nvme", 3300)])
def test_a_link_of_the_machines_own_that_is_full_is_no_limit(bus: str, mb_per_s: float) -> None:
    at_16k, at_4k = mb_per_s * 1e6 / 16384, mb_per_s * 1e6 / 4096
    reads = [
        *curve([at_16k * part for part in (0.3, 0.9, 1, 1.001, 1)]),
        *curve([at_4k * part for part in (0.2, 0.6, 1, 1.001, 1)], 4096),
    ]
    assert throttles(reads, on(Disk("sda", bus=bus))) == []
    lent = on(Disk("sda", bus=bus), platform="VMware")
    assert {one.evidence for one in throttles(reads, lent)} == {ThrottleEvidence.SAME_THROUGHPUT}


def test_flash_that_writes_two_block_sizes_at_one_throughput_is_at_its_own_end() -> None:
    large = [point(write(6103, 1 << n).setting, 6103 * (1, 1.002)[n % 2]) for n in range(5)]
    small = [point(write(24400, 1 << n, 4096).setting, 24400) for n in range(5)]
    assert throttles([*large, *small], on(Disk("sda", bus="sata"))) == []


@pytest.mark.parametrize(("shared", "small"), [(3070, 9800), (7450, 16100), (1210, 2900)])
def test_what_reads_and_writes_share_where_smaller_blocks_go_higher_is_bytes(
    shared: float, small: float
) -> None:
    climbing = curve([small / 5, small / 3, small / 2, small / 1.3, small], 4096)
    writes = [point(write(shared, 1 << n).setting, shared * (1, 1.002)[n % 2]) for n in range(5)]
    reads = curve([shared * part for part in (0.3, 0.9, 1, 1.001, 1)])
    found = throttles(
        [*reads, *writes, *climbing], on(Disk("vda", bus="virtio"), platform="VMware")
    )
    assert {one.evidence for one in found} == {ThrottleEvidence.SAME_RATE}
    assert all(one.in_bytes for one in found)


def test_a_sold_rate_is_no_limit_where_smaller_blocks_of_the_volume_go_higher() -> None:
    points = half_of_all(3005, 12020)
    found = throttles(points, on(volume(200), platform=AWS))
    assert {(one.evidence, one.in_bytes) for one in found} == {
        (ThrottleEvidence.SAME_THROUGHPUT, True)
    }


def test_a_round_figure_without_a_known_cloud_is_likely() -> None:
    [found] = throttles(curve(GP3), on())
    assert (found.evidence, found.figure) == (ThrottleEvidence.ROUND, 3000)
    assert "gp3 base" in [limit.name for limit in found.limits]


def test_the_published_flash_card_is_no_throttle() -> None:
    points = [*curve(FLASH), *curve(FLASH_8K, 8192)]
    for platform in ("", AWS, "Microsoft Azure"):
        assert throttles(points, on(volume(320), platform=platform)) == []


def test_rates_that_agree_need_no_narrow_intervals_and_no_idle_processors() -> None:
    points = [replace(one, limited_by=LimitedBy.CPU) for one in curve(GP3, half=0.3)]
    [found] = throttles(points, on(volume(200), platform=AWS))
    assert found.figure == 3000
    assert [one.figure for one in throttles(points, on())] == [3000]


def test_a_burst_at_one_thread_count_does_not_hide_the_limit() -> None:
    [found] = throttles(curve([900, 1800, 3104, 2999, 2998, 3000, 3001], half=0.3), on())
    assert found.figure == 3000
    assert [one.setting.threads for one in found.plateau.points] == [8, 16, 32, 64]


def test_narrow_intervals_need_no_rates_that_agree() -> None:
    [found] = throttles(curve(ROUGH), on(volume(200), platform=AWS))
    assert found.figure == 3000
    assert throttles(curve(ROUGH[:4]), on(volume(200), platform=AWS)) == []


@pytest.mark.parametrize(
    "points",
    [
        curve([900, 1800, 2600, 2800, 3003]),
        curve([2999, 3001]),
        curve(ROUGH, half=0.05),
        [replace(one, limited_by=LimitedBy.CPU) for one in curve(ROUGH)],
        [replace(one, limited_by=LimitedBy.PROBER) for one in curve(GP3)],
        [replace(one, trust=Trust.REJECTED) for one in curve(GP3)],
        curve([3000.0, 900, 3000, 900, 3000]),
    ],
    ids=["climbing", "two threads only", "wide", "busy", "prober", "rejected", "not together"],
)
def test_what_is_no_plateau(points: list[Point]) -> None:
    assert throttles(points, on(volume(200), platform=AWS)) == []


@given(st.floats(1.0, 1e9))
def test_a_round_figure_is_near_and_round(rate: float) -> None:
    figure = round_figure(rate)
    assert 0.7 < figure / rate < 1.4
    assert len(f"{figure:.0f}".rstrip("0")) <= 3


def test_each_limit_is_complete() -> None:
    for limit in LIMITS:
        assert cloud_of(limit.platform) == limit.platform
        assert limit.at(1000 * GIB) > 0
        assert limit.name
    assert {limit.platform for limit in LIMITS} == CLOUDS
    assert cloud_of("KVM/QEMU") == ""
