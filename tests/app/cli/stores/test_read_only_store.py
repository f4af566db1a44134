"""A store that can't be written can be read; what would change it says so before any work."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from advisor.run import RunState
from advisor.store.store import Store
from probes.targets.address import SshAddress, TargetKind, TargetSpec
from tests.advisor.store.builders import PLAN, RAW, SPEC
from tests.advisor.store.schema.test_cleaning import ANSWERS, SECRET, plant
from tests.app.cli.forked import Done, ForkServer, ended
from tests.app.cli.kept import keep
from tests.waiting import wait_until

ON_READ_ONLY_MOUNT = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0"'
Reader = Callable[..., Done]


@pytest.fixture(scope="module")
def may_mount() -> bool:
    """Whether mounts can be made that nobody else sees."""
    may = os.geteuid() == 0
    return may and subprocess.run(["unshare", "-m", "true"], check=False).returncode == 0


@pytest.fixture(scope="module")
def server(may_mount: bool) -> Iterator[ForkServer]:
    """Command lines with mounts of their own, for which the modes of files hold.

    They do for everybody but root.
    """
    held_to_modes = ["setpriv", "--bounding-set", "-dac_override", "--"]
    prefix = [
        *(["unshare", "-m"] if may_mount else []),
        *(held_to_modes if os.geteuid() == 0 else []),
    ]
    with closing(ForkServer(prefix)) as server:
        # Until it has them, what is mounted for it would be mounted for all.
        assert not may_mount or wait_until(lambda: mounts_of(server.pid) != mounts_of(os.getpid()))
        yield server


def mounts_of(pid: int) -> str:
    """What the system calls the mounts that a process sees."""
    return str(Path(f"/proc/{pid}/ns/mnt").readlink())


@pytest.fixture(params=["folder", "mount"])
def reader(
    request: pytest.FixtureRequest, home: Path, server: ForkServer, may_mount: bool
) -> Iterator[Reader]:
    """Runs the command line where ``home`` can't be written, from its first use on."""
    on_mount = request.param == "mount"
    if on_mount and not may_mount:
        pytest.skip("mount may not be used here")
    writable = True

    def run(*args: str) -> Done:
        nonlocal writable
        if writable and on_mount:
            within = ["nsenter", "-t", str(server.pid), "-m", "sh", "-c", ON_READ_ONLY_MOUNT]
            subprocess.run([*within, str(home)], check=True)
        elif writable:
            home.chmod(0o555)
        writable = False
        return ended(server, *args)

    yield run
    home.chmod(0o755)


def test_what_reads_works_and_says_that_nothing_is_kept(
    reader: Reader, home: Path, tmp_path: Path
) -> None:
    with Store.open() as store:
        run_id = str(keep(store))
        store.save_target(TargetSpec(TargetKind.SSH, "db7", SshAddress("db7.example")))
    before = (home / "leadline.sqlite3").read_bytes()
    told = {
        ("runs",): "db7",
        ("runs", "show", run_id): "Random write",
        ("advise", run_id): "innodb_io_capacity",
        ("targets",): "db7.example",
        ("report", run_id, "-o", str(tmp_path / "r.md")): "",
        ("case", "export", run_id, str(tmp_path / "r.leadline")): "written",
    }
    for args, words in told.items():
        done = reader(*args)
        assert done.code == 0, done.stderr
        assert words.lower() in done.stdout.lower()
        assert "can't be written. What it holds can be read" in done.stderr
        assert done.stderr.count("\n") == 1
    assert "innodb_io_capacity" in (tmp_path / "r.md").read_text()
    assert (tmp_path / "r.leadline").stat().st_size > 0
    assert (home / "leadline.sqlite3").read_bytes() == before


def test_what_writes_says_so_and_nothing_is_begun(
    reader: Reader, home: Path, tmp_path: Path
) -> None:
    with Store.open() as store:
        run_id = str(keep(store))
    table = tmp_path / "points.csv"
    table.write_text("probe,threads,block_size_bytes,rate_per_s\nrandom_read,1,16384,9000\n")
    commands = (
        ("check", "local", "--dir", str(tmp_path)),
        ("probe", "storage", "--dir", str(tmp_path)),
        ("check", "local", "--save", "db9"),
        ("targets", "add", "db9", "ssh://db9.example"),
        ("import", str(table)),
        ("runs", "delete", run_id),
    )
    for args in commands:
        done = reader(*args)
        assert done.code == 1, (args, done)
        assert "can't be written." in done.stderr.splitlines()[-2], (args, done)
        assert "LEADLINE_HOME" in done.stderr.splitlines()[-1]
        assert "Connecting" not in done.stdout + done.stderr
    assert reader("runs").stdout.count("db7") == 1


def test_what_stands_in_its_log_alone_is_read_too(reader: Reader, home: Path) -> None:
    other = home.with_name("other")
    with Store.open(other / "leadline.sqlite3") as store:
        store.save_target(SPEC)
        store._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        store.start_run(SPEC, RAW, PLAN)
        home.mkdir()
        for name in ("leadline.sqlite3", "leadline.sqlite3-wal"):
            shutil.copyfile(other / name, home / name)
    done = reader("runs")
    assert done.code == 0
    assert RunState.INTERRUPTED.value in done.stdout


def test_secrets_of_an_older_program_are_hidden_in_what_is_read(reader: Reader, home: Path) -> None:
    with Store.open() as store:
        run_id = store.start_run(SPEC, RAW, PLAN)
        row = (run_id, "report_password", "Plain1")
        store._database.execute("INSERT INTO conditions VALUES (?, ?, ?)", row)
        store.end_run(run_id, RunState.DONE)
        store._database.execute("DELETE FROM cleanings")
    done = reader("runs", "show", str(run_id), "--json")
    assert done.code == 0
    assert "report_password" in done.stdout
    assert "Plain1" not in done.stdout
    assert "start Leadline once where it may write the file" in done.stderr


def test_a_damaged_one_is_left_alone(reader: Reader, home: Path) -> None:
    home.mkdir()
    (home / "leadline.sqlite3").write_bytes(b"these are my notes, not a database" * 100)
    done = reader("runs")
    assert done.code == 1
    assert "is damaged, and can't be kept aside" in done.stderr
    assert [path.name for path in home.iterdir()] == ["leadline.sqlite3"]


def test_secrets_that_an_older_program_kept_are_hidden_as_it_is_read(
    reader: Reader, home: Path, tmp_path: Path
) -> None:
    with Store.open() as store:
        run_id = keep(store)
        store._database.execute("DELETE FROM cleanings")
        answers = store.raw_inventory(run_id).answers
    old = json.loads(ANSWERS["mysql.variables"])
    old |= json.loads(answers["mysql.variables"])
    plant(home / "leadline.sqlite3", run_id, {**answers, "mysql.variables": json.dumps(old)})
    before = (home / "leadline.sqlite3").read_bytes()
    for form in ("html", "json"):
        done = reader("report", str(run_id), "-o", str(tmp_path / f"a.{form}"))
        assert done.code == 0, done.stderr
        assert "hidden here. The file itself still holds them" in done.stderr
        assert SECRET not in (tmp_path / f"a.{form}").read_text(encoding="utf-8")
    exported = reader("case", "export", str(run_id), str(tmp_path / "a.leadline"))
    assert exported.code == 0, exported.stderr
    assert SECRET.encode() not in (tmp_path / "a.leadline").read_bytes()
    assert (home / "leadline.sqlite3").read_bytes() == before
    assert SECRET.encode() in before
