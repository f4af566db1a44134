"""A server that can't be is refused with what is wrong of it; for others the watch is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from advisor.case import Case
from advisor.forecasts.server.live import FEWEST_PER_S, live
from tests.knowledge.production.cases import production_servers
from tests.present import present
from tests.rules.at_work import SECONDS, at_work
from tests.rules.casework import build
from tests.rules.coherence import Incoherent, coherent, contradictions
from tests.rules.coherence.words import is_platform
from tests.rules.random_cases.coherent import case_at_work

SERVER: dict[str, Any] = {
    "version": "8.0.39",
    "host": {
        "cpus": 16,
        "memory_gib": 64,
        "memory_available_bytes": 12 << 30,
        "platform": "Dell Inc. PowerEdge R450",
        "kernel": "5.15.0-119-generic",
    },
    "process": {"resident_bytes": 50 << 30},
    "drive": {"name": "nvme0n1", "bus": "nvme", "filesystem": "xfs", "scheduler": "none"},
    "storage": {"size_bytes": 1 << 41, "free_bytes": 1 << 40},
    "variables": {
        "innodb_buffer_pool_size": str(48 << 30),
        "innodb_page_size": "16384",
        "innodb_flush_method": "O_DIRECT",
        "innodb_redo_log_capacity": str(8 << 30),
        "innodb_doublewrite": "ON",
        "max_connections": "300",
        "log_bin": "ON",
        "sync_binlog": "1",
    },
    "reads_16k": [[1, 9000], [64, 150000]],
    "flush": {"on": 30000},
    "mixed": [[0, 110, 40], [900, 112, 42], [8000, 130, 50], [21000, 180, 70]],
    "rates": {
        "Questions": 20000.0,
        "Com_commit": 1000.0,
        "Com_insert": 300.0,
        "Com_update": 700.0,
        "Com_delete": 50.0,
        "Innodb_buffer_pool_reads": 8000.0,
        "Innodb_buffer_pool_read_requests": 900000.0,
        "Innodb_pages_read": 8100.0,
        "Innodb_data_reads": 8200.0,
        "Innodb_data_read": 134e6,
        "Innodb_pages_written": 900.0,
        "Innodb_data_written": 34e6,
        "Innodb_os_log_written": 4e6,
        "Innodb_os_log_fsyncs": 900.0,
    },
    "samples": {
        "Innodb_redo_log_current_lsn": [10 << 40, (10 << 40) + 38_000_000],
        "Innodb_redo_log_checkpoint_lsn": [
            (10 << 40) - (2 << 30),
            (10 << 40) - (2 << 30) + 38_000_000,
        ],
    },
    "gauges": {
        "Innodb_buffer_pool_pages_total": 3 << 20,
        "Innodb_buffer_pool_pages_free": 1000,
        "Innodb_buffer_pool_pages_dirty": 90000,
        "Threads_connected": 120,
        "Threads_running": 14,
        "Max_used_connections": 150,
    },
    "server": {"innodb_files_bytes": 300 << 30},
    "work": {
        "running": 13.0,
        "waits": {"reads": 8.0, "processors": 3.4, "commits": 0.8, "row locks": 0.5},
        "unexplained": 0.3,
        "files": [
            ["data", "read", 8150.0, 1000.0],
            ["redo", "sync", 900.0, 350.0],
            ["binlog", "sync", 900.0, 400.0],
        ],
        "cpu": [3.2, 0.3],
        "devices": [
            {
                "name": "nvme0n1",
                "reads": [8200, 980, 134e6],
                "writes": [2500, 90, 38e6],
                "busy": 0.99,
            }
        ],
    },
}


def with_(path: str, value: Any) -> dict[str, Any]:
    """The server with another value at ``path``, "rates.Questions"."""
    return _laid(SERVER, path.split("."), value)


def _laid(table: Mapping[str, Any], path: list[str], value: Any) -> dict[str, Any]:
    name, *rest = path
    return {**table, name: _laid(table.get(name, {}), rest, value) if rest else value}


def test_a_log_that_was_overwritten_is_said_to_be_and_only_such_a_one() -> None:
    """What can't be stays refused, unless it is the fault that a server shows."""
    small = with_("variables.innodb_redo_log_capacity", str(1 << 30))
    (said,) = contradictions(small)
    assert "does not fit a log of 1 GiB" in said.replace("\u202f", " ")
    assert contradictions(small | {"log_overwritten": True}) == []
    (other,) = contradictions(SERVER | {"log_overwritten": True})
    assert "none was lost" in other
    # It excuses nothing else.
    ahead = {"Innodb_redo_log_checkpoint_lsn": [11 << 40, (11 << 40) + 38_000_000]}
    worse = small | {"log_overwritten": True, "samples": SERVER["samples"] | ahead}
    assert any("ahead of the log" in each for each in contradictions(worse))


