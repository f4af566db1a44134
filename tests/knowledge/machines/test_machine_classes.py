from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from advisor.knowledge.machine_classes import machine_class, near_classes
from probes.boundary.malformed import Malformed
from probes.inventory.facts import RawInventory
from probes.inventory.read import read
from probes.inventory.stated_machine import read_stated, stated_answer
from probes.targets.address import StatedMachine

GIB = 1 << 30


@pytest.mark.parametrize(
    ("name", "cpus", "gib"),
    [
        ("db.r6g.2xlarge", 8, 64),
        ("db.t3.micro", 2, 1),
        ("DB.M5.LARGE", 2, 8),
        ("Standard_E8ds_v4", 8, 64),
        ("db-n1-standard-1", 1, 3.75),
        ("Standard_B1ms", 1, 2),
        ("e64ds_v4", 64, 504),
        ("Standard_D16ads_v5", 16, 64),
        ("db.r8g.large", 2, 16),
        ("db-perf-optimized-N-8", 8, 64),
        ("db-f1-micro", 1, 0.6),
        ("db-custom-4-16384", 4, 16),
        ("db-custom-N4-2-8192", 2, 8),
    ],
)
def test_a_class_has_processors_and_memory(name: str, cpus: int, gib: float) -> None:
    known = machine_class(name)
    assert known is not None
    assert (known.cpus, known.memory_bytes) == (cpus, round(gib * GIB))
    assert known.source


@pytest.mark.parametrize("name", ["", "db.z9.huge", "db-custom-4", "r6g.2xlarge"])
def test_a_class_that_is_not_in_the_table(name: str) -> None:
    assert machine_class(name) is None


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("r6g.2xlarge", "db.r6g.2xlarge"),
        ("Standard_D8ds_v6", "Standard_D8ds_v4"),
        ("db.r6g.6xlarge", "db.r6g.xlarge"),
        ("db-n1-standard-6", "db-n1-standard-96"),
    ],
)
def test_names_near_an_unknown_one_are_known(name: str, near: str) -> None:
    assert near in near_classes(name)


def test_nothing_is_near_what_no_provider_has() -> None:
    assert near_classes("my own box") == []


def test_every_provider_names_its_source() -> None:
    text = files("resources").joinpath("cloud", "classes.toml").read_text(encoding="utf-8")
    for provider in tomllib.loads(text)["provider"]:
        assert provider["source"]
        assert provider["url"].startswith("https://")
        assert provider["as_of"]


def test_what_was_told_comes_back_from_its_answer() -> None:
    told = StatedMachine(64 * GIB, "db.r6g.2xlarge", 3000, 125 << 20)
    assert read_stated(stated_answer(told)) == told
    assert read_stated({}) is None


def test_an_answer_from_before_volumes_were_told_says_nothing_of_one() -> None:
    older = '{"memory_bytes": 68719476736, "machine_class": "db.r6g.2xlarge"}'
    assert read_stated({"machine.told": older}) == StatedMachine(64 * GIB, "db.r6g.2xlarge")


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "[]",
        "{}",
        '{"memory_bytes": -1, "machine_class": ""}',
        '{"memory_bytes": 1}',
        '{"memory_bytes": 1, "machine_class": "", "volume_requests_per_s": -1}',
        '{"memory_bytes": 1, "machine_class": "", "volume_bytes_per_s": "125M"}',
    ],
)
def test_a_damaged_answer_is_a_missing_fact(answer: str) -> None:
    with pytest.raises(Malformed):
        read_stated({"machine.told": answer})
    inventory = read(RawInventory("2026-01-01T00:00:00Z", {"machine.told": answer}))
    assert inventory.told is None
    assert [missing.fact for missing in inventory.missing] == ["told"]
