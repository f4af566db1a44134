"""Case files with a few figures and texts that no server gives, from real ones: by a seed each."""

from __future__ import annotations

import gzip
import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import Any

from advisor.target_names import CASE_SUFFIX
from probes.variable_sheets import numbers
from tests.advisor.store.foreign_files import tamper

FIGURES: tuple[object, ...] = (
    *(0, -1, 1, 0.5, -0.0, 1e-320, 1e308, -1e308, 2**31, 2**63 - 1, 2**63, 2**64 - 1, -(2**63)),
    *("", "0", "-1", "zz", "1e400", "-1e400", "inf", "nan", "1_0", "9" * 25, "9" * 5000),
    *("18446744073709551615", "18446744073709551616", "0.0000000001", "512M", "ON", "OFF"),
)
TEXTS: tuple[object, ...] = (
    *("", "x" * 5000, "\u202e", "\x1b[2J", "\n", "a\x00b", "{{ x }}", "'\"`\\", "/", "../..", "-x"),
    *(None, True, False, [], {}, [[]], {"a": {}}, ["x"], [None, None]),
)
COLUMNS = (
    *("threads", "block_size_bytes", "files", "seconds", "operations", "rate_per_s"),
    *("ci95_low_per_s", "ci95_high_per_s", "mean_us", "p50_us", "p95_us", "p99_us", "p999_us"),
    *("max_us", "cpu_user_us_per_op", "cpu_system_us_per_op", "warmup_s"),
)
ROWS: tuple[float, ...] = (0, -1, 1, 0.5, 1e-9, 1e6, 1e12, 9.9e14, 2**31)
LIKELY = ("mysql.variables", "mysql.status.after", "mysql.version", "mysql.round_trip_us")
"""What few of all leaves are, and many readers use."""


def originals(folder: Path) -> list[Path]:
    """The real cases that ship: a watch of a loaded server, and a check."""
    found = []
    for packed in sorted(files("resources").joinpath("sample").iterdir(), key=lambda one: one.name):
        if packed.name.endswith(f"{CASE_SUFFIX}.gz"):
            found.append(folder / packed.name.removesuffix(".gz"))
            found[-1].write_bytes(gzip.decompress(packed.read_bytes()))
    return found


def mutate(file: Path, seed: int) -> list[str]:
    """Change one to three things of a case file; returns what, for the fault's sentence."""
    chance = random.Random(seed)
    return [chance.choice(_KINDS)(file, chance) for _ in range(chance.randint(1, 3))]


def _answers(file: Path) -> dict[str, str]:
    with closing(sqlite3.connect(file)) as connection:
        return dict(connection.execute("SELECT name, answer FROM raw_answers ORDER BY name"))


def _told(file: Path, name: str) -> dict[str, Any]:
    """An answer, or nothing where an earlier change left no object of it."""
    try:
        told = json.loads(_answers(file).get(name, ""))
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _write(file: Path, name: str, answer: str) -> None:
    tamper(file, "UPDATE raw_answers SET answer = ? WHERE name = ?", values=(answer, name))


def _a_leaf(file: Path, chance: random.Random) -> str:
    answers = _answers(file)
    name = chance.choice([*answers, *LIKELY])
    try:
        told = json.loads(answers.get(name, ""))
    except ValueError:
        return _a_whole_answer(file, chance)
    leaves = [*_leaves(told)] if isinstance(told, dict | list) else []
    if not leaves:
        return _a_whole_answer(file, chance)
    holder, key = chance.choice(leaves)
    said = chance.choice((*FIGURES, *FIGURES, *TEXTS))
    if isinstance(holder, dict) and chance.random() < 0.1:
        del holder[key]
        said = "(gone)"
    else:
        holder[key] = said
    _write(file, name, json.dumps(told))
    return f"{name} {key} = {said!r:.60}"


def _leaves(told: Any) -> Iterator[tuple[Any, Any]]:
    places = told.items() if isinstance(told, dict) else enumerate(told)
    for key, value in places:
        yield told, key
        if isinstance(value, dict | list):
            yield from _leaves(value)


def _a_number(file: Path, chance: random.Random) -> str:
    """A variable that rules reckon with."""
    told = _told(file, "mysql.variables")
    known = sorted(numbers() & told.keys())
    if not known:
        return _a_whole_answer(file, chance)
    name = chance.choice(known)
    told[name] = chance.choice(FIGURES)
    _write(file, "mysql.variables", json.dumps(told))
    return f"{name} = {told[name]!r:.60}"


def _a_counter(file: Path, chance: random.Random) -> str:
    name = chance.choice(("mysql.status.after", "mysql.status.before"))
    told = _told(file, name)
    if not isinstance(told.get("values"), dict) or not told["values"]:
        return _a_whole_answer(file, chance)
    key = chance.choice(sorted(told["values"]))
    told["values"][key] = said = chance.choice(FIGURES)
    _write(file, name, json.dumps(told))
    return f"{name} {key} = {said!r:.60}"


def _a_whole_answer(file: Path, chance: random.Random) -> str:
    answers = _answers(file)
    name = chance.choice([*answers, *LIKELY])
    content = answers.get(name, "")
    said = chance.choice(
        ("", "{}", "[]", "null", "0", "inf", "1e400", "-1", "{", content[: len(content) // 2])
    )
    _write(file, name, said)
    return f"{name} as a whole = {said!r:.60}"


def _a_point(file: Path, chance: random.Random) -> str:
    column, said = chance.choice(COLUMNS), chance.choice(ROWS)
    which = "" if chance.random() < 0.3 else f" WHERE id % 7 = {chance.randrange(7)}"
    if column in {"threads", "block_size_bytes", "files", "operations"}:
        said = max(0, int(said))
    try:
        tamper(file, f"UPDATE points SET {column} = ?{which}", values=(said,))
    except sqlite3.IntegrityError:
        return f"points' {column} = {said} is refused"
    return f"points' {column} = {said}{which}"


def _a_condition(file: Path, chance: random.Random) -> str:
    said = str(chance.choice((*FIGURES, *TEXTS)))
    column, table = chance.choice(
        (("value", "conditions"), ("because", "missing_facts"), ("fact", "missing_facts"))
    )
    tamper(file, f"UPDATE {table} SET {column} = ?", values=(said,))
    return f"{table}' {column} = {said!r:.60}"


_KINDS: tuple[Callable[[Path, random.Random], str], ...] = (
    *(_a_leaf, _a_leaf, _a_leaf, _a_number, _a_number, _a_counter, _a_whole_answer, _a_point),
    _a_condition,
)