def test_a_server_that_can_be_is_taken() -> None:
    assert contradictions(SERVER) == []


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("host.platform", "KVM", "KVM/QEMU"),
        ("host.platform", "Hyper-V, a machine", "firmware.py"),
        ("host.zfs_cache_bytes", 1, "No host has a zfs_cache_bytes"),
        ("drive.bus", "pcie", "No inventory calls a bus 'pcie'"),
        ("drive.bus", "virtio", "is a guest's"),
        ("drive.model", "Amazon Elastic Block Store", "Amazon's machines alone"),
        ("drive.scheduler", "cfq", "no scheduler cfq"),
        ("drive.scheduler", "elevator", "says no scheduler"),
        ("drive.write_cache", "writeback", "says no write_cache"),
        ("drive.filesystem", "zfs", "storage.disks = []"),
        ("drive.filesystem", "ntfs", "no file system 'ntfs'"),
        ("storage.layers", [{"name": "md0", "kind": "md", "detail": "raid7"}], "No layer"),
        ("rates.Innodb_buffer_pool_reads", 9000.0, "is above Innodb_pages_read"),
        ("rates.Com_commit", 30000.0, "is above Questions"),
        ("rates.Innodb_data_read", 500e6, "are not Innodb_data_read"),
        ("rates.Innodb_data_written", 12e6, "above Innodb_data_written"),
        ("rates.Innodb_pages_written", 60000.0, "above the 30,000 that it flushes"),
        ("mixed", [[0, 110, 40], [20000, 150, 60], [21000, 180, 70]], "No mixture flushes 20,000"),
        ("mixed", [[0, 110, 40], [8000, 130, 50], [40000, 180, 70]], "are above the 30,000"),
        ("rates.Innodb_os_log_written", 90e6, "positions moved by"),
        ("rates.Innodb_os_log_fsyncs", 4000.0, "is not 900 syncs/s of redo"),
        ("variables.innodb_redo_log_capacity", str(1 << 30), "does not fit a log"),
        ("variables.innodb_buffer_pool_size", str(8 << 30), "are no pool of"),
        ("variables.max_connections", "100", "is above max_connections"),
        ("gauges.Threads_connected", 200, "is above Max_used_connections"),
        ("gauges.Threads_running", 60, "is not 13.0 queries at work"),
        (
            "gauges.Innodb_buffer_pool_pages_dirty",
            4 << 20,
            "is above Innodb_buffer_pool_pages_total",
        ),
        ("host.memory_available_bytes", 40 << 30, "are above"),
        ("process.resident_bytes", 10 << 30, "are in its pool"),
        ("server.innodb_files_bytes", 1 << 45, "are not on a file system"),
        ("work.running", 30.0, "30.00 queries are at work, and 13.00 are in"),
        ("work.unexplained", 9.0, "21.70 are in"),
        ("work.waits.reads", 2.0, "are 8.00 queries in wait, and not 2.00"),
        ("work.waits.commits", 6.0, "and not 6.00"),
        ("work.waits.processors", 9.0, "are on processors or wait for one"),
        ("work.cpu", [20.0, 0.3], "of 16 processors busy"),
        ("work.machine", [0.05, 0.0], "and the server alone takes"),
        ("work.others", [[1, "java", 14.0]], "More processors are busy"),
        ("work.files", [["data", "read", 12000.0, 1000.0]], "are above Innodb_data_reads"),
        ("work.files", [["redo", "sync", 900.0, 2000.0]], "more than a second of each second"),
        (
            "work.devices",
            [{"reads": [800, 980, 13e6], "writes": [2500, 90, 38e6], "busy": 0.6}],
            "and the device reads",
        ),
        (
            "work.devices",
            [{"reads": [8200, 980, 134e6], "writes": [25, 90, 1e6], "busy": 0.99}],
            "and the device writes",
        ),
        (
            "work.devices",
            [{"reads": [8200, 40, 134e6], "writes": [2500, 9, 38e6], "busy": 0.99}],
            "is not 99% busy",
        ),
        (
            "work.devices",
            [{"reads": [250000, 60, 4e9], "writes": [2500, 90, 38e6], "busy": 0.99}],
            "above the 150,000 that it gives",
        ),
    ],
)
def test_one_that_contradicts_itself_is_refused(path: str, value: Any, said: str) -> None:
    with pytest.raises(Incoherent) as refused:
        coherent(with_(path, value), "This one")
    assert str(refused.value).startswith("This one can't be:\n- ")
    assert said in str(refused.value)


