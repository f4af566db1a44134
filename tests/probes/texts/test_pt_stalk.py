"""A folder in the form that pt-stalk leaves: one look of some seconds, and another hours later."""

from __future__ import annotations

import random
from pathlib import Path

from probes.inventory.facts import Role
from probes.inventory.read import read
from probes.texts.collection import Collection, collect
from probes.texts.sent import sent_texts
from probes.texts.typed import Typed

BEGUN_S = 1_705_312_800
UP_S = 5_000_000
PREFIX = "2024_01_15_10_00_00-"
LATER = "2024_01_15_19_00_00-"

IOSTAT = """\
avg-cpu:  %user   %nice %system %iowait  %steal   %idle
          10.00    0.00    5.00   10.00    0.00   75.00

Device       r/s     w/s     rkB/s     wkB/s  r_await w_await aqu-sz  %util
dm-1   {reads:9.2f}   40.00 {kib:9.2f}    640.00  {ms:7.2f}    1.00   0.50  {busy:.2f}
sdb    {reads:9.2f}   40.00 {kib:9.2f}    640.00  {ms:7.2f}    1.00   0.50  {busy:.2f}
sda         0.00    1.00      0.00      4.00     0.00    1.00   0.00   0.10

"""

DF = """\
TS 1705312800.004 2024-01-15 10:00:00
Filesystem             1K-blocks      Used Available Use% Mounted on
/dev/sda1               51474912  12345678  36489012  26% /
/dev/mapper/vg-mysql   524032000 400000000 124032000  77% /var/lib/mysql
"""

LSBLK = """\
NAME       MAJ:MIN RM   SIZE RO TYPE MOUNTPOINT
sda          8:0    0    50G  0 disk
└─sda1       8:1    0    50G  0 part /
sdb          8:16   0   500G  0 disk
└─vg-mysql 253:1    0   500G  0 lvm  /var/lib/mysql
"""


def _mysqladmin(begun_up_s: int, samples: int) -> str:
    tables = []
    questions, reads = 2_000 * begun_up_s, 200 * begun_up_s
    drawn = random.Random(7)
    for at in range(samples):
        rows = {
            "Aborted_clients": 4,
            "Innodb_buffer_pool_reads": reads,
            "Innodb_data_reads": reads,
            "Innodb_data_writes": (begun_up_s + at) * 40,
            "Questions": questions,
            "Threads_connected": 40,
            "Threads_running": 3 + at % 3,
            "Uptime": begun_up_s + at,
        }
        questions += 900 + drawn.randrange(200)
        reads += 90 + drawn.randrange(20)
        border = "+--------------------------+----------------+"
        body = "\n".join(f"| {name:<24} | {value:<14} |" for name, value in rows.items())
        head = f"{border}\n| {'Variable_name':<24} | {'Value':<14} |\n{border}"
        tables.append(f"{head}\n{body}\n{border}\n")
    return "\n".join(tables)


def _folder(folder: Path) -> Path:
    texts = {
        f"{PREFIX}mysqladmin": _mysqladmin(UP_S, 12),
        f"{LATER}mysqladmin": _mysqladmin(UP_S + 9 * 3600, 5),
        f"{PREFIX}variables": "Variable_name\tValue\ndatadir\t/var/lib/mysql/\nhostname\tdb7\n"
        "innodb_buffer_pool_size\t8589934592\nversion\t5.7.44-48-log\n"
        "version_comment\tPercona Server (GPL), Release 48\n",
        f"{PREFIX}iostat": "Linux 5.15.0 (db7) \t01/15/2024 \t_x86_64_\t(8 CPU)\n\n"
        + IOSTAT.format(reads=5, kib=80, ms=9, busy=1)
        + "".join(IOSTAT.format(reads=100, kib=1600, ms=4.0, busy=40) for _ in range(10)),
        f"{PREFIX}df": DF,
        f"{PREFIX}lsblk": LSBLK,
        f"{PREFIX}meminfo": "TS 1705312800.004 2024-01-15 10:00:00\nMemTotal: 32882456 kB\n"
        "MemFree: 1 kB\nTS 1705312801.004 2024-01-15 10:00:01\nMemTotal: 32882456 kB\n",
        f"{PREFIX}trigger": "2024_01_15_10_00_00 Check results: status(Threads_running)=26\n",
        f"{PREFIX}output": "2024_01_15_10_00_00 Starting /usr/bin/pt-stalk pid 4711\n",
        f"{PREFIX}opentables1": "Database\tTable\tIn_use\tName_locked\nshop\torders\t0\t0\n",
        f"{PREFIX}hostname": "db7\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return folder


def _collected(folder: Path) -> Collection:
    return collect(sent_texts([_folder(folder)]).texts, Typed(), BEGUN_S + 86400.0)


def test_one_look_is_the_window(tmp_path: Path) -> None:
    collection = _collected(tmp_path)
    assert (collection.status.samples, collection.status.seconds) == (12, 11.0)
    inventory = read(collection.raw)
    assert inventory.watched is not None
    reads = inventory.watched.status.per_s("Innodb_data_reads")
    assert reads is not None
    assert 90 <= reads.value <= 110
    # Eleven stretches say how much the load swings: two samples would leave 0 to twice.
    assert reads.low > 80
    assert reads.high < 120


def test_drive_below_the_data_is_found_by_its_mount(tmp_path: Path) -> None:
    inventory = read(_collected(tmp_path).raw)
    data = inventory.role(Role.DATA)
    assert data is not None
    assert data.chain.endswith("> lvm vg-mysql > sdb")
    assert inventory.watched is not None
    assert inventory.watched.machine is not None
    device = inventory.watched.machine.device("data")
    assert device is not None
    assert device.name in ("dm-1", "sdb")
    assert round(device.reads.per_s.value) == 100
    assert device.reads.latency_us is not None
    assert round(device.reads.latency_us.value) == 4000


def test_machine_and_version_are_known_and_the_rest_is_named(tmp_path: Path) -> None:
    collection = _collected(tmp_path)
    inventory = read(collection.raw)
    assert inventory.mysql is not None
    assert str(inventory.mysql.version) == "Percona 5.7.44"
    assert inventory.host is not None
    assert inventory.host.memory_bytes == 32882456 * 1024
    nothing = {text.name for text in collection.texts if not text.found}
    assert nothing == {
        f"{PREFIX}{name}" for name in ("trigger", "output", "opentables1", "hostname")
    }
