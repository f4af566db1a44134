"""A file that is damaged, newer, locked or not to be written is met with a sentence."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Timer

import pytest

from advisor.store.database import Database
from advisor.store.private_files import keep_store
from advisor.store.schema import migrations
from advisor.store.schema.migrations import Migration, known, migrate, statements
from advisor.store.schema.opening import open_database
from advisor.store.store import Store
from probes.errors import StoreError
from tests.advisor.store.builders import PLAN, POINT, RAW, SAMPLES, SPEC

ROOT = Path(__file__).parents[4]
ALL_MAY_READ = all(each.stat().st_mode & stat.S_IXOTH for each in (ROOT, *ROOT.parents))


def fill(path: Path) -> None:
    with Store.open(path) as store:
        store.save_target(SPEC)
        run_id = store.start_run(SPEC, RAW, PLAN)
        for _ in range(20):
            store.add_point(run_id, POINT, SAMPLES * 20)


def test_the_folder_is_made_and_the_settings_are_chosen(home: Path) -> None:
    with Store.open() as store:
        assert store.warnings == ()
        database = store._database
        assert (home / "leadline.sqlite3").exists()
        assert database.rows("PRAGMA journal_mode")[0][0] == "wal"
        assert database.rows("PRAGMA foreign_keys")[0][0] == 1
        assert database.rows("PRAGMA busy_timeout")[0][0] == 5000
        tables = database.rows("PRAGMA table_list")
        assert all(row["strict"] for row in tables if not row["name"].startswith("sqlite_"))


def test_a_file_that_is_no_database_is_kept_aside(home: Path) -> None:
    home.mkdir()
    path = home / "leadline.sqlite3"
    path.write_bytes(b"these are my notes, not a database" * 100)
    path.with_name(path.name + "-wal").write_bytes(b"and more notes")
    with Store.open() as store:
        store.save_target(SPEC)
        (warning,) = store.warnings
    kept, log = sorted(home.glob("leadline.sqlite3.corrupt-????????-??????*"))
    assert log.name == f"{kept.name}-wal"
    assert log.read_bytes() == b"and more notes"
    assert kept.read_bytes().startswith(b"these are my notes")
    assert str(kept) in warning
    with Store.open() as store:
        assert store.warnings == ()
        assert store.targets() == [SPEC]


@pytest.mark.parametrize("damage", ["overwritten", "cut"])
def test_a_damaged_file_is_kept_aside(home: Path, damage: str) -> None:
    path = home / "leadline.sqlite3"
    fill(path)
    size = path.stat().st_size
    with path.open("r+b") as file:
        if damage == "cut":
            file.truncate(size // 2)
        else:
            file.seek(4096)
            file.write(os.urandom(size - 8192))
    with Store.open() as store:
        assert len(store.warnings) == 1
        assert store.targets() == []
    (kept,) = home.glob("*.corrupt-*")
    assert kept.stat().st_size > 4096


def test_a_newer_file_is_refused_by_name_and_left_alone(home: Path) -> None:
    path = home / "leadline.sqlite3"
    fill(path)
    database = Database(path)
    database.execute("INSERT INTO migrations VALUES (7001, 'far_ahead', '2031-01-01', '9.4.2')")
    database.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"written by a newer Leadline \(9\.4\.2;") as caught:
        Store.open()
    assert str(path) in caught.value.sentence
    assert path.read_bytes() == before
    assert not list(home.glob("*.corrupt-*"))


def test_a_locked_file_says_so(home: Path) -> None:
    path = home / "leadline.sqlite3"
    fill(path)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(StoreError, match="locked by another program") as caught:
            open_database(path, busy_timeout_s=0.2)
    finally:
        holder.close()
    assert "Close the other program" in caught.value.advice
    with Store.open() as store:
        assert store.targets() == [SPEC]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="changes its user")
@pytest.mark.skipif(not ALL_MAY_READ, reason="the tree lies where others may not read")
@pytest.mark.parametrize("what", ["folder", "file", "missing"])
def test_without_the_right_to_write_it_says_what_to_do(tmp_path: Path, what: str) -> None:
    home = tmp_path / "home"
    if what != "missing":
        fill(home / "leadline.sqlite3")
    else:
        home.mkdir()
    (home / "leadline.sqlite3").chmod(0o444) if what == "file" else None
    home.chmod(0o777 if what == "file" else 0o755)
    # Before Python may leave root, it must have loaded what only root can read.
    script = (
        "import os, sys\n"
        "from advisor.store.store import Store\n"
        "from probes.errors import StoreError\n"
        "os.chdir(sys.argv[1]); os.setgid(65534); os.setuid(65534)\n"
        "from pathlib import Path\n"
        "try: Store.open(Path('leadline.sqlite3')).delete_target('db7')\n"
        "except StoreError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(home)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert "can't be" in done.stdout
    assert "LEADLINE_HOME" in done.stdout


def test_a_folder_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="can't be made"):
        Store.open(tmp_path / "file" / "leadline.sqlite3")


def test_several_programs_may_start_at_once(tmp_path: Path) -> None:
    path = tmp_path / "leadline.sqlite3"

    def save(number: int) -> tuple[str, ...]:
        with Store.open(path) as store:
            store.save_target(SPEC)
            return store.warnings

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(save, range(16))) == {()}
    with Store.open(path) as store:
        assert store.targets() == [SPEC]


def test_a_new_file_that_another_program_writes_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "leadline.sqlite3"
    writer = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    writer.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="locked by another program"):
        open_database(path, busy_timeout_s=0.05)
    leaves = Timer(0.1, writer.close)
    leaves.start()
    with Store.open(path) as store:
        assert store._database.rows("PRAGMA journal_mode")[0][0] == "wal"
    leaves.join()


def test_a_failing_step_leaves_nothing_behind(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.sqlite3")
    bad = Migration(9000, "bad", "CREATE TABLE half (a TEXT);\nCREATE TABLE half (a TEXT);\n")
    with pytest.raises(StoreError, match="damaged"):
        migrate(database, [*known(), bad])
    assert database.rows("SELECT * FROM sqlite_master WHERE name = 'half'") == []
    assert database.rows("SELECT max(number) FROM migrations")[0][0] == known()[-1].number
    good = Migration(9000, "good", "CREATE TABLE whole (a TEXT);\n")
    migrate(database, [*known(), good])
    assert database.rows("SELECT count(*) FROM whole")[0][0] == 0
    database.close()


def test_the_steps_are_numbered_without_a_gap() -> None:
    assert [step.number for step in known()] == list(range(1, len(known()) + 1))
    assert migrations.APPLICATION_ID.to_bytes(4) == b"Lead"


def test_a_trigger_is_one_statement() -> None:
    script = (
        "-- why\nCREATE TABLE a (b);\n"
        "CREATE TRIGGER t BEFORE UPDATE ON a\nBEGIN\n SELECT 1;\nEND;\n"
    )
    assert [text.split()[-1] for text in statements(script)] == ["(b);", "END;"]
    with pytest.raises(ValueError, match="within a statement"):
        statements("CREATE TABLE a (b)")


def test_a_folder_with_too_long_a_name_is_told(tmp_path: Path) -> None:
    long = tmp_path.joinpath(*("x" * 200 for _ in range(30)))
    with pytest.raises(StoreError) as caught, Store.open(long / "leadline.sqlite3"):
        pass
    assert "name too long" in str(caught.value).lower()


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such rights")
def test_what_is_no_file_keeps_its_rights(tmp_path: Path) -> None:
    """Root's store as a link to a device would take that from everybody."""
    pipe, link, own = tmp_path / "pipe", tmp_path / "store", tmp_path / "own"
    os.mkfifo(pipe)
    own.touch()
    for each in (pipe, own):
        each.chmod(0o666)
    link.symlink_to(pipe)
    keep_store(link)
    assert stat.S_IMODE(pipe.stat().st_mode) == 0o666
    keep_store(own)
    assert stat.S_IMODE(own.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
def test_another_accounts_file_keeps_its_rights(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.touch()
    theirs.chmod(0o644)
    os.chown(theirs, 65534, 65534)
    keep_store(theirs)
    assert stat.S_IMODE(theirs.stat().st_mode) == 0o644
