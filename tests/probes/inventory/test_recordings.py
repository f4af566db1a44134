"""Recorded answers of machines, each with the facts that a person read out of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from probes.inventory.facts import RawInventory
from probes.inventory.read import read

RECORDINGS = sorted((Path(__file__).parent / "recordings").glob("*.json"))


def differences(expected: object, found: Any, where: str = "") -> Iterator[str]:
    """Where ``found`` is not what was expected; what is not spelt out may be anything."""
    if isinstance(expected, dict):
        for name, value in expected.items():
            yield from differences(value, getattr(found, name), f"{where}.{name}")
    elif isinstance(expected, list) and expected and isinstance(expected[0], dict):
        if len(expected) != len(found):
            yield f"{where}: {len(found)} instead of {len(expected)}"
        for index, (value, item) in enumerate(zip(expected, found, strict=False)):
            yield from differences(value, item, f"{where}[{index}]")
    else:
        found = list(found) if isinstance(found, tuple) else found
        if expected != found:
            yield f"{where}: {found!r} instead of {expected!r}"


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_reads_what_a_person_read(path: Path) -> None:
    recording = json.loads(path.read_text(encoding="utf-8"))
    answers = {
        name: answer if isinstance(answer, str) else json.dumps(answer)
        for name, answer in recording["answers"].items()
    }
    inventory = read(RawInventory("2026-01-01T00:00:00+00:00", answers))
    expected = recording["expected"]

    assert list(differences(expected["host"], inventory.host, "host")) == []
    storage = {one.role.value: one for one in inventory.storage}
    assert set(storage) == set(expected["storage"])
    for role, facts in expected["storage"].items():
        assert list(differences(facts, storage[role], role)) == []
    missing = [[one.fact, one.because] for one in inventory.missing]
    assert missing == expected["missing"]


def test_there_are_recordings() -> None:
    assert len(RECORDINGS) >= 8
