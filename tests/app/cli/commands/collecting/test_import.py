"""Files of other programs become runs, and say what they are worth."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.store.store import Store
from tests.app.cli.forked import Done
from tests.present import present
from tests.probes.imports.conftest import RECORDINGS

Leadline = Callable[..., Done]


def recording(name: str) -> str:
    return str(RECORDINGS / name)


def test_each_file_is_a_run_of_its_own(leadline: Leadline, home: Path) -> None:
    done = leadline(
        "import", recording("sysbench-two-runs.txt"), recording("fio-read-grouped.json")
    )
    assert done.code == 0
    assert "Run 1: sysbench-two-runs (sysbench, sysbench 1.0.20)" in done.stdout
    assert "random read 16 KiB, 2 files: 2 points, 4 threads to 8 threads" in done.stdout.replace(
        "\u202f", " "
    )
    with Store.open() as store:
        runs = {run.id: run for run in store.runs()}
        assert [runs[1].target, runs[2].target] == ["sysbench-two-runs", "fio-read-grouped"]
        assert {run.kind for run in runs.values()} == {"import"}
        assert store.conditions(2)["engine_version"] == "3.33"
        (point,) = store.points(2)
        assert math.isnan(point.ci95_per_s[0])
        assert point.latency.p95_us == pytest.approx(197.632)


def test_a_name_makes_one_run_of_all_files(leadline: Leadline, home: Path) -> None:
    files = ["fio-read-grouped.json", "fio-read-two-jobs.json", "fio-buffered.json"]
    done = leadline("import", "--name", "drive A", *map(recording, files))
    assert done.code == 0
    with Store.open() as store:
        (run,) = store.runs()
        assert (run.target, run.points) == ("drive A", 3)
        conditions = store.conditions(run.id)
        assert conditions["engine"] == "fio"
        assert conditions["file_bytes"] == str(64 << 20)
        assert "direct" not in conditions  # they differ


def test_traps_are_told_and_kept(leadline: Leadline, home: Path) -> None:
    done = leadline("import", recording("sysbench-1.0-rndwr-default.txt"))
    assert "(1 doubtful)" in done.stdout
    assert "fsync after every 100 requests" in done.stderr
    with Store.open() as store:
        assert any("page cache" in warned.message for warned in store.run_warnings(1))


def test_samples_of_iostat_are_kept(leadline: Leadline, home: Path) -> None:
    done = leadline("import", recording("iostat-old.txt"))
    assert "2 samples of dm-0, sda" in done.stdout
    with Store.open() as store:
        assert [present(sample.host).device for sample in store.host_samples(1)] == ["sda", "dm-0"]


def test_as_json(leadline: Leadline, home: Path) -> None:
    done = leadline("import", "--json", recording("sysbench-0.5-oltp.txt"))
    (told,) = json.loads(done.stdout)
    assert (told["run"], told["kind"], told["points"]) == (1, "sysbench", 1)
    assert done.stderr == ""


def test_a_foreign_file_is_refused_and_nothing_of_its_run_kept(
    leadline: Leadline, home: Path, tmp_path: Path
) -> None:
    foreign = tmp_path / "notes.txt"
    foreign.write_text("hello\n")
    done = leadline("import", recording("points.csv"), str(foreign))
    assert done.code == 1
    assert "it is not a file that Leadline can import" in done.stderr
    assert "Traceback" not in done.stderr
    with Store.open() as store:
        assert [run.target for run in store.runs()] == ["points"]
    leadline("import", "--name", "both", recording("points.csv"), str(foreign))
    with Store.open() as store:
        assert [run.target for run in store.runs()] == ["points"]


def test_an_import_goes_on_past_a_bad_file_and_sums_up(
    leadline: Leadline, home: Path, tmp_path: Path
) -> None:
    foreign = tmp_path / "notes.txt"
    foreign.write_text("hello\n")
    files = (recording("points.csv"), str(foreign), recording("fio-read-grouped.json"))
    done = leadline("import", *files)
    assert done.code == 1
    assert "it is not a file that Leadline can import" in done.stderr
    assert "2 of 3 files were imported: points and fio-read-grouped." in done.stderr
    with Store.open() as store:
        assert {run.target for run in store.runs()} == {"points", "fio-read-grouped"}
    done = leadline("import", "--json", *files)
    assert done.code == 1
    assert [each["name"] for each in json.loads(done.stdout)] == ["points", "fio-read-grouped"]


def test_what_is_no_file_of_results_is_refused_at_once(
    leadline: Leadline, home: Path, tmp_path: Path
) -> None:
    for pipe in ("fifo", "fifo.leadline", "fifo.zip"):
        os.mkfifo(tmp_path / pipe)
    with (tmp_path / "sparse").open("wb") as sparse:
        sparse.truncate(2 << 30)
    (tmp_path / "noise").write_bytes(os.urandom(100_000))
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    refused = {
        tmp_path / "fifo": (2, "is no plain file"),
        tmp_path / "fifo.leadline": (2, "No such file:"),
        tmp_path / "fifo.zip": (2, "is no plain file"),
        tmp_path: (2, "is a folder"),
        Path("/dev/zero"): (2, "is no plain file"),
        tmp_path / "sparse": (1, "is larger than 16\u202fMiB"),
        tmp_path / "noise": (1, "is no text file"),
        tmp_path / "loop": (1, "can't be read"),
        tmp_path / "missing": (2, "No such file:"),
        Path("x" * 5000): (1, "can't be read"),
    }
    for path, (code, sentence) in refused.items():
        done = leadline("import", str(path))
        assert done.code == code
        assert sentence in done.stderr
        assert "Traceback" not in done.stderr
    assert leadline("import", "--name", "x" * 1000, recording("points.csv")).code == 2
    assert leadline("import", "--name", "red \x1b[31m", recording("points.csv")).code == 2
    with Store.open() as store:
        assert store.runs() == []


def test_names_that_no_terminal_or_database_takes(
    leadline: Leadline, home: Path, tmp_path: Path
) -> None:
    for name in (b"b\xffd.csv", b"red \x1b[31m.csv"):
        path = tmp_path / os.fsdecode(name)
        path.write_text(Path(recording("points.csv")).read_text())
        done = leadline("import", str(path))
        assert done.code == 0, done.stderr
        assert "\x1b" not in done.stdout
    with Store.open() as store:
        assert {run.target for run in store.runs()} == {"b?d", "red ?[31m"}


def test_an_imported_run_is_shown_and_compared(leadline: Leadline, home: Path) -> None:
    leadline("import", recording("fio-read-grouped.json"), recording("sysbench-two-runs.txt"))
    assert "25.1" in leadline("runs", "show", "1").stdout
    compared = leadline("runs", "compare", "1", "2")
    assert compared.code == 0
    assert "Different programs measured" in compared.stdout.replace("\n", " ")


def test_the_sample_is_kept_once(leadline: Leadline, home: Path) -> None:
    done = leadline("import", "--sample")
    assert done.code == 0
    assert [line.split(":")[0] for line in done.stdout.splitlines() if line.startswith("Run ")] == [
        "Run 1",
        "Run 2",
    ]
    with Store.open() as store:
        assert [run.target for run in store.runs()] == ["sample", "sample"]
    again = leadline("import", "--sample")
    assert (again.code, again.stdout) == (0, "")
    assert "The sample is there: its target is called 'sample'." in again.stderr


def test_nothing_to_import_is_said(leadline: Leadline) -> None:
    done = leadline("import")
    assert (done.code, done.stdout) == (2, "")
    assert "No file is named to import." in done.stderr
    assert "--sample" in done.stderr
