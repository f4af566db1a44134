"""What shows only beside other points, or with what is known of the drive."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.inventory.facts import Disk, Layer
from probes.points import Point, Probe, Setting, Trust
from probes.trust import across
from probes.trust.across.first_touch import first_touch_instead
from probes.trust.review import CHECKS, review
from probes.trust.surroundings import Surroundings
from tests.points import doubted, doubts_of, point
from tests.probes.trust.made import (
    CONSUMER_NVME,
    DIRECTORY,
    NVME,
    SATA,
    TURNING,
    VIRTUAL,
    checks_in,
    device,
    on,
    read,
    redo,
    select,
    write,
)

RAM = Disk("ram0", bus="memory")
PMEM = Disk("pmem0", bus="memory")
ISCSI = Disk("sdb", bus="iscsi")
MEMORY_LOOP = Layer("loop0", "loop", "/dev/shm/drive.img")


def last(points: Sequence[Point], surroundings: Surroundings) -> Point:
    """The last point's verdict, with all others beside it."""
    return review(points, surroundings)[-1]


CASES: dict[str, tuple[list[Point], Surroundings, Trust, str]] = {
    "tmpfs": ([read(9e3)], on(filesystem="tmpfs"), Trust.REJECTED, "tmpfs lives in memory"),
    "ram disk": ([read(9e3)], on(RAM), Trust.REJECTED, "ram0 lives in memory"),
    "loop on memory": (
        [read(9e3)], on(layers=(MEMORY_LOOP,)), Trust.REJECTED, "/dev/shm/drive.img lives"
    ),
    "4 µs a read": ([read(250e3)], on(NVME), Trust.REJECTED, "A read took 4\u202fµs"),
    "4 µs at 16 threads": ([read(4e6, 16, 4096)], on(NVME), Trust.REJECTED, "A read took 4"),
    "faster than SATA": (
        [read(60e3, 16)], on(SATA), Trust.REJECTED, "983\u202fMB/s is more than SATA can carry"
    ),
    "faster than two SATA disks": (
        [read(90e3, 16)], on(SATA, replace(SATA, name="sdb")), Trust.REJECTED, "2 disks on SATA"
    ),
    "writes faster than SATA": ([write(60e3, 16)], on(SATA), Trust.REJECTED, "600\u202fMB/s"),
    "faster than anything": (
        [read(1e6, 64, 65536)], on(VIRTUAL), Trust.REJECTED, "more than any drive can carry"
    ),
    "a disk that does not turn": (
        [read(3000.0, 4)], on(TURNING), Trust.DOUBTFUL, "3.00\u202fk/s random reads are more than 1"
    ),
    "ZFS": ([read(9e3)], on(filesystem="zfs"), Trust.DOUBTFUL, "ZFS may accept O_DIRECT"),
    "overlay like memory": (
        [read(50e3)], on(filesystem="overlay"), Trust.DOUBTFUL, "20\u202fµs a read looks like"
    ),
    "NFS like memory": (
        [read(50e3)], on(filesystem="nfs4"), Trust.DOUBTFUL, "nfs4 hides whether O_DIRECT"
    ),
    "small set": (
        [read(259.0), read(12897.0, set="small")],
        on(VIRTUAL),
        Trust.DOUBTFUL,
        "A cache holds this small set: 12.9\u202fk/s against 259/s of the large one.",
    ),
    "second touch": (
        [
            read(3000.0, set="first_touch", touch="first"),
            read(9800.0, set="first_touch", touch="again"),
        ],
        on(VIRTUAL),
        Trust.DOUBTFUL,
        "9.80\u202fk/s against 3.00\u202fk/s at the first touch",
    ),
    "zeros": (
        [read(9e3, 16), read(20e3, 16, set="zeros")], on(VIRTUAL), Trust.DOUBTFUL, "compresses"
    ),
    "holes": (
        [read(9e3, 16), read(50e3, 16, set="sparse")],
        on(VIRTUAL),
        Trust.REJECTED,
        "holes are answered without the drive",
    ),
    "sync without a drive": ([redo(3.0)], on(NVME), Trust.REJECTED, "no drive was asked"),
    "sync too fast": ([redo(15.0)], on(CONSUMER_NVME), Trust.DOUBTFUL, "too fast to be durable"),
    "sync too fast for a virtual disk": ([redo(15.0)], on(VIRTUAL), Trust.DOUBTFUL, "15"),
    "sync of a turning disk": ([redo(210.0)], on(TURNING), Trust.DOUBTFUL, "needs 2\u202fms to"),
    "sync without barriers": (
        [redo(900.0)], on(SATA, options=("rw", "nobarrier")), Trust.DOUBTFUL, "with nobarrier"
    ),
    "sync faster than a write": (
        [write(10e3), redo(40.0)], on(VIRTUAL), Trust.DOUBTFUL, "a mere direct write 100\u202fµs"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_cases(name: str) -> None:
    points, surroundings, trust, reason = CASES[name]
    found = last(points, surroundings)
    assert (found.trust, len(doubts_of(found))) == (trust, 1)
    assert reason in doubts_of(found)[0]


FINE: dict[str, tuple[list[Point], Surroundings]] = {
    "an NVMe drive": ([read(12e3), read(600e3, 64)], on(NVME)),
    "an unknown place": ([read(12e3), redo(25.0)], Surroundings()),
    "SATA within its bus": ([read(33e3, 32)], on(SATA)),
    "two disks together": ([read(60e3, 32)], on(SATA, replace(SATA, name="sdb"))),
    "persistent memory": ([read(400e3), redo(3.0)], on(PMEM)),
    "a network volume": ([read(100e3, 64)], on(ISCSI)),
    "a turning disk": ([read(400.0, 32), redo(8300.0)], on(TURNING)),
    "a virtual disk that says it turns": ([read(9e3)], on(VIRTUAL)),
    "overlay like a drive": ([read(9e3)], on(filesystem="overlay")),
    "NFS like a drive": ([read(9e3)], on(filesystem="nfs4")),
    "a protected drive's sync": ([redo(15.0)], on(NVME)),
    "a protected drive's sync beside its writes": ([write(40e3), redo(30.0)], on(NVME)),
    "small and large alike": ([read(9e3), read(20e3, set="small")], on(VIRTUAL)),
    "both touches alike": (
        [read(9e3, set="first_touch", touch="first"), read(11e3, set="first_touch", touch="again")],
        on(VIRTUAL),
    ),
    "a small set alone": ([read(50e3, set="small")], on(VIRTUAL)),
    "zeros of another thread count": ([read(3e3), read(20e3, 16, set="zeros")], on(VIRTUAL)),
    "a server in memory": ([select(30e3)], on(filesystem="tmpfs")),
    "zeros and holes as fast as random data of a small set": (
        [
            read(9e3, 16),
            read(25e3, 16, set="small"),
            read(25e3, 16, set="zeros"),
            read(26e3, 16, set="sparse"),
        ],
        on(VIRTUAL),
    ),
    "nothing finished beside something": ([read(0.0), read(9e3, set="small")], on(VIRTUAL)),
}


@pytest.mark.parametrize("name", FINE)
def test_what_is_no_reason(name: str) -> None:
    points, surroundings = FINE[name]
    assert review(points, surroundings) == points


def test_wide_intervals_that_overlap_show_no_cache() -> None:
    slow = point(read(1000.0).setting, 1000.0, half=0.9)
    fast = point(read(3100.0, set="small").setting, 3100.0, half=0.6)
    assert review([slow, fast], on(VIRTUAL)) == [slow, fast]


def test_without_intervals_the_rates_decide() -> None:
    unknown = (math.nan, math.nan)
    slow, fast = read(1000.0), read(3100.0, set="small")
    points = [replace(one, ci95_per_s=unknown) for one in (slow, fast)]
    assert last(points, on(VIRTUAL)).trust is Trust.DOUBTFUL


def touched(threads: int, first: float, again: float) -> list[Point]:
    return [
        read(first, threads, set="first_touch", touch="first"),
        read(again, threads, set="first_touch", touch="again"),
    ]


USUAL = [read(9800.0), read(30e3, 16), read(12e3, 1, 4096)]


def test_a_hidden_cache_makes_the_first_touch_feed_the_rules() -> None:
    points = [*USUAL, *touched(1, 3000.0, 9900.0), *touched(16, 20e3, 31e3)]
    found = review(points, on(VIRTUAL))
    assert [one.trust for one in found] == [
        *[Trust.DOUBTFUL] * 3,
        *[Trust.OK, Trust.DOUBTFUL] * 2,
    ]
    fed = first_touch_instead(found)
    assert [(one.rate_per_s, one.setting.threads) for one in fed] == [(3000.0, 1), (20e3, 16)]
    assert all(one.trust is Trust.OK and not one.setting.options for one in fed)


def test_a_single_first_touch_is_no_curve_and_leaves_the_usual_points() -> None:
    points = [*USUAL, *touched(1, 3000.0, 9900.0)]
    found = review(points, on(VIRTUAL))
    assert [one.trust for one in found] == [*[Trust.OK] * 4, Trust.DOUBTFUL]
    assert first_touch_instead(found) == found


def test_first_touches_that_are_doubtful_themselves_show_nothing() -> None:
    disturbed = [replace(one, trust=Trust.DOUBTFUL) for one in touched(16, 20e3, 31e3)]
    points = [*USUAL, *touched(1, 3000.0, 9900.0), *disturbed]
    assert first_touch_instead(review(points, on(VIRTUAL)))[:3] == USUAL
    alone = [replace(one, trust=Trust.DOUBTFUL) for one in touched(1, 3000.0, 9900.0)]
    assert review([*USUAL, *alone], on(VIRTUAL)) == [*USUAL, *alone]


def test_a_usual_set_larger_than_the_cache_stays() -> None:
    usual = [read(3100.0), read(21e3, 16)]
    points = [*usual, *touched(1, 3000.0, 9900.0), *touched(16, 20e3, 61e3)]
    found = review(points, on(VIRTUAL))
    assert [one.trust for one in found[:2]] == [Trust.OK, Trust.OK]
    assert first_touch_instead(found) == found


def test_other_directories_and_engines_have_caches_of_their_own() -> None:
    elsewhere = replace(USUAL[0], setting=replace(USUAL[0].setting, directory="/redo"))
    by_fio = replace(USUAL[0], engine="fio")
    points = [elsewhere, by_fio, *USUAL, *touched(1, 3e3, 9.9e3), *touched(16, 2e4, 6e4)]
    found = review(points, on(VIRTUAL))
    assert [one.trust for one in found[:3]] == [Trust.OK, Trust.OK, Trust.DOUBTFUL]
    assert first_touch_instead(found)[:2] == [elsewhere, by_fio]


def test_writes_and_redo_stay_when_reads_are_cached() -> None:
    points = [*USUAL, write(5e3), redo(900.0), *touched(1, 3e3, 9.9e3), *touched(16, 2e4, 6e4)]
    found = review(points, on(VIRTUAL))
    assert [one.trust for one in found[3:5]] == [Trust.OK, Trust.OK]
    assert found[3:5] == first_touch_instead(found)[:2]


def parts(others_bytes: int) -> list[Point]:
    """A mixture whose reads, redo and flush are all that the device did, but for others' bytes."""
    asked = {
        "reads": {"reads": 900, "read_bytes": 900 * 16384},
        "redo": {"writes": 100, "written_bytes": 100 * 4096, "syncs": 100},
        "flush": {"writes": 500, "written_bytes": 500 * 16384, "syncs": 10},
    }
    did = {
        "reads": 900 + others_bytes // 16384,
        "writes": 600,
        "read_bytes": 900 * 16384 + others_bytes,
        "written_bytes": 100 * 4096 + 500 * 16384,
    }
    made = []
    for part, issued in asked.items():
        options = {"part": part, "flush_per_s": "500", "doublewrite": "on", "sync": "fdatasync"}
        setting = Setting(Probe.MIXED, 16, 16384, 1, DIRECTORY, options)
        made.append(device(point(setting, 900.0), did=did, asked=issued))
    return made


def test_a_mixture_is_held_against_the_device_as_a_whole() -> None:
    assert review(parts(0), on(NVME)) == parts(0)
    disturbed = review(parts(6 << 20), on(NVME))
    assert [one.trust for one in disturbed] == [Trust.DOUBTFUL] * 3
    assert "Others used vda during the point: 384 reads (6" in doubts_of(disturbed[0])[0]


def test_two_mixtures_of_one_setting_are_apart() -> None:
    found = review([*parts(0), *parts(6 << 20)], on(NVME))
    assert [one.trust for one in found] == [*[Trust.OK] * 3, *[Trust.DOUBTFUL] * 3]


settings = st.builds(
    Setting,
    st.sampled_from(list(Probe)),
    st.sampled_from([1, 16]),
    st.sampled_from([4096, 16384]),
    st.just(1),
    st.sampled_from([DIRECTORY, "/elsewhere", ""]),
    st.fixed_dictionaries(
        {},
        optional={
            "set": st.sampled_from(["small", "first_touch", "zeros", "sparse"]),
            "touch": st.sampled_from(["first", "again"]),
            "part": st.just("reads"),
        },
    ),
)
any_points = st.lists(
    st.builds(
        point,
        settings,
        st.sampled_from([0.0, 100.0, 3e3, 2e4, 3e5, 5e6, math.nan]),
        half=st.sampled_from([0.01, 0.3, math.nan]),
        id=st.integers(1, 99),
        direct=st.sampled_from([None, True, False]),
        trust=st.sampled_from(list(Trust)),
        doubts=st.sampled_from([(), doubted("An earlier reason.")]),
    ),
    max_size=12,
)
any_place = st.sampled_from(
    [
        Surroundings(),
        on(),
        on(filesystem="tmpfs"),
        on(filesystem="zfs"),
        on(TURNING),
        on(SATA, VIRTUAL),
        on(NVME, options=("nobarrier",)),
        on(filesystem="overlay", platform="Amazon EC2 (m5.large)"),
    ]
)
RANKS = list(Trust)


@given(any_points, any_place)
def test_review_only_lowers_trust_and_keeps_everything_else(
    points: list[Point], surroundings: Surroundings
) -> None:
    found = review(points, surroundings)
    assert len(found) == len(points)
    for before, after in zip(points, found, strict=True):
        assert RANKS.index(after.trust) >= RANKS.index(before.trust)
        assert doubts_of(after)[: len(doubts_of(before))] == doubts_of(before)
        assert after.reach[0] <= before.reach[0]
        assert after.reach[1] >= before.reach[1]
        same = replace(after, trust=before.trust, doubts=before.doubts, details=before.details)
        assert repr(same) == repr(before)


@given(any_points, any_place)
def test_reviewing_again_changes_nothing(points: list[Point], surroundings: Surroundings) -> None:
    once = review(points, surroundings)
    assert repr(review(once, surroundings)) == repr(once)


@given(any_points)
def test_what_rules_see_is_never_more_than_what_was_measured(points: list[Point]) -> None:
    seen = first_touch_instead(points)
    assert {one.rate_per_s for one in seen if one.rate_per_s > 0} <= {
        one.rate_per_s for one in points
    }
    assert len(seen) <= len(points)


def test_every_check_is_asked() -> None:
    assert set(CHECKS) == checks_in(across, "Iterator[tuple[int, Remark]]")
