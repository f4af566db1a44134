"""Tables of points: faults are told by line and column."""

from __future__ import annotations

import math

import pytest

from probes.imports import ImportRefused
from probes.imports.csv_table import COLUMNS
from probes.points import Probe, Trust
from tests.conftest import ROOT
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
