"""Where temporary tables live."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.facts.catalogue import CATALOGUE
from advisor.facts.readings import Absent, Reading
from advisor.wording.advice.why import because
from tests.rules.casework import build

TOLD = {"variables": {"internal_tmp_mem_storage_engine": "TempTable"}}


def read(name: str, spec: dict[str, Any]) -> Reading | Absent:
    return CATALOGUE[name].read(build(spec))


@pytest.mark.parametrize(
    ("spec", "engine"),
    [
        ({"version": "5.7.44"}, "MEMORY"),
        ({"version": "11.4.5-MariaDB"}, "MEMORY"),
        ({"version": "8.0.33"} | TOLD, "TempTable"),
        ({"version": "8.0.33", "sandbox": True}, "TempTable"),
    ],
)
def test_the_engine_is_told_or_the_only_one(spec: dict[str, Any], engine: str) -> None:
    reading = read("temp.engine", spec)
    assert isinstance(reading, Reading)
    assert reading.value == engine


def test_a_choice_that_was_not_told_is_not_guessed() -> None:
    reading = read("temp.engine", {"version": "8.0.33"})
    assert isinstance(reading, Absent)
    assert "did not report its internal_tmp_mem_storage_engine" in because(reading.because)


def test_room_needs_both_figures() -> None:
    drive = {"drive": {"filesystem": "ext4"}}
    known = read(
        "temp.room_beside_data",
        drive | {"where": {"data": {"free_bytes": 1 << 30, "size_bytes": 4 << 30}}},
    )
    assert isinstance(known, Reading)
    assert known.text.replace("\u202f", " ") == "1 GiB free (25 %) in /data"
    assert isinstance(
        read("temp.room_beside_data", drive | {"where": {"data": {"free_bytes": 1 << 30}}}), Absent
    )


def test_the_directory_is_the_servers_own() -> None:
    assert isinstance(read("temp.directory", {"drive": {"filesystem": "ext4"}}), Absent)
    where = {"tmp": {"filesystem": "tmpfs"}}
    found = read("temp.directory", {"drive": {"filesystem": "ext4"}, "where": where})
    assert isinstance(found, Reading)
    assert found.text.startswith("/tmp on tmpfs")
