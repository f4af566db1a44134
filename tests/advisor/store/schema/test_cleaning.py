"""Secrets that an older program kept are hidden when its files are opened, and gone from them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from advisor.report.report import read_case
from advisor.run import RunState, Voice
from advisor.store import casefile
from advisor.store.schema.cleaning import clean_file
from advisor.store.store import Store
from probes.inventory.facts import Missing, RawInventory
from probes.redaction import HIDDEN, RULES
from tests.advisor.store.builders import PLAN, RAW, SPEC
from tests.app.cli.kept import keep

SECRET = "Old5ecretOfTheServers"
VERSION_1 = Path(__file__).with_name("version_1.sql")
VARIABLES = {
    "port": "3306",
    "init_connect": f"SET @p='{SECRET}'",
    "feedback_url": f"https://u:{SECRET}@h/",
}
OPTION = {"file": "/etc/my.cnf", "name": "x", "value": f"pwd={SECRET}", "text": f"x=pwd={SECRET}"}
ANSWERS = {
    "mysql.variables": json.dumps(VARIABLES),
    "agent.inventory": json.dumps({"server": {"pid": 1, "options": {"lines": [OPTION]}}}),
    "mysql.innodb_status": f"---\nTRANSACTIONS\n---\nselect '{SECRET}'\n---\nFILE I/O\n---\nx\n",
}
HIDDEN_IN_A_RUN = 7
"""Two variables, a line of an option file, the status, a reason, a condition and a warning."""


def plant(path: Path, run_id: int, answers: dict[str, str] = ANSWERS) -> None:
    """Put into a run what an older program would have kept."""
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("PRAGMA journal_mode = WAL")
        for (trigger,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            raw.execute(f"DROP TRIGGER {trigger}")
        raw.execute("DELETE FROM raw_answers WHERE run_id = ?", (run_id,))
        for name, answer in answers.items():
            raw.execute("INSERT INTO raw_answers VALUES (?, ?, ?)", (run_id, name, answer))
        raw.execute(
            "INSERT INTO missing_facts (run_id, fact, because) VALUES (?, 'a', ?)",
            (run_id, f"it says token={SECRET}"),
        )
        raw.execute("REPLACE INTO conditions VALUES (?, 'api_key', ?)", (run_id, SECRET))
        raw.execute(
            "INSERT INTO run_warnings (run_id, code, message) VALUES (?, 'a', ?)",
            (run_id, f"IDENTIFIED BY '{SECRET}'"),
        )


@pytest.fixture
def old(home: Path) -> Path:
    """A file of version 0.1.0, with secrets in both of its runs and in a deleted one."""
    home.mkdir()
    path = home / "leadline.sqlite3"
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(VERSION_1.read_text(encoding="utf-8"))
        triggers = raw.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    plant(path, 1)
    plant(path, 2)
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("CREATE TABLE deleted (text)")
        raw.executemany("INSERT INTO deleted VALUES (?)", [(SECRET * 200,)] * 50)
        raw.execute("DROP TABLE deleted")
        for (sql,) in triggers:
            raw.execute(sql)
    assert SECRET.encode() in path.read_bytes()
    return path


def files(path: Path) -> bytes:
    """The file, its log and whatever else lies beside it."""
    return b"".join(each.read_bytes() for each in path.parent.rglob("*") if each.is_file())


def test_an_older_file_is_cleaned_and_that_is_said_once(old: Path) -> None:
    with Store.open() as store:
        (warning,) = store.warnings
        assert SECRET.encode() not in files(old)
        variables = json.loads(store.raw_inventory(1).answers["mysql.variables"])
        conditions = store.conditions(2)
    assert warning.startswith(f"{2 * HIDDEN_IN_A_RUN} values")
    assert "in 2 runs" in warning
    assert "could not" not in warning
    assert variables == {"port": "3306", "init_connect": HIDDEN, "feedback_url": HIDDEN}
    assert conditions["api_key"] == HIDDEN
    assert SECRET.encode() not in files(old)
    with Store.open() as store:
        assert store.warnings == ()


def test_only_a_cleaning_changes_a_run_that_has_ended(old: Path) -> None:
    Store.open().close()
    with closing(sqlite3.connect(old)) as raw:
        assert raw.execute("SELECT * FROM cleaning").fetchall() == []
        for table, column in (
            ("raw_answers", "answer"),
            ("missing_facts", "because"),
            ("run_warnings", "message"),
            ("conditions", "value"),
            ("runs", "reason"),
        ):
            with pytest.raises(sqlite3.IntegrityError, match="never changes"):
                raw.execute(f"UPDATE {table} SET {column} = ''")


def test_a_file_that_somebody_reads_is_cleaned_but_written_anew_the_next_time(old: Path) -> None:
    with closing(sqlite3.connect(old, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM runs").fetchall()
        with Store.open() as store:
            (warning,) = store.warnings
            assert SECRET not in repr(store.raw_inventory(1))
        assert "could not be rewritten" in warning
    with Store.open() as store:
        assert store.warnings == ()
    assert SECRET.encode() not in files(old)


def test_another_list_cleans_again(old: Path) -> None:
    with Store.open() as store:
        database = store._database
        assert clean_file(database) == ()
        database.execute("UPDATE cleanings SET rules = 'older'")
    plant(old, 1)
    with Store.open() as store:
        (warning,) = store.warnings
    assert warning.startswith(f"{HIDDEN_IN_A_RUN} values")
    with closing(sqlite3.connect(old)) as raw:
        assert (RULES,) in raw.execute("SELECT rules FROM cleanings").fetchall()


def test_a_text_that_is_none_is_no_obstacle(old: Path) -> None:
    with closing(sqlite3.connect(old)) as raw, raw:
        raw.execute("DROP TRIGGER run_warnings_update")
        raw.execute("UPDATE run_warnings SET message = CAST(x'ff70617373776f72643d6161' AS TEXT)")
    with Store.open() as store:
        assert "are hidden now" in store.warnings[0]
        assert {each.message for each in store.run_warnings(2)} == {f"\ufffd{HIDDEN}"}


def test_a_new_run_keeps_none_either(home: Path) -> None:
    missing = (Missing("a", f"token={SECRET}"),)
    with Store.open() as store:
        assert store.warnings == ()
        run_id = store.start_run(SPEC, RawInventory(RAW.taken_at, ANSWERS, missing), PLAN)
        store.add_answers(run_id, {"sandbox.mysql.variables": json.dumps(VARIABLES)})
        store.add_warning(run_id, "a", f"password={SECRET}")
        store.set_condition(run_id, "api_key", SECRET)
        store.end_run(run_id, RunState.FAILED, f"https://u:{SECRET}@h")
        assert SECRET.encode() not in files(home / "leadline.sqlite3")


def test_an_older_case_file_is_cleaned_as_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "old.leadline"
    with Store.open(tmp_path / "here" / "leadline.sqlite3") as store:
        casefile.export(store, Voice(keep(store)), file)
    with closing(sqlite3.connect(file)) as raw:
        answers = dict(raw.execute("SELECT name, answer FROM raw_answers").fetchall())
        triggers = raw.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        (run_id,) = raw.execute("SELECT id FROM runs").fetchone()
    variables = json.loads(answers["mysql.variables"]) | VARIABLES
    plant(file, run_id, answers | {"mysql.variables": json.dumps(variables)})
    with closing(sqlite3.connect(file)) as raw, raw:
        raw.execute("PRAGMA journal_mode = DELETE")
        for (sql,) in triggers:
            raw.execute(sql)
    before, said = file.read_bytes(), list[str]()
    report = read_case(file, said.append)
    assert SECRET.encode() in before
    assert SECRET not in repr(report)
    assert file.read_bytes() == before
    (warning,) = said
    assert warning.startswith("5 values")
    assert "still holds them" in warning
