"""What a run says in sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.wording.measured.findings import sentence
from probes.doubts import Doubt, DoubtKind, rejection
from probes.points import LimitedBy, Point, Trust
from probes.trust.findings import Finding, FindingName, findings
from probes.trust.point import judge
from probes.trust.review import review
from probes.trust.surroundings import Surroundings
from tests.points import doubted, point
from tests.probes.trust.made import NVME, VIRTUAL, device, on, read, samples, steady, write

GP3 = [
    point(read(rate, threads).setting, rate, 0.004)
    for threads, rate in ((1, 900.0), (4, 3002.0), (16, 3001.0), (64, 3003.0))
]
FOUR = ((1, 700.0), (4, 2559.0), (16, 2561.0), (64, 2560.0))
CAPPED = [
    point(read(rate, threads, size).setting, rate, 0.004)
    for size, rates in (
        (16384, (900.0, 3068.0, 3070.0, 3072.0)),
        (4096, (1200, 12280, 12281, 12279)),
    )
    for threads, rate in zip((1, 4, 16, 64), rates, strict=True)
]
SHARED = [
    *(point(read(rate, threads).setting, rate, 0.004) for threads, rate in FOUR),
    *(point(write(rate, threads).setting, rate, 0.004) for threads, rate in FOUR),
    *(point(read(rate, 4**n, 4096).setting, rate, 0.004) for n, rate in enumerate((1e3, 3e3, 6e3))),
]
TOUCHES = [
    read(3000.0, set="first_touch", touch="first"),
    read(9800.0, set="first_touch", touch="again"),
]
TOUCHES_16 = [
    read(20e3, 16, set="first_touch", touch="first"),
    read(31e3, 16, set="first_touch", touch="again"),
]
FALLING = judge(
    replace(steady(), seconds=30.0), samples([2000.0] * 50 + [400.0] * 100), calibrated=None
)
TO_BASE = judge(
    replace(steady(), seconds=30.0), samples([1000.0] * 50 + [125.0] * 100), calibrated=None
)
MIB = 1 << 20
DISTURBED = device(
    read(9e3),
    did={"reads": 900, "read_bytes": 9 * MIB},
    asked={"reads": 600, "read_bytes": 6 * MIB},
)
BUSY = [
    replace(read(9e3 * n, n), limited_by=LimitedBy.CPU if n > 8 else LimitedBy.NOTHING)
    for n in (1, 16, 64)
]

CASES: dict[str, tuple[list[Point], Surroundings, FindingName, list[str]]] = {
    "gp3": (
        GP3,
        on(replace(VIRTUAL, size_bytes=2 << 40), platform="Amazon EC2 (m5.large)"),
        FindingName.THROTTLED,
        [
            "Throttled: 16\u202fKiB reads stay at 3.00\u202fk/s from 4 to 64 threads",
            "3.00\u202fk/s = gp3 base or gp2 burst.",
            "credit",
        ],
    ),
    "round": (
        GP3,
        on(VIRTUAL),
        FindingName.THROTTLED,
        ["looks like a limit", "3.00\u202fk/s = gp3 base"],
    ),
    "two block sizes at one throughput": (
        CAPPED,
        on(VIRTUAL, platform="VMware"),
        FindingName.THROTTLED,
        ["and 4\u202fKiB reads have the same throughput: a limit on bytes, not the drive."],
    ),
    "one rate of reads and writes, and smaller blocks are faster": (
        SHARED,
        on(VIRTUAL, platform="VMware"),
        FindingName.THROTTLED,
        ["and so do 16\u202fKiB writes, while smaller ones go higher: a limit on bytes"],
    ),
    "cache, one level": (
        [read(9900.0), *TOUCHES],
        on(VIRTUAL),
        FindingName.HIDDEN_CACHE,
        [
            "1 thread came at 3.00\u202fk/s at the first touch",
            "9.80\u202fk/s at the second",
            "upper bound",
        ],
    ),
    "cache, two levels": (
        [read(9900.0), *TOUCHES, *TOUCHES_16],
        on(VIRTUAL),
        FindingName.HIDDEN_CACHE,
        ["The first touch feeds the rules"],
    ),
    "cache, large set": (
        [read(3100.0), *TOUCHES, *TOUCHES_16],
        on(VIRTUAL),
        FindingName.HIDDEN_CACHE,
        ["too large for that cache"],
    ),
    "small set": (
        [read(259.0), read(12897.0, set="small")],
        on(VIRTUAL),
        FindingName.SMALL_SET_CACHE,
        ["12.9\u202fk/s against 259/s of the large set at 1 thread."],
    ),
    "zeros": (
        [read(9e3, 16), read(30e3, 16, set="zeros")],
        on(VIRTUAL),
        FindingName.COMPRESSION,
        ["Zeros are read at 30.0\u202fk/s, random data at 9.00\u202fk/s"],
    ),
    "cliff": (
        [FALLING],
        on(NVME),
        FindingName.CLIFF,
        ["from 2.10\u202fGB/s to 419\u202fMB/s after 19.5\u202fGiB and 10\u202fs"],
    ),
    "cliff to a limit that is sold": (
        [TO_BASE],
        on(NVME, platform="Amazon EC2 (m5.large)"),
        FindingName.CLIFF,
        ["to 131\u202fMB/s after", "that is gp3 base throughput."],
    ),
    "others": (
        [read(9e3, 4), DISTURBED],
        on(NVME),
        FindingName.FOREIGN_IO,
        ["Others used vda during 1 point of 2: up to 33\u202f% of its I/O."],
    ),
    "the server's own load": (
        [
            read(9e3, 4),
            device(
                read(9e3),
                did={"reads": 900, "read_bytes": 9 * MIB},
                asked={"reads": 600, "read_bytes": 6 * MIB},
                server={"read_bytes": 3 * MIB},
            ),
        ],
        on(NVME),
        FindingName.BESIDE_SERVER,
        ["The server's own load used the drive during 1 point of 2: up to 33\u202f% of its"],
    ),
    "processors": (
        BUSY,
        on(NVME),
        FindingName.LIMITED_BY_CPU,
        ["busier than 85\u202f% from 16 threads on (random read 16\u202fKiB)"],
    ),
    "prober": (
        [replace(read(9e5, 64), limited_by=LimitedBy.PROBER)],
        on(NVME),
        FindingName.LIMITED_BY_PROBER,
        ["its own limit at 64 threads (random read 16\u202fKiB)"],
    ),
    "prober, not at every count": (
        [
            replace(
                read(9e5, threads), limited_by=LimitedBy.PROBER if limited else LimitedBy.NOTHING
            )
            for threads, limited in ((1, True), (4, False), (16, True), (64, True))
        ],
        on(NVME),
        FindingName.LIMITED_BY_PROBER,
        ["its own limit at 1 and from 16 threads on"],
    ),
    "prober, at few alone": (
        [
            replace(
                read(9e5, threads), limited_by=LimitedBy.PROBER if limited else LimitedBy.NOTHING
            )
            for threads, limited in ((1, True), (4, True), (16, False))
        ],
        on(NVME),
        FindingName.LIMITED_BY_PROBER,
        ["its own limit at 1 and 4 threads"],
    ),
    "memory": (
        [replace(read(9e3), direct=False), judge(read(9e5, 2), (), calibrated=None)],
        on(filesystem="tmpfs"),
        FindingName.NOT_A_DRIVE,
        ["2 points rejected: tmpfs lives in memory: no drive was measured."],
    ),
    "alike but for their figures, wide besides": (
        [
            replace(
                point(read(rate, threads).setting, rate, 0.004),
                latency=replace(read(rate, threads).latency, p50_us=took_us),
                trust=Trust.DOUBTFUL,
                doubts=doubted("The rate is known to \u00b1 80\u202f% only."),
            )
            for rate, threads, took_us in ((9e5, 1, 0.9), (2e6, 2, 0.8), (3e6, 4, 1.1))
        ],
        on(NVME),
        FindingName.NOT_A_DRIVE,
        ["3 points rejected, all like this one: A read took 900\u202fns: too fast for any drive"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_findings(name: str) -> None:
    points, surroundings, kind, parts = CASES[name]
    found = findings(review(points, surroundings), surroundings)
    [told] = [one for one in found if one.name is kind]
    said = sentence(told)
    assert all(part in said for part in parts), said
    assert told.points
    assert said.endswith(".")


def test_a_sentence_names_a_few_curves_and_counts_the_others() -> None:
    sizes = (4096, 8192, 16384, 32768, 65536)
    busy = [replace(point, limited_by=LimitedBy.CPU) for point in BUSY[:1]]
    points = [
        replace(point, setting=replace(point.setting, block_size_bytes=size))
        for point in busy
        for size in sizes
    ]
    [told] = [one for one in findings(points, on(NVME)) if one.name is FindingName.LIMITED_BY_CPU]
    assert (
        "(random read 4\u202fKiB, random read 8\u202fKiB, random read 16\u202fKiB, 2 others)"
        in sentence(told)
    )


def test_a_point_counts_once_for_reasons_that_differ_by_their_figures() -> None:
    def took(us: float) -> Doubt:
        return rejection(DoubtKind.IMPOSSIBLE_LATENCY, took_us=us)

    whys = ((took(3.0), took(2.0)), (took(4.0),), doubted("It swung.", rejects=True))
    points = [
        replace(read(9e3, threads), trust=Trust.REJECTED, doubts=why)
        for threads, why in zip((1, 2, 4), whys, strict=True)
    ]
    [told] = [one for one in findings(points, on(NVME)) if one.name is FindingName.NOT_A_DRIVE]
    assert sentence(told).startswith("3 points rejected, 2 of them like this one: A read took ")


def names(found: list[Finding]) -> list[FindingName]:
    return [one.name for one in found]


def test_a_quiet_run_says_nothing() -> None:
    points = [read(9e3), read(40e3, 16), read(41e3, 64), read(9.1e3, set="small")]
    assert findings(review(points, on(NVME)), on(NVME)) == []
    assert findings([], Surroundings()) == []


def test_one_limit_is_told_once_for_all_curves() -> None:
    larger = [
        point(read(one.rate_per_s, one.setting.threads, 4096).setting, one.rate_per_s, 0.004)
        for one in GP3
    ]
    found = findings([*GP3, *larger], on(VIRTUAL))
    assert names(found) == [FindingName.THROTTLED]


def test_processors_are_told_once_for_each_probe_and_size() -> None:
    growing = [
        replace(one, setting=replace(one.setting, options={"set": "small"})) for one in BUSY[2:]
    ]
    [found] = findings([*BUSY, *growing], on(NVME))
    assert sentence(found).count("from") == 1
    assert len(found.points) == 3


def test_holes_are_no_finding() -> None:
    points = [read(9e3, 16), read(900e3, 16, set="sparse")]
    assert findings(review(points, on(NVME)), on(NVME)) == []


def test_a_rise_is_no_cliff() -> None:
    rising = judge(
        replace(steady(), seconds=30.0), samples([400.0] * 75 + [2000.0] * 75), calibrated=None
    )
    assert findings([rising], on(NVME)) == []
