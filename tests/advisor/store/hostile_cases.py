"""Case files as an attacker would make them, each from a case that is right."""

from __future__ import annotations

import base64
import json
import sqlite3
import struct
import zlib
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

from tests.advisor.store.foreign_files import tamper

ENDLESS = "WITH RECURSIVE endless(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM endless)"
DIGITS = "9" * 5000
SETTLED = "SELECT 1 AS id, 1 AS run_id, 'a' AS code, 'b' AS message FROM endless"


NONSENSE = {
    "innodb_io_capacity": "-1",
    "innodb_buffer_pool_size": "1e999",
    "innodb_flush_neighbors": "nan",
    "innodb_doublewrite": "\x1b[2J",
    "innodb_page_size": "0",
    "innodb_redo_log_capacity": "-9223372036854775809",
    "innodb_log_file_size": "inf",
    "innodb_flush_method": "'; rm -rf /",
}


def plain(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def answered(file: Path, name: str, answer: str) -> None:
    """Put ``answer`` in the place of a raw answer."""
    tamper(file, "DELETE FROM raw_answers WHERE name = ?", values=(name,))
    tamper(file, "INSERT INTO raw_answers SELECT id, ?, ? FROM runs", values=(name, answer))


def changed(file: Path, name: str, old: str, new: str) -> None:
    """Change a part of a raw answer."""
    tamper(
        file, "UPDATE raw_answers SET answer = replace(answer, ?, ?) WHERE name = ?",
        values=(old, new, name),
    )  # fmt: skip


def set_all(table: str, column: str, value: object, file: Path) -> None:
    tamper(file, f"UPDATE {table} SET {column} = ?", values=(value,))


def untyped(table: str, column: str, value: object, file: Path) -> None:
    """Put a value where its column's type forbids it."""
    loosen = f"UPDATE sqlite_master SET sql = replace(sql, 'STRICT', '') WHERE name = '{table}'"
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        (sql,) = connection.execute(
            "SELECT sql FROM sqlite_master WHERE name = ?", (table,)
        ).fetchone()
    plain(file, "PRAGMA writable_schema = ON", loosen)
    tamper(file, f"UPDATE {table} SET {column} = ?", values=(value,))
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (sql, table))


def deep(count: int, inner: str = "") -> str:
    return '{"a":' * count + (inner or "1") + "}" * count


def many(table: str, columns: str, values: str, count: int, file: Path) -> None:
    tamper(
        file,
        "WITH RECURSIVE many(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM many"
        f" WHERE x < {count}) INSERT INTO {table} ({columns}) SELECT {values} FROM many, runs",
    )


