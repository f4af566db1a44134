"""The published figures are all there, as they were published."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from advisor.compare.contender import Contender
from advisor.compare.reference import library
from probes.points import Point, Probe, Trust

COUNTS = {
    "callaghan-flash-2010": 22,
    "callaghan-flash-2010-5084forever": 11,
    "callaghan-flash-2010-5147orig": 11,
    "callaghan-flash-2010-5147dev": 11,
    "callaghan-flash-2010-554m3": 11,
    "callaghan-flash-2010-5147dev-8k": 11,
    "callaghan-memory-2010-5084forever": 11,
    "callaghan-memory-2010-5147orig": 11,
    "callaghan-memory-2010-5147dev": 11,
    "callaghan-memory-2010-554m3-1": 11,
    "callaghan-memory-2010-554m3-4": 11,
    "callaghan-updates-2013-mysql4.0-cached-1table": 6,
    "callaghan-updates-2013-mysql5.6-cached-1table": 6,
    "callaghan-updates-2013-mysql4.0-cached-8tables": 6,
    "callaghan-updates-2013-mysql5.6-cached-8tables": 6,
    "callaghan-updates-2013-mysql4.0-iobound-1table": 6,
    "callaghan-updates-2013-mysql5.6-iobound-1table": 6,
    "callaghan-updates-2013-mysql5.6-fixed-iobound-1table": 6,
    "callaghan-updates-2013-mysql4.0-iobound-8tables": 6,
    "callaghan-updates-2013-mysql5.6-iobound-8tables": 6,
    "leadline-virtio-2026-amd": 6,
    "leadline-virtio-2026-intel": 3,
    "zaitsev-appliance-2008": 1,
    "zaitsev-appliance-2008-innodb": 2,
    "zaitsev-appliance-2008-innodb-no-checksums": 1,
    "zaitsev-appliance-2008-innodb-cached": 1,
    "zaitsev-appliance-2008-myisam": 2,
    "zaitsev-raid5-2008": 4,
    "zaitsev-raid5-2008-cached": 5,
    "zaitsev-raid5-2008-write-through": 3,
}


def named(key: str) -> Contender:
    (found,) = [each for each in library() if each.key == key]
    return found


def measured(key: str, probe: Probe, threads: int, block: int = 0, files: int = 1) -> Point:
    (found,) = [
        point
        for point in named(key).points
        if (point.setting.probe, point.setting.threads) == (probe, threads)
        and (point.setting.block_size_bytes, point.setting.files) == (block, files)
    ]
    return found


def test_every_figure_is_there() -> None:
    assert {each.key: len(each.points) for each in library()} == COUNTS
    probes = Counter(point.setting.probe for each in library() for point in each.points)
    assert probes == {
        Probe.RANDOM_READ: 22 + 1 + 4 + 8,
        Probe.REDO_SYNC: 1,
        Probe.RANDOM_WRITE: 8,
        Probe.POINT_SELECT: 4 * 11 + 11 + 5 * 11 + 6,
        Probe.PK_UPDATE: 54,
    }
    with_p95 = sum(
        not math.isnan(point.latency.p95_us) for each in library() for point in each.points
    )
    assert with_p95 == 10 * 11 + 1


@pytest.mark.parametrize(
    ("point", "rate_per_s", "p95_us"),
    [
        (measured("leadline-virtio-2026-amd", Probe.RANDOM_READ, 64, 16384), 62230, None),
        (measured("leadline-virtio-2026-amd", Probe.REDO_SYNC, 1, 4096), 9353, None),
        (measured("leadline-virtio-2026-intel", Probe.RANDOM_READ, 8, 16384), 35280, None),
        (measured("callaghan-flash-2010", Probe.RANDOM_READ, 1, 16384), 6069, None),
        (measured("callaghan-flash-2010", Probe.RANDOM_READ, 256, 16384), 29645, None),
        (measured("callaghan-flash-2010", Probe.RANDOM_READ, 64, 8192), 42786, None),
        (measured("callaghan-flash-2010-5147dev", Probe.POINT_SELECT, 256), 33101, 21110),
        (measured("callaghan-flash-2010-5084forever", Probe.POINT_SELECT, 1024), 2210, 916560),
        (measured("callaghan-flash-2010-5147dev-8k", Probe.POINT_SELECT, 128), 37155, 7560),
        (measured("callaghan-memory-2010-554m3-4", Probe.POINT_SELECT, 64), 77219, 1840),
        (measured("callaghan-memory-2010-5147orig", Probe.POINT_SELECT, 1024), 25023, 110850),
        (
            measured("callaghan-updates-2013-mysql5.6-cached-1table", Probe.PK_UPDATE, 32),
            70662,
            None,
        ),
        (
            measured("callaghan-updates-2013-mysql5.6-fixed-iobound-1table", Probe.PK_UPDATE, 16),
            15514,
            None,
        ),
        (measured("zaitsev-appliance-2008", Probe.RANDOM_READ, 16, 16384), 80000, None),
        (measured("zaitsev-appliance-2008-innodb", Probe.POINT_SELECT, 8), 13000, None),
        (measured("zaitsev-raid5-2008", Probe.RANDOM_READ, 64, 16384, 128), 2334.63, None),
        (measured("zaitsev-raid5-2008-cached", Probe.RANDOM_READ, 64, 16384), 23727.46, 3000),
        (
            measured("zaitsev-raid5-2008-write-through", Probe.RANDOM_WRITE, 64, 16384, 128),
            827.94,
            None,
        ),
    ],
)
def test_figures_are_as_published(point: Point, rate_per_s: float, p95_us: float | None) -> None:
    assert point.rate_per_s == rate_per_s
    assert point.latency.p95_us == p95_us or (p95_us is None and math.isnan(point.latency.p95_us))
    assert all(map(math.isnan, point.ci95_per_s))
    assert point.trust is Trust.OK


def test_each_says_where_it_comes_from_and_what_to_mind() -> None:
    for each in library():
        assert each.run_id is None
        assert each.engine.startswith(("sysbench", "fio"))
        # How old it is comes first, wherever it is named.
        year = each.conditions["year"]
        assert each.name.startswith(f"{year}, ")
        assert each.source.startswith(
            tuple(f"{year}, {by}, " for by in ("M. Callaghan", "P. Zaitsev", "Leadline"))
        )
        assert all(sentence.endswith(".") for sentence in each.caveats), each.key
    assert (
        named("callaghan-flash-2010").source == "2010, M. Callaghan, How many IOPs can InnoDB do?"
    )
    assert named("callaghan-flash-2010").conditions["file_bytes"] == str(28 * 1024**3)


def test_names_and_keys_are_unlike() -> None:
    assert len({each.name for each in library()}) == len(library())


def test_the_newest_are_listed_first() -> None:
    years = [int(each.conditions["year"]) for each in library()]
    assert years == sorted(years, reverse=True)
    assert years[0] >= 2026
