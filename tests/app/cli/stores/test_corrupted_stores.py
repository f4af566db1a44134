"""A store that a disk or a program has damaged: other runs stay readable, and each fault is told.

A sample of the corruptions is tried; CORRUPTED=200 tries as many, each with every command.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from advisor.store.store import Store
from tests.advisor.store.builders import IMPORTED, SPEC
from tests.advisor.store.hostile_cases import JUDGED, deep
from tests.app.cli.forked import Done
from tests.app.cli.kept import keep

Leadline = Callable[..., Done]

COUNT = int(os.environ.get("CORRUPTED", "0"))
SEEDS = range(COUNT or 36)
PAGE = 4096


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs 1 and 2 of servers, 3 an import, and one saved target."""
    path = tmp_path_factory.mktemp("right") / "leadline.sqlite3"
    with Store.open(path) as store:
        keep(store)
        keep(store, "db8")
        store.add_import(IMPORTED, "lab")
        store.save_target(SPEC)
    return path


@pytest.fixture
def path(right: Path, home: Path) -> Path:
    home.mkdir()
    return Path(shutil.copy(right, home / "leadline.sqlite3"))


def flipped(chance: random.Random, content: bytearray) -> bytearray:
    """One to four bits, anywhere."""
    for _ in range(chance.randint(1, 4)):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    return content


def flipped_text(chance: random.Random, content: bytearray) -> bytearray:
    """The high bit of one byte within a text that says something."""
    words = (b"random_write", b'"mysql.', b"leadline-agent", b'"kind"', b"2026-", b"/data/", b"db7")
    word = chance.choice([each for each in words if each in content])
    places = [at for at in range(len(content)) if content.startswith(word, at)]
    content[chance.choice(places) + chance.randrange(len(word))] ^= chance.choice(
        (0x80, 0x01, 0x10)
    )
    return content


def cut(chance: random.Random, content: bytearray) -> bytearray:
    return content[: chance.randrange(len(content))]


def swapped(chance: random.Random, content: bytearray) -> bytearray:
    """Two pages in each other's place."""
    one, other = (chance.randrange(len(content) // PAGE) * PAGE for _ in range(2))
    kept = content[one : one + PAGE]
    content[one : one + PAGE] = content[other : other + PAGE]
    content[other : other + PAGE] = kept
    return content


def overwritten(chance: random.Random, content: bytearray) -> bytearray:
    start = chance.randrange(len(content))
    content[start : start + 64] = chance.randbytes(len(content[start : start + 64]))
    return content


WAYS = (flipped, flipped_text, flipped_text, cut, swapped, overwritten)


def sound(done: Done) -> None:
    assert "mistake" not in done.stderr
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert len(done.stderr) < 2000
    assert done.code in (0, 1, 2)
    assert done.code == 0 or done.stderr


@pytest.mark.parametrize("seed", SEEDS)
def test_a_corrupted_store_is_told_of(leadline: Leadline, path: Path, seed: int) -> None:
    chance = random.Random(seed)
    way = WAYS[seed % len(WAYS)]
    path.write_bytes(way(chance, bytearray(path.read_bytes())))
    report = ("report", "1", "-o", str(path.with_suffix(".html")))
    commands = [("runs", "show", "1"), ("advise", "2"), report, ("runs", "show", "3")]
    sound(leadline("runs"))
    for command in commands if COUNT else chance.sample(commands, 1):
        sound(leadline(*command))


def change(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(statement, values)


OTHER_STEPS = {"file_sets": [], "steps": [{"setting": 7}], "seconds": 1, "sandbox": False}

HOSTILE: dict[str, tuple[str, str, object]] = {
    "a probe's name": ("points", "probe", b"random_\xf2ead"),
    "a text in JSON": ("points", "details", b'{"a":"\xe9\xff"}'),
    "no JSON": ("points", "options", '{"sync" "fsync"}'),
    "deep JSON": ("points", "details", deep(900)),
    "a list for an object": ("points", "options", "[1]"),
    "a rate without end": ("points", "rate_per_s", 9e999),
    "a plan of nothing": ("runs", "plan", "{}"),
    "a plan of other steps": ("runs", "plan", json.dumps({"name": "quick"} | OTHER_STEPS)),
    "a target of nothing": ("runs", "spec", "{}"),
    "a calibration of nonsense": ("runs", "calibrated", "[[[]]]"),
    "a condition that is no text": ("conditions", "value", b"\xff"),
    "an answer that is no text": ("raw_answers", "answer", b'{"a": "\xff"}'),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_damaged_in_one_run_is_told_of_that_run(
    leadline: Leadline, path: Path, what: str
) -> None:
    table, column, value = HOSTILE[what]
    new = "CAST(? AS TEXT)" if isinstance(value, bytes) else "?"
    key = "id" if table == "runs" else "run_id"
    change(path, f"UPDATE {table} SET {column} = {new} WHERE {key} = 1", value)
    for command in (("runs", "show", "1"), ("advise", "1")):
        done = leadline(*command)
        sound(done)
        assert done.code == 1
        assert done.stderr.startswith("What is kept of run 1 is damaged: "), done.stderr
        assert "`leadline runs delete 1` removes it" in done.stderr
    listed = leadline("runs")
    assert (listed.code, listed.stderr) == (0, "")
    assert [line.split()[0] for line in listed.stdout.splitlines()] == ["run", "3", "2", "1"]
    assert leadline("runs", "show", "2").code == 0
    assert leadline("runs", "delete", "1").code == 0
    assert leadline("runs", "show", "1").code == 2


@pytest.mark.parametrize("column", ["target", "state", "kind", "reason", "started_at"])
def test_a_list_shows_runs_that_are_damaged(leadline: Leadline, path: Path, column: str) -> None:
    change(path, f"UPDATE runs SET {column} = CAST(? AS TEXT) WHERE id = 2", b"do\xeee")
    listed = leadline("runs")
    assert (listed.code, listed.stderr) == (0, "")
    assert [line.split()[0] for line in listed.stdout.splitlines()] == ["run", "3", "2", "1"]
    if column in ("state", "kind"):
        assert "What is kept of it is damaged." in listed.stdout
    assert leadline("runs", "delete", "2").code == 0


def test_a_saved_target_that_is_damaged_is_left_out(leadline: Leadline, path: Path) -> None:
    with Store.open(path) as store:
        (one,) = store.targets()
    change(path, "INSERT INTO targets VALUES ('bad', CAST(? AS TEXT), '')", b'{"kind": "s\xf3h"}')
    listed = leadline("targets", "list")
    assert (listed.code, one.name in listed.stdout) == (0, True)
    assert "What is kept of the target bad is damaged" in listed.stderr
    tested = leadline("targets", "test", "bad")
    assert (tested.code, tested.stderr.count("damaged")) == (1, 2)


@pytest.mark.parametrize(
    "what", [*JUDGED] if COUNT else ["variables of nonsense", "deep variables"]
)
def test_a_run_of_nonsense_is_judged_or_told_of(leadline: Leadline, path: Path, what: str) -> None:
    change(path, "DELETE FROM runs WHERE id > 1")
    JUDGED[what](path)
    for command in (("runs", "show", "1"), ("advise", "1")):
        sound(leadline(*command))