def copied_points(times: int, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        names = [row[1] for row in connection.execute("PRAGMA table_info(points)")]
    columns = ", ".join(name for name in names if name != "id")
    tamper(
        file,
        f"WITH RECURSIVE many(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM many WHERE x < {times})"
        f" INSERT INTO points ({columns}) SELECT {columns} FROM points, many",
    )


def histogram(lowest: int, highest: int, digits: int, payload: bytes) -> str:
    """An HdrHistogram, V2, compressed, whose header says what it likes."""
    head = struct.pack(">iiiiqqd", 0x1C849303 | 0x10, len(payload), 0, digits, lowest, highest, 1.0)
    packed = zlib.compress(head + payload)
    return base64.b64encode(struct.pack(">ii", 0x1C849304 | 0x10, len(packed)) + packed).decode()


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def written(content: bytes, file: Path) -> None:
    file.write_bytes(content)


def sparse(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.truncate(900 << 20)


def looped(file: Path) -> None:
    """Let the largest table's root page lead to itself."""
    copied_points(400, file)
    with closing(sqlite3.connect(file)) as connection:
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'points'"
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    content = bytearray(file.read_bytes())
    start = (root - 1) * size
    assert content[start] == 5, "an inner page"
    content[start + 8 : start + 12] = struct.pack(">I", root)
    first = struct.unpack(">H", content[start + 12 : start + 14])[0]
    content[start + first : start + first + 4] = struct.pack(">I", root)
    file.write_bytes(content)


def replaced(table: str, create: str, file: Path) -> None:
    plain(file, "PRAGMA foreign_keys = OFF", "PRAGMA legacy_alter_table = ON",
          f"DROP TABLE {table}", create)  # fmt: skip


def more_runs(file: Path) -> None:
    """Twice as many again: more looks than speak for one server."""
    with closing(sqlite3.connect(file)) as connection:
        names = [row[1] for row in connection.execute("PRAGMA table_info(runs)")]
    columns = ", ".join(name for name in names if name != "id")
    for _ in range(2):
        tamper(file, f"INSERT INTO runs ({columns}) SELECT {columns} FROM runs")


def runs_of_two_targets(file: Path) -> None:
    """A second look, at another server."""
    more_runs(file)
    tamper(file, "DELETE FROM runs WHERE id NOT IN (SELECT id FROM runs ORDER BY id LIMIT 2)")
    tamper(file, "UPDATE runs SET target = 'db8' WHERE id = (SELECT max(id) FROM runs)")


REFUSED: dict[str, Callable[[Path], None]] = {
    "an endless view of warnings": partial(
        replaced, "run_warnings", f"CREATE VIEW run_warnings AS {ENDLESS} {SETTLED}"
    ),
    "an endless view of runs": partial(
        replaced, "runs", f"CREATE VIEW runs AS {ENDLESS} SELECT x AS id FROM endless"
    ),
    "a view that takes all memory": partial(
        replaced, "runs",
        f"CREATE VIEW runs AS {ENDLESS} SELECT group_concat(hex(randomblob(1e6))) FROM endless",
    ),
    "one more view": lambda file: plain(
        file, f"CREATE VIEW more AS {ENDLESS} SELECT x FROM endless"
    ),
    "one more table": lambda file: plain(file, "CREATE TABLE more (x)"),
    "one more trigger": lambda file: plain(
        file, "CREATE TRIGGER more AFTER INSERT ON migrations BEGIN DELETE FROM points; END"
    ),
    "another trigger of a known name": lambda file: plain(
        file, "DROP TRIGGER runs_end_once",
        "CREATE TRIGGER runs_end_once BEFORE UPDATE ON runs BEGIN"
        f" SELECT 1 WHERE 0 IN ({ENDLESS} SELECT x FROM endless); END",
    ),
    "a virtual table": lambda file: plain(file, "CREATE VIRTUAL TABLE more USING fts5(x)"),
    "a virtual table in a table's place": partial(
        replaced, "conditions", "CREATE VIRTUAL TABLE conditions USING fts5(run_id, name, value)"
    ),
    "a computed column": partial(
        replaced, "conditions",
        "CREATE TABLE conditions (run_id INTEGER NOT NULL, name TEXT NOT NULL,"
        " value TEXT NOT NULL AS (hex(zeroblob(100000000)))) STRICT",
    ),
    "an index on an expression": lambda file: plain(
        file, "CREATE INDEX more ON conditions (length(value))"
    ),
    "a condition that takes for ever": partial(
        replaced, "conditions",
        "CREATE TABLE conditions (run_id INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,"
        " CHECK (length(hex(zeroblob(100000000))) > 0)) STRICT",
    ),
    "another program's database": lambda file: plain(
        file, *(f"ALTER TABLE {name} RENAME TO x_{name}" for name in ("runs", "points", "samples"))
    ),
    "a table less": lambda file: plain(file, "DROP TABLE canary_beats"),
    "a newer version": lambda file: plain(file, "UPDATE migrations SET number = number + 9000"),
    "a version between": lambda file: plain(file, "DELETE FROM migrations WHERE number > 1"),
    "no version": lambda file: plain(file, "DELETE FROM migrations"),
    "no mark": lambda file: plain(file, "PRAGMA application_id = 7"),
    "half of it": cut,
    "nothing": partial(written, b""),
    "text": partial(written, b"no database\n" * 999),
    "900 MiB of nothing": sparse,
    "a text of 17 MiB": partial(set_all, "conditions", "value", "x" * (17 << 20)),
    "pages that lead to themselves": looped,
    "text that is none": lambda file: tamper(
        file, "UPDATE conditions SET value = CAST(X'ff41' AS TEXT)"
    ),
    "a word for a count": partial(untyped, "points", "threads", "many"),
    "a blob for a text": partial(untyped, "runs", "reason", b"\xff\0"),
    "a word for a rate": partial(untyped, "points", "rate_per_s", "fast"),
    "a deep plan": partial(set_all, "runs", "plan", deep(900)),
    "a deeper plan": partial(set_all, "runs", "plan", deep(100_000)),
    "a deep target": partial(set_all, "runs", "spec", deep(900)),
    "deep details": partial(set_all, "points", "details", deep(900)),
    "options that are a list": partial(set_all, "points", "options", "[1, 2]"),
    "options that are numbers": partial(set_all, "points", "options", '{"sync": 7}'),
    "reasons that are numbers": partial(set_all, "points", "doubts", "[1, 2]"),
    "an unknown probe": partial(set_all, "points", "probe", "everything"),
    "a calibration of nonsense": partial(set_all, "runs", "calibrated", '{"wakeup_us": [1]}'),
    "no threads": partial(set_all, "points", "threads", 0),
    "threads below nothing": partial(set_all, "points", "threads", -5),
    "threads without end": partial(set_all, "points", "threads", 2**62),
    "an endless rate": partial(set_all, "points", "rate_per_s", 9e999),
    "a rate beyond all rates": partial(set_all, "points", "rate_per_s", 1e308),
    "a latency below all": partial(set_all, "points", "p95_us", -9e999),
    "too many points": partial(copied_points, 6000),
    "too many warnings": partial(
        many, "run_warnings", "run_id, code, message", "id, 'code', 'message'", 11_000
    ),
    "more runs than one server is known by": more_runs,
    "runs of two targets": runs_of_two_targets,
    "no run": lambda file: tamper(file, "DELETE FROM runs"),
    "an import": partial(set_all, "runs", "kind", "import"),
    "an unknown state": partial(set_all, "runs", "state", "asleep"),
}  # fmt: skip
"""What can't be a case: told in a sentence."""

JUDGED: dict[str, Callable[[Path], None]] = {
    "a deep inventory": lambda file: answered(file, "agent.inventory", deep(100_000)),
    "an inventory of figures beyond all": lambda file: answered(
        file, "agent.inventory", json.dumps({"paths": {"data": {"blocks": 10**400}}})
    ),
    "an inventory of long figures": lambda file: answered(
        file, "agent.inventory", f'{{"paths": {{"data": {{"blocks": {DIGITS}}}}}}}'
    ),
    "an inventory that is a list": lambda file: answered(file, "agent.inventory", "[1]"),
    "no inventory": lambda file: tamper(file, "DELETE FROM raw_answers"),
    "variables of 5000 digits": lambda file: changed(
        file, "mysql.variables", '"innodb_io_capacity": "20000"',
        f'"innodb_io_capacity": "{DIGITS}", "innodb_buffer_pool_size": "{DIGITS}"',
    ),
    "variables of nonsense": lambda file: answered(
        file, "mysql.variables", json.dumps(NONSENSE)
    ),
    "deep variables": lambda file: answered(file, "mysql.variables", deep(100_000)),
    "a status of no end": lambda file: answered(
        file, "mysql.status.after",
        '{"at_s": 1e400, "values": {"Uptime": "' + DIGITS + '", "Innodb_rows_read": "1e999"}}',
    ),
    "a status of long figures": lambda file: answered(
        file, "mysql.status.after",
        json.dumps({"at_s": 10, "values": {"Uptime": DIGITS, "Innodb_rows_read": DIGITS,
                    "Innodb_pages_written": "-" + DIGITS, "Innodb_os_log_written": "nan"}}),
    ),
    "metrics of no end": lambda file: answered(
        file, "mysql.innodb_metrics", f'{{"log_lsn_checkpoint_age": {DIGITS}, "b": 1e999, "c": []}}'
    ),
    "a version of 100,000 digits": lambda file: answered(
        file, "mysql.version", json.dumps({"version": "8.0." + "9" * 100_000, "comment": "x"})
    ),
    "sizes below nothing": lambda file: answered(
        file, "mysql.sizes", '{"innodb_files_bytes": -1e18}'
    ),
    "origins of nonsense": lambda file: answered(
        file, "mysql.origins", '{"innodb_io_capacity": [[1], {"a": 2}], "b": 7}'
    ),
    "no rate": partial(set_all, "points", "rate_per_s", 0.0),
    "blocks without end": partial(set_all, "points", "block_size_bytes", 1 << 40),
    "more operations than are counted": partial(set_all, "points", "operations", 2**63 - 1),
    "a histogram of six million counts": partial(
        set_all, "points", "histogram", histogram(1, 1 << 62, 5, b"\x02" * 400)
    ),
    # Made when it is asked for: that takes longer than all of the others.
    "a histogram of a gigabyte": lambda file: set_all(
        "points", "histogram", histogram(1, 1 << 40, 3, b"\x02" * (64 << 20)), file
    ),
    "a histogram of nonsense": partial(set_all, "points", "histogram", "AAAA" * 9),
    "details of nonsense": partial(
        set_all, "points", "details",
        json.dumps({"device": 7, "issued": "x", "cpu_busy": [], "mhz": {"a": 1}, "phases": [1, "x"],
                    "cpu_steal": "high", "clock_jump_s": {}, "commits_per_sync": -1,
                    "seconds": [[1]], "dirty": 3}),
    ),
    "details of other nonsense": partial(
        set_all, "points", "details",
        json.dumps({"device": {"written_bytes": "x", "reads": [], "name": 7, "read_bytes": -1},
                    "phases": [{"rate_per_s": "x", "from_s": None}], "issued": {"a": []}}),
    ),
    "names with escapes": lambda file: tamper(
        file, "UPDATE runs SET target = char(27) || '[2J' || char(7) || 'x', reason = char(155)"
    ),
    "conditions of nonsense": lambda file: tamper(
        file, "UPDATE conditions SET value = char(27) || '[2J../../' || char(0)"
    ),
    "still running": partial(set_all, "runs", "state", "running"),
}  # fmt: skip
"""What may be judged, or is told in a sentence."""
