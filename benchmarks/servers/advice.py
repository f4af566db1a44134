"""Has Leadline check each of the eleven real servers as it comes, and writes docs/servers.md.

``make docs-servers``, or ``ARGS="mysql-8.0.33 mariadb-11.4.5"`` for some of them; ``--judge`` has
the kept runs judged by the rules of now, with nothing measured. Runs are kept in build/servers/.
While its counters are watched, a few sessions work on a table larger than a pool of 128 MiB.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pymysql

from benchmarks.servers.page import page
from tests.servers.eleven import ServerBuild, servers

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build" / "servers"
PAGE = ROOT / "docs" / "servers.md"
WATCHED_S = 20
SEEN_ENOUGH = "Making the plan."
"""What the program says once it has watched the server's counters."""

ENOUGH = 0.75
"""The share of questions that a run decides on a machine that is as noisy as most."""

DONE, STOPPED = 0, 4
"""The program's exit codes for a run to its end, and for one that its guard stopped."""


SCHEMA, TABLE = "shop", "item"
DOUBLINGS = 18
ROWS = 1 << DOUBLINGS
SESSIONS = 4
PAUSE_S = 0.002
"""Between two statements of a session: the load is there to be seen, not to fill the machine."""

_READ = f"SELECT body FROM {TABLE} WHERE id = %s"
_WRITE = f"UPDATE {TABLE} SET sold = sold + 1 WHERE id = %s"
_SORT = f"SELECT DISTINCT LEFT(body, 40) FROM {TABLE} WHERE id BETWEEN %s AND %s + 50 ORDER BY 1"
_ADD = f"INSERT INTO {TABLE} (sold, body) VALUES (%s, REPEAT('n', 900))"
_MIXTURE = (*[_READ] * 12, *[_WRITE] * 6, _SORT, _ADD)


def main() -> int:
    """Run what is asked for, judge all that is kept, and write the page."""
    known = {build.name: build for build in servers()}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="SERVER", help=f"of {', '.join(known)}")
    parser.add_argument("--judge", action="store_true", help="measure nothing")
    parser.add_argument("--directory", default="/var/tmp", help="where the servers keep their data")
    parser.add_argument(
        "--tries", type=int, default=3, help="how often a run that decides little is repeated"
    )
    chosen = parser.parse_args()
    if unknown := set(chosen.names) - set(known):
        parser.error(f"no such server: {', '.join(sorted(unknown))}")
    tempfile.tempdir = chosen.directory
    for build in known.values() if not chosen.judge else ():
        if not chosen.names or build.name in chosen.names:
            _kept(build, chosen.tries)
    judged = {name: _judged(name) for name in known if (KEPT / name).is_dir()}
    PAGE.write_text(page(judged), encoding="utf-8")
    print(f"{len(judged)} of {len(known)} servers are in {PAGE.relative_to(ROOT)}")
    return 0 if len(judged) == len(known) else 1


def _kept(build: ServerBuild, tries: int) -> None:
    """A run on one server, kept with all that was said on the way; of several the best."""
    best = KEPT / build.name
    for _ in range(tries):
        home = KEPT / f".{build.name}"
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        _check(build, home)
        share, said = _decided(home)
        print(f"{build.name}: {said}", flush=True)
        if not best.is_dir() or share >= _decided(best)[0]:
            shutil.rmtree(best, ignore_errors=True)
            home.rename(best)
        if share >= ENOUGH:
            return


def _check(build: ServerBuild, home: Path) -> None:
    with (
        # A starting server clears its tmpdir of what it takes for its own.
        tempfile.TemporaryDirectory(prefix="leadline-tmp-") as temporary,
        build.start([f"--tmpdir={temporary}"], fresh=True) as server,
    ):
        table = _filled(server.socket)
        target = ["local", "--mysql", f"socket={server.socket},user=root", "--table", table]
        document = ["--json", "-o", str(home / "check.json")]
        with (
            (home / "said.txt").open("w", encoding="utf-8") as said,
            _loaded(server.socket) as enough,
            _leadline(
                home,
                ["check", *target, "--plan", "quick", "--window", str(WATCHED_S), *document],
                stderr=subprocess.PIPE,
            ) as checking,
        ):
            assert checking.stderr is not None
            for line in checking.stderr:
                said.write(line)
                if line.startswith(SEEN_ENOUGH):
                    enough.set()
    if checking.returncode not in (DONE, STOPPED):
        sys.exit(f"{build.name}: the check failed; {home / 'said.txt'} tells why.")


def _filled(socket: str) -> str:
    """Make the table and fill it; returns it as ``schema.table``."""
    with closing(_connection(socket)) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {SCHEMA}")
        connection.select_db(SCHEMA)
        cursor.execute(
            f"CREATE TABLE {TABLE} (id INT AUTO_INCREMENT PRIMARY KEY,"
            " sold INT NOT NULL, body VARCHAR(1000) NOT NULL, KEY (sold)) ENGINE=InnoDB"
        )
        # Of all functions that could fill a row, MySQL 9 keeps few in the server itself.
        random_row = "FLOOR(RAND() * 1000000), RPAD(CONV(FLOOR(RAND() * 1e15), 10, 36), 900, 'row')"
        insert = f"INSERT INTO {TABLE} (sold, body) SELECT {random_row}"
        cursor.execute(insert)
        for _ in range(DOUBLINGS):
            cursor.execute(f"{insert} FROM {TABLE}")
    return f"{SCHEMA}.{TABLE}"


@contextmanager
def _loaded(socket: str) -> Iterator[threading.Event]:
    """Sessions at work, until the event is set or the context is left."""
    enough = threading.Event()
    sessions = [threading.Thread(target=_work, args=(socket, enough)) for _ in range(SESSIONS)]
    for session in sessions:
        session.start()
    try:
        yield enough
    finally:
        enough.set()
        for session in sessions:
            session.join()


def _work(socket: str, enough: threading.Event) -> None:
    with closing(_connection(socket, SCHEMA)) as connection, connection.cursor() as cursor:
        while not enough.is_set():
            statement = random.choice(_MIXTURE)
            cursor.execute(statement, [random.randint(1, ROWS)] * statement.count("%s"))
            cursor.fetchall()
            time.sleep(PAUSE_S)


def _connection(socket: str, schema: str | None = None) -> pymysql.Connection:
    return pymysql.connect(unix_socket=socket, user="root", database=schema, autocommit=True)


def _decided(home: Path) -> tuple[float, str]:
    """The share of the questions that apply which a run decided; the same in words."""
    found = json.loads((home / "check.json").read_text(encoding="utf-8"))["decided"]
    judged, applicable = found["judged"], found["applicable"]
    return judged / applicable, f"{judged} of {applicable} questions decided"


def _judged(name: str) -> dict[str, Any]:
    """The kept run by the rules of now, with the plan that follows."""
    with _leadline(KEPT / name, ["advise", "1", "--json"], stdout=subprocess.PIPE) as advising:
        said, _ = advising.communicate()
    found: dict[str, Any] = json.loads(said)
    return found


def _leadline(home: Path, args: Sequence[str], **streams: Any) -> subprocess.Popen[str]:
    """The program as users start it; ``home`` is where it remembers runs."""
    environment = os.environ | {"LEADLINE_HOME": str(home)}
    argv = [sys.executable, "-m", "app", *args]
    process: subprocess.Popen[str] = subprocess.Popen(
        argv, cwd=ROOT, env=environment, text=True, **streams
    )
    return process


if __name__ == "__main__":
    sys.exit(main())
