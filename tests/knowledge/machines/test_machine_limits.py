"""What machines let their volumes do: the table is read, and hangs together."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from advisor.knowledge.machine_classes import machine_class
from advisor.knowledge.machine_limits import (
    AZURE_MYSQL,
    CLOUD_SQL,
    MachineLimits,
    larger_class,
    limits_of_class,
    limits_of_platform,
    platform_of_class,
)
from probes.trust.provisioned import AWS, AZURE

TABLE = tomllib.loads(
    (Path(__file__).parents[3] / "resources/cloud/machines.toml").read_text(encoding="utf-8")
)["cloud"]
ORDER = ["nano", "micro", "small", "medium", "large", "xlarge"]
ORDER += [f"{n}xlarge" for n in (2, 4, 8, 10, 12, 16, 24, 32, 48)]
MB = 10**6
MIB = 2**20


def pairs(limits: MachineLimits | None) -> list[tuple[float, float]]:
    assert limits is not None
    return [(cap.lasting, cap.most) for cap in limits.caps]


@pytest.mark.parametrize(
    ("platform", "cpus", "requests", "throughput"),
    [
        ("Amazon EC2 (r6i.large)", 2, (3600, 40000), (81.25 * MB, 1250 * MB)),
        ("Amazon EC2 (m5.24xlarge)", 96, (80000, 80000), (2375 * MB, 2375 * MB)),
        ("Amazon EC2 (Xen, m4.large)", 2, (3600, 3600), (56.25 * MB, 56.25 * MB)),
        (
            "Amazon EC2 (r6gd.12xlarge), in a docker container",
            48,
            (50000, 50000),
            (1781.25 * MB, 1781.25 * MB),
        ),
        ("Amazon EC2 (c7g.large)", 2, None, None),
        ("Google Compute Engine", 15, (15000, 15000), None),
        ("Google Compute Engine", 16, (25000, 25000), None),
    ],
)
def test_a_machine_is_found_by_type_or_processors(
    platform: str,
    cpus: int,
    requests: tuple[float, float] | None,
    throughput: tuple[float, float] | None,
) -> None:
    found = limits_of_platform(platform, cpus)
    if requests is None:
        assert found is None
        return
    assert pairs(found) == [requests, *([throughput] if throughput else [])]
    assert found is not None
    assert found.requests.lends == (requests[0] < requests[1])


@pytest.mark.parametrize(
    ("platform", "cpus"),
    [
        ("Amazon EC2", 8),
        ("Amazon EC2 (m5.3xlarge)", 12),
        ("Microsoft Azure", 2),
        ("Google Compute Engine", 128),
        ("Google Compute Engine", None),
        ("KVM/QEMU", 8),
        ("", None),
    ],
)
def test_what_is_not_listed_is_unknown(platform: str, cpus: int | None) -> None:
    assert limits_of_platform(platform, cpus) is None


@pytest.mark.parametrize(
    ("platform", "name", "expected"),
    [
        (AWS, "db.r6g.large", [(3600, 20000), (78.75 * MB, 593.75 * MB)]),
        (AWS, "db.t4g.medium", [(2000, 11800), (43.375 * MB, 260.625 * MB)]),
        (AZURE, "Standard_D2ds_v4", [(3200, 3200), (48 * MB, 48 * MB)]),
        (AZURE, "standard_e4ds_v5", [(6400, 20000), (145 * MB, 1200 * MB)]),
        (AZURE_MYSQL, "Standard_E4ds_v5", [(10000, 10000)]),
        (AZURE_MYSQL, "Standard_B1ms", [(640, 640)]),
        (CLOUD_SQL, "db-custom-N4-16-65536", [(80000, 80000), (1200 * MIB, 1200 * MIB)]),
        (CLOUD_SQL, "db-custom-N4-7-16384", [(15000, 15000), (240 * MIB, 240 * MIB)]),
        (CLOUD_SQL, "db-c4a-highmem-4", [(50000, 50000), (800 * MIB, 800 * MIB)]),
    ],
)
def test_a_class_has_the_limits_of_its_provider(
    platform: str, name: str, expected: list[tuple[float, float]]
) -> None:
    assert pairs(limits_of_class(platform, name)) == expected


def test_a_class_without_a_table_has_none() -> None:
    assert limits_of_class(CLOUD_SQL, "db-custom-4-16384") is None
    assert limits_of_class(CLOUD_SQL, "db-custom-N4-64-262144") is None
    assert limits_of_class(AWS, "db.x2g.large") is None


def test_whose_machine_a_class_is_shows_in_its_name() -> None:
    assert platform_of_class("db.r6g.large") == AWS
    assert platform_of_class("Standard_D2ds_v4") == AZURE
    assert platform_of_class("mine") == ""


def test_the_next_class_is_the_smallest_of_its_family_that_lasts() -> None:
    limits = limits_of_class(AWS, "db.r6g.large")
    assert limits is not None
    assert limits.throughput is not None
    found = larger_class(limits, limits.caps)
    assert found is not None
    assert found.name == "db.r6g.large"
    for cap, wanted, expected in [
        (limits.requests, 5000, "db.r6g.xlarge"),
        (limits.throughput, 200 * MB, "db.r6g.2xlarge"),
        (limits.requests, 90000, None),
    ]:
        larger = larger_class(limits, [type(cap)(wanted, wanted, cap.in_bytes)])
        assert (larger and larger.name) == expected


def test_requests_reach_one_limit_first_by_their_size() -> None:
    limits = limits_of_class(AZURE, "Standard_D2ds_v4")
    assert limits is not None
    assert limits.first(16384) is limits.throughput
    assert limits.first(4096) is limits.requests


def test_larger_machines_do_not_get_less() -> None:
    for cloud in TABLE:
        assert cloud["source"]
        assert cloud["url"].startswith("https://")
        assert cloud["as_of"]
        for family in cloud.get("families", ()):
            assert {len(row) for row in family["sizes"].values()} <= {2, 4}
            sizes = [family["sizes"][name] for name in ORDER if name in family["sizes"]]
            for column in zip(*(sizes or family["sizes"].values()), strict=True):
                assert list(column) == sorted(column)
            for row in family["sizes"].values():
                assert row[0] <= row[1]
                assert len(row) == 2 or row[2] <= row[3]
            metal = [name for name in family["sizes"] if name.startswith("metal")]
            assert not sizes or len(sizes) + len(metal) == len(family["sizes"])
        for series in cloud.get("processors", ()):
            assert series["below"] == sorted(series["below"])


def test_no_machine_is_listed_twice() -> None:
    for cloud in TABLE:
        names = [
            pattern.format(size=size)
            for family in cloud.get("families", ())
            for pattern in family["names"]
            for size in family["sizes"]
        ]
        assert len(set(names)) == len(names)


def test_each_class_of_a_service_with_limits_has_processors_and_memory() -> None:
    for cloud in TABLE:
        for family in cloud.get("families", ()) if cloud["platform"] == AZURE_MYSQL else ():
            for pattern in family["names"]:
                for size in family["sizes"]:
                    assert machine_class(pattern.format(size=size)) is not None