@pytest.mark.parametrize(
    "platform",
    [
        "KVM/QEMU",
        "VMware",
        "Microsoft Azure",
        "Hyper-V",
        "Google Compute Engine",
        "Amazon EC2 (r6i.2xlarge)",
        "Amazon EC2 (m6i.16xlarge), in a docker container",
        "virtual machine of an unknown kind",
        "HPE ProLiant DL360 Gen10",
        "unknown",
    ],
)
def test_platforms_are_called_as_the_firmware_calls_them(platform: str) -> None:
    assert is_platform(platform)


@pytest.mark.parametrize(
    "platform", ["KVM", "QEMU", "Azure", "AWS", "Amazon EC2 (R6I)", "Hyper-V 2019"]
)
def test_other_words_are_no_platforms(platform: str) -> None:
    assert not is_platform(platform)


def test_the_watch_has_counters_by_the_second_and_the_queries_at_work() -> None:
    case = build(at_work(SERVER))
    watched = case.inventory.watched
    assert watched is not None
    rate, running = watched.status.per_s("Questions"), watched.status.gauge("Threads_running")
    assert rate is not None
    assert running is not None
    assert rate.low < rate.value < rate.high
    assert rate.value == pytest.approx(20_000.0, rel=0.01)
    # Leadline's own connection is at work as well.
    assert running.value == pytest.approx(14.0, rel=0.01)
    assert watched.seconds == SECONDS - 1
    assert watched.machine is not None
    assert watched.machine.cpu_busy is not None
    assert watched.machine.cpu_busy.value == pytest.approx(3.2 / 16)
    assert live(case).server.rate_per_s.value == pytest.approx(20_000.0, rel=0.01)


def _queries_per_s(case: Case) -> float:
    rate = present(present(case.inventory.watched).status.per_s("Questions"))
    return rate.value


def test_every_whole_server_that_works_can_be_forecast() -> None:
    """Where one is asked for its queries; the account of a service tells no less than that."""
    watched = [each for each in production_servers().values() if each.case.inventory.watched]
    asked = [each for each in watched if _queries_per_s(each.case) >= FEWEST_PER_S]
    assert len(asked) > 60
    for server in asked:
        found = live(server.case)
        assert found.server.at_work.value > 0.8, server.name


@pytest.mark.parametrize("number", range(40))
def test_random_loads_are_coherent(number: int) -> None:
    _, spec = case_at_work(number)
    assert contradictions(spec) == []
