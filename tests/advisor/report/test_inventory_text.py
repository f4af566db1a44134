"""What an inventory says of pages in one line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.report.inventory_rows import inventory_rows
from probes.figures import THIN
from probes.inventory.facts import (
    CpuFacts,
    Disk,
    HostFacts,
    Inventory,
    MySQLFacts,
    Role,
    Storage,
    Variable,
)
from probes.inventory.server_process import ServerProcess
from probes.version import ServerVersion

ZFS = Storage(Role.DATA, "/data", filesystem="zfs")
PLAIN = Storage(
    Role.PROBE,
    "/probe",
    filesystem="ext4",
    allocation_bytes=4096,
    disks=(Disk("vda", atomic_write_unit_max_bytes=4096),),
)


def torn_pages(inventory: Inventory) -> str:
    return dict(inventory_rows(inventory)).get("torn pages", "")


@pytest.mark.parametrize(
    ("storage", "page", "said"),
    [
        ((PLAIN,), "16384", "possible after a power cut: This ext4 gives out room in pieces of 4"),
        ((PLAIN, ZFS), "16384", "none to be feared: ZFS never writes over a page"),
        ((PLAIN,), "4096", "not known to be impossible: It is not known whether this ext4 has"),
        ((), "16384", ""),
    ],
)
def test_torn_pages(storage: tuple[Storage, ...], page: str, said: str) -> None:
    mysql = MySQLFacts(
        ServerVersion.parse("8.4.0"), {"innodb_page_size": Variable("innodb_page_size", page)}
    )
    inventory = Inventory("2026-01-01T00:00:00+00:00", storage=storage, mysql=mysql)
    assert torn_pages(inventory).startswith(said)
    assert bool(torn_pages(inventory)) == bool(said)


def test_without_a_server_pages_have_16_kib() -> None:
    inventory = Inventory("2026-01-01T00:00:00+00:00", storage=(replace(PLAIN, disks=()),))
    assert "a page of 16 KiB" in torn_pages(inventory)


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("26.7.0", ""),
        ("12.3.3-MariaDB", ""),
        ("26.10.0", "newer than all that Leadline knows: judged as MySQL 26.7"),
        ("13.0.1-MariaDB", "newer than all that Leadline knows: judged as MariaDB 12.3"),
    ],
)
def test_a_server_newer_than_all_that_are_known_is_said_to_be_so(version: str, said: str) -> None:
    mysql = MySQLFacts(ServerVersion.parse(version, "Source distribution"), {})
    row = dict(inventory_rows(Inventory("2026-11-01T00:00:00+00:00", mysql=mysql)))["server"]
    assert row.count("newer than all that Leadline knows") == bool(said)
    assert said in row


@pytest.mark.parametrize(
    ("process", "limit_bytes", "said"),
    [
        (None, None, "64 CPU threads · 384 GiB memory"),
        (ServerProcess(7, cpu_limit=0.0, memory_limit_bytes=0), None, "64 CPU threads · 384 GiB"),
        (ServerProcess(7, cpu_limit=64.0), None, "· 64 CPU threads · 384 GiB memory"),
        (
            ServerProcess(7, cpu_limit=4.0, memory_limit_bytes=16 << 30),
            None,
            "· 4 of 64 CPU threads · 16 of 384 GiB memory",
        ),
        (
            ServerProcess(7, cpu_limit=0.5),
            512 << 20,
            "· 0.5 of 64 CPU threads · 512 MiB of 384 GiB",
        ),
        (
            ServerProcess(7, memory_limit_bytes=16 << 30),
            32 << 30,
            "· 64 CPU threads · 16 of 384 GiB memory",
        ),
    ],
)
def test_what_a_group_grants_stands_before_what_the_machine_has(
    process: ServerProcess | None, limit_bytes: int | None, said: str
) -> None:
    host = HostFacts(
        "db", CpuFacts(threads=64), memory_bytes=384 << 30, memory_limit_bytes=limit_bytes
    )
    rows = dict(inventory_rows(Inventory("now", host=host, server_process=process)))
    assert said in rows["machine"].replace(THIN, " ")
