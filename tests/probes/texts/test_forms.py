"""Texts as people send them, each with the facts that are read of it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from probes.errors import ImportRefused
from probes.inventory.facts import Inventory, Role
from probes.inventory.read import read
from probes.targets.address import StatedMachine
from probes.texts.collection import Collection, collect
from probes.texts.reading.pieces import ServerText
from probes.texts.typed import Typed
from tests.each import of_each

CASES = Path(__file__).with_name("cases")
NOW_S = 1_800_000_000.0


def _texts(case: dict[str, Any]) -> list[ServerText]:
    files = case.get("files") or [{"name": case.get("file", "mail.txt"), "text": case["text"]}]
    return [ServerText(each["name"], each["text"]) for each in files]


def _cases() -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{path.stem}: {case['name']}", case)
        for path in sorted(CASES.glob("*.toml"))
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
    ]


def _collected(case: dict[str, Any]) -> Collection:
    typed = Typed(case.get("version", "8.0.36"), StatedMachine(), case.get("apart_s"))
    return collect(_texts(case), typed, NOW_S)


def _found(collection: Collection, inventory: Inventory) -> dict[str, Any]:
    """Everything that a case may expect, by the name that it has there."""
    mysql, host, told = inventory.mysql, inventory.host, inventory.told
    options = inventory.option_files
    data = inventory.role(Role.DATA)
    watched = inventory.watched
    device = None
    if watched is not None and watched.machine is not None:
        device = watched.machine.device("data")
    return {
        "version": None if mysql is None else str(mysql.version),
        "variables": {} if mysql is None else {n: v.value for n, v in mysql.variables.items()},
        "origins": {} if mysql is None else {n: v.origin for n, v in mysql.variables.items()},
        "status": {} if mysql is None or mysql.window is None else mysql.window.after,
        "data_bytes": None if mysql is None else mysql.innodb_files_bytes,
        "innodb": "" if mysql is None else mysql.innodb_status or "",
        "samples": collection.status.samples,
        "seconds": collection.status.seconds,
        "since_start": collection.status.since_start,
        "watched": watched is not None,
        "memory_bytes": None if host is None else host.memory_bytes,
        "available_bytes": None if host is None else host.memory_available_bytes,
        "swap_bytes": None if host is None else host.swap_bytes,
        "swappiness": None if host is None else host.swappiness,
        "kernel": None if host is None else host.kernel,
        "hostname": None if host is None else host.hostname,
        "cpus": None if host is None else host.cpu.threads,
        "cores": None if host is None else host.cpu.cores,
        "cpu_model": None if host is None else host.cpu.model,
        "platform": None if host is None else host.platform,
        "distribution": None if host is None else host.distribution,
        "huge_pages": None if host is None else host.transparent_hugepages,
        "told_memory_bytes": None if told is None else told.memory_bytes,
        "told_class": None if told is None else told.machine_class,
        "told_iops": None if told is None else told.volume_requests_per_s,
        "told_bytes_per_s": None if told is None else told.volume_bytes_per_s,
        "told_cpus": None if told is None else told.cpus,
        "options": [
            [line.number, line.written, line.value]
            for line in (() if options is None else options.lines)
        ],
        "files": [[file.path, file.because] for file in (() if options is None else options.files)],
        "ends": None if options is None or not options.files else options.files[0].ends,
        "filesystem": None if data is None else data.filesystem,
        "mount_options": None if data is None else list(data.mount_options),
        "size_bytes": None if data is None else data.size_bytes,
        "free_bytes": None if data is None else data.free_bytes,
        "chain": None if data is None else data.chain,
        "disks": [] if data is None else [d.name for d in data.disks],
        "reads_per_s": None if device is None else round(device.reads.per_s.value, 2),
        "read_us": None
        if device is None or device.reads.latency_us is None
        else round(device.reads.latency_us.value),
        "busy": None if device is None else round(device.busy.value, 3),
        "cpu_busy": None
        if watched is None or watched.machine is None or watched.machine.cpu_busy is None
        else round(watched.machine.cpu_busy.value, 3),
    }


def _check(case: dict[str, Any]) -> None:
    if "refused" in case:
        with pytest.raises(ImportRefused, match=case["refused"]):
            _collected(case)
        return
    collection = _collected(case)
    found = _found(collection, read(collection.raw))
    for name, wanted in case["facts"].items():
        if isinstance(wanted, dict):
            got = {each: found[name].get(each) for each in wanted}
            assert got == wanted, name
        elif name == "innodb":
            assert wanted in found[name]
        else:
            assert _plain(found[name]) == wanted, name
    for absent in case.get("absent", []):
        assert absent not in found["variables"], absent
        assert absent not in found["status"], absent
    for note in case.get("notes", []):
        assert any(note in each for each in collection.notes), collection.notes


def _plain(value: Any) -> Any:
    """A value as TOML has it, which knows no None."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return "none" if value is None else value


CASES_BY_NAME = dict(_cases())


def test_there_are_forty() -> None:
    assert len(CASES_BY_NAME) >= 40


@of_each(CASES_BY_NAME)
def test_each_text_has_its_facts(case: dict[str, Any]) -> None:
    _check(case)
