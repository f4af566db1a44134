"""A file that is not imported is called what it is, with what to bring instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from probes.errors import UsageError
from probes.imports import ImportRefused, read_import
from tests.probes.imports.conftest import Recordings

VMSTAT = """procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 2  1      0 812340  10220 301020    0    0   120   310  402  900 10  3 80  7  0
"""
IOPING = """4 KiB <<< /srv (ext4 /dev/sdb1 1 TiB): request=1 time=212.0 us (warmup)
4 KiB <<< /srv (ext4 /dev/sdb1 1 TiB): request=2 time=430.1 us

--- /srv (ext4 /dev/sdb1 1 TiB) ioping statistics ---
1 requests completed in 430.1 us, 4 KiB read, 2.33 k iops, 9.08 MiB/s
"""
INNODB = """=====================================
2024-05-01 10:00:00 0x7f INNODB MONITOR OUTPUT
=====================================
Per second averages calculated from the last 12 seconds
"""
VARIABLES = """+-------------------------+-----------+
| Variable_name           | Value     |
+-------------------------+-----------+
| innodb_buffer_pool_size | 134217728 |
"""
STATUS = "Variable_name\tValue\nAborted_clients\t3\nCom_select\t18231\nUptime\t9000\n"
OPTIONS = "# our server\n[mysqld]\ninnodb_buffer_pool_size = 4G\n"
TOP = "top - 10:12:13 up 40 days,  2:01,  1 user,  load average: 1.20, 1.10, 0.90\n"
SAR = "10:00:01 AM       DEV       tps     rkB/s     wkB/s\n10:10:01 AM  dev8-0  5.0  1.0  2.0\n"
FREE = (
    "               total        used        free      shared  buff/cache   available\nMem: 7 5\n"
)
DD = "2000+0 records in\n2000+0 records out\n131072000 bytes (131 MB) copied, 0.5 s, 262 MB/s\n"
IOTOP = "Total DISK READ :     120.00 K/s | Total DISK WRITE :      10.00 K/s\n"
STARTED = (
    "w: (g=0): rw=randwrite, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio\nfio-3.1\nStarting 1 process\n"
)


@pytest.mark.parametrize(
    ("text", "called", "advised"),
    [
        (VMSTAT, "it is vmstat", "iostat -dxt 1"),
        (VMSTAT.split("\n", 1)[1], "it is vmstat", "iostat -dxt 1"),
        (IOPING, "it is ioping", "fio"),
        (IOPING.splitlines()[1] + "\n", "it is ioping", "fio"),
        (INNODB, "it is what SHOW ENGINE INNODB STATUS says", "--as NAME"),
        ("mysql> show engine innodb status\\G\n" + INNODB, "INNODB STATUS", "--as NAME"),
        (VARIABLES, "it is what SHOW VARIABLES says", "--as NAME"),
        ("innodb_flush_method\tO_DIRECT\n", "it is what SHOW VARIABLES says", "--as NAME"),
        (STATUS, "it is what SHOW STATUS says", "--as NAME"),
        ("| Innodb_rows_read | 9912 |\n", "it is what SHOW STATUS says", "--as NAME"),
        (OPTIONS, "it is an option file", "--as NAME"),
        ("[client]\nport=3307\n[mysqld-8.0]\n", "it is an option file", "--as NAME"),
        (TOP, "it is top", "iostat -dxt 1"),
        (SAR, "it is sar", "iostat -dxt 1"),
        (FREE, "it is free", "iostat -dxt 1"),
        (DD, "it is dd", "fio"),
        (IOTOP, "it is iotop", "iostat -dxt 1"),
        (
            "fio: engine io_uring not loadable\nfio: failed to load engine\n",
            "“engine io_uring not loadable”",
            "--output-format=json",
        ),
        (
            "fio: looks like your file system does not support direct=1/buffered=0\n",
            "what fio said, and no result",
            "--output-format=json",
        ),
        (STARTED, "cut off, or went to another file", "--output"),
    ],
)
def test_it_is_called_what_it_is(
    recordings: Recordings, text: str, called: str, advised: str
) -> None:
    with pytest.raises(ImportRefused) as refused:
        recordings.of(text)
    assert called in refused.value.sentence
    assert advised in refused.value.advice


def test_a_folder_is_told_from_a_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder") as refused:
        read_import(tmp_path)
    assert refused.value.advice.startswith("Name the files in it; ")


@pytest.mark.parametrize("lead", ["    ", "\t\t", "  \t"])
@pytest.mark.parametrize(
    "name", ["fio-read-grouped.json", "fio-read-v3.terse", "points.csv", "iostat.json"]
)
def test_a_common_indentation_is_no_part_of_a_file(
    recordings: Recordings, name: str, lead: str
) -> None:
    lines = recordings.text(name).splitlines()
    set_in = recordings.of("\n".join(lead + line if line else "" for line in lines))
    plain = recordings.read(name)
    assert repr(set_in.points) == repr(plain.points)
    assert repr(set_in.host_samples) == repr(plain.host_samples)
