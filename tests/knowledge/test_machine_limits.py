"""What machines let their volumes do: the table is read, and hangs together."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from advisor.knowledge.machine_limits import machine_limit

TABLE = tomllib.loads(
    (Path(__file__).parents[2] / "resources/cloud/machines.toml").read_text(encoding="utf-8")
)["cloud"]
ORDER = ["medium", "large", "xlarge", *(f"{n}xlarge" for n in (2, 4, 8, 12, 16, 24, 32, 48))]


@pytest.mark.parametrize(
    ("platform", "cpus", "pair"),
    [
        ("Amazon EC2 (r6i.large)", 2, (3600, 40000)),
        ("Amazon EC2 (m5.24xlarge)", 96, (80000, 80000)),
        ("Amazon EC2 (r6gd.12xlarge), in a docker container", 48, (50000, 50000)),
        ("Google Compute Engine", 15, (15000, 15000)),
        ("Google Compute Engine", 16, (25000, 25000)),
    ],
)
def test_a_machine_is_found_by_type_or_processors(
    platform: str, cpus: int, pair: tuple[int, int]
) -> None:
    limit = machine_limit(platform, cpus)
    assert limit is not None
    assert (limit.lasting_per_s, limit.most_per_s) == pair
    assert limit.lends == (pair[0] < pair[1])


@pytest.mark.parametrize(
    ("platform", "cpus"),
    [
        ("Amazon EC2", 8),
        ("Amazon EC2 (Xen, m4.large)", 2),
        ("Amazon EC2 (m5.3xlarge)", 12),
        ("Google Compute Engine", 128),
        ("Google Compute Engine", None),
        ("KVM/QEMU", 8),
    ],
)
def test_what_is_not_listed_is_unknown(platform: str, cpus: int | None) -> None:
    assert machine_limit(platform, cpus) is None


def test_larger_machines_do_not_get_less() -> None:
    for cloud in TABLE:
        assert cloud["source"]
        assert cloud["as_of"]
        for family in cloud.get("families", ()):
            sizes = [family["sizes"][name] for name in ORDER if name in family["sizes"]]
            assert sizes == sorted(sizes)
            assert all(lasting <= most for lasting, most in sizes)
            assert len(sizes) + ("metal" in family["sizes"]) == len(family["sizes"])
        assert sorted(cloud.get("below_cpus", [])) == cloud.get("below_cpus", [])


def test_no_machine_is_listed_twice() -> None:
    names = [
        name for cloud in TABLE for each in cloud.get("families", ()) for name in each["names"]
    ]
    assert len(set(names)) == len(names)
