import json
from collections.abc import Mapping

import pytest

from probes.inventory.facts import RawInventory
from probes.inventory.read import read
from probes.inventory.server_process import ServerProcess
from tests.present import present

STATUS = "Name:\tmysqld\nVmRSS:\t 2097152 kB\nVmSwap:\t    1024 kB\nTHP_enabled:\t1\n"
GROUP = "/sys/fs/cgroup/system.slice/mysql.service/memory.max"


def process(
    server: object, hostname: str = "db", answers: Mapping[str, str] | None = None
) -> ServerProcess | None:
    answer = {"hostname": hostname, "server": server}
    raw = {"agent.inventory": json.dumps(answer)} | dict(answers or {})
    return read(RawInventory("2026-01-01T00:00:00Z", raw)).server_process


@pytest.mark.parametrize(
    ("groups", "limit"),
    [
        ({}, None),
        ({GROUP: "max\n"}, 0),
        ({GROUP: "4294967296\n", "/sys/fs/cgroup/system.slice/memory.max": "max\n"}, 4 << 30),
        ({GROUP: "8589934592\n", "/sys/fs/cgroup/memory.max": "4294967296\n"}, 4 << 30),
        ({"/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 0),
    ],
)
def test_a_process_tells_its_memory_and_what_it_is_granted(
    groups: dict[str, str], limit: int | None
) -> None:
    found = process({"pid": 42, "files": {"status": STATUS}, "groups": groups})
    assert found == ServerProcess(42, 2 << 30, 1 << 20, limit, huge_pages=True)


SLICE = "/sys/fs/cgroup/docker"


@pytest.mark.parametrize(
    ("groups", "limit"),
    [
        ({}, None),
        ({f"{SLICE}/a/cpu.max": "max 100000\n"}, 0.0),
        ({f"{SLICE}/a/cpu.max": "150000 100000\n", f"{SLICE}/cpu.max": "max 100000\n"}, 1.5),
        ({f"{SLICE}/a/cpu.max": "400000 100000\n", f"{SLICE}/cpu.max": "200000 100000\n"}, 2.0),
        (
            {
                "/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us": "50000\n",
                "/sys/fs/cgroup/cpu/a/cpu.cfs_period_us": "100000\n",
                "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
                "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
            },
            0.5,
        ),
        ({"/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us": "-1\n"}, 0.0),
        ({f"{SLICE}/a/cpu.max": "rubbish\n"}, 0.0),
    ],
)
def test_a_process_tells_what_of_the_processors_it_is_granted(
    groups: dict[str, str], limit: float | None
) -> None:
    found = process({"pid": 42, "files": {"status": STATUS}, "groups": groups})
    assert found is not None
    assert found.cpu_limit == limit


ORDINARY = """\
55cc85569000-7ffee4e3a000 ---p 00000000 00:00 0                          [rollup]
Rss:             1221240 kB
Pss_Anon:        1197684 kB
Pss_Shmem:             0 kB
Anonymous:       1197684 kB
AnonHugePages:         0 kB
ShmemPmdMapped:        0 kB
FilePmdMapped:         0 kB
Shared_Hugetlb:        0 kB
Private_Hugetlb:       0 kB
"""
"""A mariadbd 10.11 with a pool of 1 GiB that is full; transparent_hugepage is madvise."""

RESERVED = ORDINARY.replace("Private_Hugetlb:       0 kB", "Private_Hugetlb:    2048 kB")
"""What large_pages adds, right after the start: pages come as they are used."""


@pytest.mark.parametrize(
    ("memory", "share", "reserved"),
    [
        (ORDINARY, 0.0, 0),
        (RESERVED, 0.0, 2 << 20),
        (ORDINARY.replace("AnonHugePages:         0", "AnonHugePages:   1077248"), 0.9, 0),
        ("Anonymous: 0 kB\nAnonHugePages: 0 kB\n", None, None),
        ("Rss: 12 kB\n", None, None),
        ("Anonymous: many kB\nAnonHugePages: some kB\nPrivate_Hugetlb: x kB\n", None, None),
        ("Anonymous: 10 kB\nAnonHugePages: 20 kB\n", 1.0, None),
        ("", None, None),
    ],
)
def test_how_much_of_it_lies_in_huge_pages(
    memory: str, share: float | None, reserved: int | None
) -> None:
    found = present(process({"pid": 42, "files": {"smaps_rollup": memory}}))
    assert found.huge_share == (share if share is None else pytest.approx(share, abs=0.01))
    assert found.reserved_huge_bytes == reserved


@pytest.mark.parametrize("server", [None, [], {"files": {}}, {"pid": "42"}])
def test_no_process_is_no_fact(server: object) -> None:
    assert process(server) is None


def test_a_process_that_tells_nothing_is_known_by_its_number() -> None:
    assert process({"pid": 42}) == ServerProcess(42)


def test_another_machines_process_is_not_the_servers() -> None:
    variables = {"hostname": "elsewhere", "datadir": "/var/lib/mysql/"}
    version = '{"version": "8.0.36", "comment": ""}'
    mysql = {"mysql.version": version, "mysql.variables": json.dumps(variables)}
    assert process({"pid": 42}, answers=mysql) is None
