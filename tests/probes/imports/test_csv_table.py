"""Tables of points: faults are told by line and column."""

from __future__ import annotations

import math

import pytest

from probes.imports import ImportRefused
from probes.imports.csv_table import COLUMNS
from probes.points import Probe, Trust
from tests.conftest import ROOT
from tests.points import doubts_of
from tests.probes.imports.conftest import Recordings


def test_a_table(recordings: Recordings) -> None:
    found = recordings.read("points.csv")
    assert [point.setting.probe for point in found.points] == [
        Probe.RANDOM_READ,
        Probe.RANDOM_READ,
        Probe.RANDOM_WRITE,
        Probe.REDO_SYNC,
        Probe.POINT_SELECT,
        Probe.OLTP,
    ]
    assert found.conditions == {
        "origin": "measured by hand with a program of our own",
        "filesystem": "xfs",
        "file_bytes": "8589934592",
    }
    first, second, cached, redo, select, _ = found.points
    assert first.ci95_per_s == (6000, 6138)
    assert math.isnan(second.ci95_per_s[0])
    assert second.latency.p95_us == 480
    assert math.isnan(second.latency.p50_us)
    assert cached.trust is Trust.DOUBTFUL
    assert redo.setting.options == {"sync": "fdatasync"}
    assert select.setting.options == {"protocol": "prepared", "working_set": "cached"}


HEAD = "probe,block_size_bytes,threads,rate_per_s,p95_us,direct,sync\n"


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("random_reed,16384,1,5,,,\n", ["Line 2", "column probe", "random_reed"]),
        ("random_read,16384,1,5,,,\nrandom_read,16384,x,5,,,\n", ["Line 3", "threads", "“x”"]),
        ("\n# a note\nrandom_read,16384,1,fast,,,\n", ["Line 4", "rate_per_s", "fast"]),
        ("random_read,16384,0,5,,,\n", ["column threads"]),
        ("random_read,,1,5,,,\n", ["column block_size_bytes"]),
        ("point_select,16384,1,5,,,\n", ["column block_size_bytes", "none"]),
        ("random_read,16384,1,5,-3,,\n", ["column p95_us", "-3"]),
        ("random_read,16384,1,nan,,,\n", ["column rate_per_s", "nan"]),
        ("random_read,16384,1,inf,,,\n", ["column rate_per_s"]),
        ("random_read,16384,1,1e40,,,\n", ["column rate_per_s"]),
        ("random_read,16384,1,5,,perhaps,\n", ["column direct", "perhaps"]),
        ("redo_sync,512,1,5,,,\n", ["column sync", "needs"]),
        ("redo_sync,512,1,5,,,often\n", ["column sync", "often"]),
        ("random_read,16384,1,5,,,,,\n", ["Line 2", "9 cells"]),
        ('random_read,"16384,1,5\n', ["no CSV"]),
    ],
)
def test_faults_have_a_place(recordings: Recordings, rows: str, words: list[str]) -> None:
    with pytest.raises(ImportRefused) as refused:
        recordings.of(HEAD + rows)
    for word in words:
        assert word in refused.value.sentence


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("probe,threads\n", "lacks rate_per_s"),
        ("probe,threads,rate_per_s,latency\n", "no column “latency”"),
        ("probe,threads,rate_per_s,threads\n", "comes twice"),
        ("probe;threads;rate_per_s\n", "not separated by commas"),
        ("probe,threads,rate_per_s\n", "no rows"),
    ],
)
def test_faults_of_the_header(recordings: Recordings, head: str, words: str) -> None:
    with pytest.raises(ImportRefused, match=words):
        recordings.of(head)


def test_a_rate_lies_in_its_interval(recordings: Recordings) -> None:
    with pytest.raises(ImportRefused, match="outside its own interval"):
        recordings.of("probe,threads,rate_per_s,ci95_low_per_s\noltp,1,5,6\n")


def test_every_column_is_documented() -> None:
    page = (ROOT / "docs" / "import-csv.md").read_text(encoding="utf-8")
    assert [name for name in COLUMNS if f"`{name}`" not in page] == []


LAW = (
    "probe,block_size_bytes,files,threads,rate_per_s,mean_us,"
    "sync,mix,doublewrite,part,flush_per_s\n"
)


@pytest.mark.parametrize(
    ("rows", "doubted"),
    [
        # 64 threads of 150 µs would do 426,667/s.
        ("random_read,16384,1,64,21000,150,,,,,\n", "3.1 of 64 threads were busy"),
        ("random_read,16384,1,64,420000,150,,,,,\n", ""),
        ("redo_sync,512,1,1,900,40,fdatasync,,,,\n", "0.036 of 1 thread was busy"),
        ("redo_sync,512,1,8,9000,860,fdatasync,,,,\n", ""),
        ("steady_write,1048576,1,2,120,16500,,,,,\n", ""),
        ("steady_write,1048576,1,2,120,900,,,,,\n", "0.11 of 2 threads were busy"),
        ("point_select,,1,16,9000,100,,,,,\n", "0.9 of 16 threads were busy"),
        ("random_read,16384,1,2,90000,150,,,,,\n", "13.5 operations were in flight"),
        # 2 µs of an operation are not all that a thread needs for it.
        ("random_read,16384,1,1,180000,2,,,,,\n", ""),
        # A batch of 128 pages, and clients that may think.
        ("page_flush,16384,1,1,12800,10000,,,on,,\n", ""),
        ("mixed,16384,1,8,300,900,fdatasync,,on,redo,max\n", ""),
        ("oltp,,1,200,40,12000,,,,,\n", ""),
        ("random_read,16384,1,4,100,,,,,,\n", ""),
    ],
)
def test_rate_and_latency_fit_the_threads(recordings: Recordings, rows: str, doubted: str) -> None:
    (point,) = recordings.of(LAW + rows).points
    said = " ".join(doubts_of(point))
    assert doubted in said
    assert ("Little's law" in said) is bool(doubted)


def test_reads_and_writes_at_once_keep_threads_busy_together(recordings: Recordings) -> None:
    reads = "random_read,16384,1,8,3500,1000,,70,,,\n"
    writes = "random_write,16384,1,8,1500,3000,,70,,,\n"
    both = recordings.of(LAW + reads + writes).points
    assert [point.trust for point in both] == [Trust.OK, Trust.OK]
    # Alone, nobody knows what the writes took.
    (alone,) = recordings.of(LAW + reads).points
    assert alone.trust is Trust.OK
    few = (reads + writes).replace("1000", "300").replace("3000", "100")
    for point in recordings.of(LAW + few).points:
        assert "1.2 of 8 threads were busy" in doubts_of(point)[0]
    many = writes.replace("3000", "9000")
    for point in recordings.of(LAW + reads + many).points:
        assert "17 operations were in flight" in doubts_of(point)[0]
