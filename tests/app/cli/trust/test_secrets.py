"""Twenty secrets in twenty places: none is kept, shown, written to a file or passed on."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pymysql
import pytest

from advisor.run import Voice
from advisor.store import casefile
from advisor.store.store import Store
from probes.redaction import HIDDEN
from tests.app.cli.checking import Program, checking
from tests.app.cli.forked import Done
from tests.app.cli.kept import keep
from tests.app.cli.terminals import dialogue
from tests.app.cli.watching import Watch
from tests.servers.mariadb import BOSS, MariaDB, private_mariadb
from tests.servers.sshd import Sshd, private_sshd
from tests.short_plans import SHORTEN
from tests.waiting import HANG_S

PLACES = (
    "client group",
    "mysqld group",
    "mariadb group",
    "group of another program",
    "included file",
    "galera",
    "URL in an innocent option",
    "init_connect at run time",
    "init_slave",
    "innocent variable at run time",
    "running statement",
    "deadlock",
    "foreign key error",
    "trigger",
    "event",
    "environment",
    "prompt",
    "passphrase",
    "older database",
    "older case file",
)
SECRETS = {place: f"Planted{number:02}x{number * 7919:06}" for number, place in enumerate(PLACES)}
FORMS = ("--json", "--sql", "--cnf", "--ansible", "--rds", "--azure", "--gcloud", "--shell", "--md")
VERSION_1 = Path(__file__).parents[3] / "advisor/store/schema/version_1.sql"

pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="looks into /proc")


@pytest.fixture
def option_file(tmp_path: Path) -> Path:
    folder = tmp_path / "etc"
    folder.mkdir()
    file, included = folder / "my.cnf", folder / "more.cnf"
    file.write_text(
        f"[client]\npassword = {SECRETS['client group']}\n"
        f"[mysqld]\nreport-password = {SECRETS['mysqld group']}\nmax_connections = 77\n"
        f"[mariadb]\nloose_token = {SECRETS['mariadb group']}\n"
        f"wsrep_sst_auth = root:{SECRETS['galera']}\n"
        f"report_host = https://relay:{SECRETS['URL in an innocent option']}@relay.example/\n"
        f"init_slave = \"SET @p='{SECRETS['init_slave']}'\"\n"
        f"[backup_job]\npassword = {SECRETS['group of another program']}\n"
        f"!include {included}\n"
    )
    included.write_text(f"[mysqld]\nloose_courier = jdbc:x?pwd={SECRETS['included file']}\n")
    return file


@pytest.fixture
def server(option_file: Path) -> Iterator[MariaDB]:
    with private_mariadb(tls=False, option_file=option_file) as server:
        plant_in(server)
        yield server


def plant_in(server: MariaDB) -> None:
    """What is set and made while the server runs."""
    sql = server.sql
    sql(f"SET GLOBAL init_connect = 'SET @p = \"{SECRETS['init_connect at run time']}\"'")
    log = f"{server.directory}/slow.log?token={SECRETS['innocent variable at run time']}"
    sql(f"SET GLOBAL slow_query_log_file = '{log}'")
    for place, user in (("environment", "env"), ("prompt", "typist")):
        sql(f"CREATE USER {user} IDENTIFIED BY '{SECRETS[place]}'")
        sql(f"GRANT PROCESS, SELECT ON *.* TO {user}")
    sql("CREATE DATABASE shop")
    sql("CREATE TABLE shop.a (id INT PRIMARY KEY, v VARCHAR(99)) ENGINE=InnoDB")
    sql("CREATE TABLE shop.b (a INT, FOREIGN KEY (a) REFERENCES shop.a (id)) ENGINE=InnoDB")
    sql("INSERT INTO shop.a VALUES (1, ''), (2, '')")
    sql(
        "CREATE TRIGGER shop.t BEFORE UPDATE ON shop.a FOR EACH ROW"
        f" SET @t = '{SECRETS['trigger']}'"
    )
    sql(f"CREATE EVENT shop.e ON SCHEDULE EVERY 1 DAY DO SET @e = '{SECRETS['event']}'")
    with pytest.raises(pymysql.MySQLError):
        sql(f"INSERT INTO shop.b VALUES (99 /* {SECRETS['foreign key error']} */)")
    deadlock(server)


def connection(server: MariaDB) -> pymysql.Connection:
    user, password = BOSS
    return pymysql.connect(unix_socket=server.socket, user=user, password=password)


def deadlock(server: MariaDB) -> None:
    with closing(connection(server)) as one, closing(connection(server)) as other:
        one.cursor().execute("UPDATE shop.a SET v = 'x' WHERE id = 1")
        other.cursor().execute("UPDATE shop.a SET v = 'x' WHERE id = 2")
        waiting = threading.Thread(target=lambda: update(one, 2))
        waiting.start()
        update(other, 1)
        waiting.join()


def update(session: pymysql.Connection, row: int) -> None:
    """One of the two is undone by the server, and then the other goes on."""
    try:
        session.cursor().execute(f"UPDATE shop.a SET v = '{SECRETS['deadlock']}' WHERE id = {row}")
    except pymysql.MySQLError:
        session.rollback()


@contextmanager
def running_statement(server: MariaDB) -> Iterator[None]:
    """A statement that lasts, within a transaction that InnoDB tells of."""
    with closing(connection(server)) as session:
        session.cursor().execute("SELECT * FROM shop.a FOR UPDATE")
        number = session.thread_id()  # type: ignore[no-untyped-call]  # PyMySQL's stubs lack it

        def last() -> None:
            with pytest.raises(pymysql.MySQLError):
                statement = f"SELECT SLEEP(600), v, '{SECRETS['running statement']}' FROM shop.a"
                session.cursor().execute(statement)

        lasting = threading.Thread(target=last)
        lasting.start()
        try:
            yield
        finally:
            server.sql(f"KILL {number}")
            lasting.join()


def plant_in_file(path: Path, place: str) -> None:
    """Put into every run's variables what an older program would have kept."""
    variables = json.dumps({"init_connect": f"SET @p='{SECRETS[place]}'", "port": "3306"})
    with closing(sqlite3.connect(path)) as raw, raw:
        held = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in held:
            raw.execute(f"DROP TRIGGER {name}")
        raw.execute("UPDATE raw_answers SET answer = ? WHERE name = 'mysql.variables'", [variables])
        for _, sql in held:
            raw.execute(sql)
        assert raw.execute("SELECT 1 FROM raw_answers WHERE answer = ?", [variables]).fetchall()


@pytest.fixture
def older_database(home: Path) -> None:
    home.mkdir()
    with closing(sqlite3.connect(home / "leadline.sqlite3")) as raw:
        raw.executescript(VERSION_1.read_text(encoding="utf-8"))
    plant_in_file(home / "leadline.sqlite3", "older database")


@pytest.fixture
def older_case(tmp_path: Path) -> Path:
    file = tmp_path / "older.leadline"
    with Store.open(tmp_path / "elsewhere" / "leadline.sqlite3") as store:
        casefile.export(store, Voice(keep(store)), file)
    plant_in_file(file, "older case file")
    return file


@pytest.fixture
def locked_sshd(tmp_path: Path) -> Iterator[Sshd]:
    """An sshd that lets in whoever has the key that the planted passphrase opens."""
    with private_sshd() as sshd:
        folder = sshd.write_home(tmp_path / "user") / ".ssh"
        key = folder / "id_ed25519"
        key.unlink()
        argv = ["ssh-keygen", "-q", "-t", "ed25519", "-N", SECRETS["passphrase"], "-f", str(key)]
        subprocess.run(argv, check=True)
        (sshd.directory / "authorized_keys").write_text(key.with_suffix(".pub").read_text())
        yield sshd


def test_no_secret_is_kept_shown_or_passed_on(
    program: Program,
    leadline: Callable[..., Done],
    home: Path,
    server: MariaDB,
    older_database: None,
    older_case: Path,
    locked_sshd: Sshd,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, directory = tmp_path / "made", tmp_path / "drive"
    made.mkdir()
    directory.mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    said: dict[str, str] = {}
    with ExitStack() as planted:
        watch = planted.enter_context(Watch(locked_sshd.pid))
        planted.enter_context(running_statement(server))
        said["check"] = check_with_environment(program, server, directory, watch, monkeypatch)
        said["probe"] = probe_at_terminal(locked_sshd, server, directory, watch)
    with Store.open() as store:
        runs = [str(run.id) for run in store.runs()]
    assert runs == ["5", "4", "2", "1"]
    for case in (*runs, str(older_case)):
        said |= judged(leadline, case, made)
    found = {
        place: [
            *(name for name, text in said.items() if secret in text),
            *holding(secret.encode(), home, made),
            *watch.holding(secret.encode()),
        ]
        for place, secret in SECRETS.items()
    }
    assert {place: where for place, where in found.items() if where} == {}
    assert len(found) == 20
    assert watch.ran(b"leadline-agent")
    assert "are hidden now" in said["check"]
    assert_that_they_were_there_to_be_found(server, older_case)


def check_with_environment(
    program: Program,
    server: MariaDB,
    directory: Path,
    watch: Watch,
    monkeypatch: pytest.MonkeyPatch,
) -> str:
    """A check of this computer, stopped when its agent measures; all that it said."""
    with monkeypatch.context() as given:
        given.setenv("LEADLINE_MYSQL_PASSWORD", SECRETS["environment"])
        mysql = ("--json", "--mysql", f"socket={server.socket},user=env")
        with checking(program, "local", directory, *mysql) as check:
            watch.roots.add(check.process.pid)
            check.wait_for("Run 4:")
            ends = time.monotonic() + HANG_S
            while not any(watch.looked_into(pid) for pid in check.agents()):
                assert time.monotonic() < ends, check.stderr
                time.sleep(0.05)
            os.kill(check.process.pid, signal.SIGINT)
            done = check.end()
    assert done.code == 4, done.stderr
    return done.stdout + done.stderr


def probe_at_terminal(sshd: Sshd, server: MariaDB, directory: Path, watch: Watch) -> str:
    """A probe over SSH, with passphrase and password typed at a terminal; all that it showed."""
    address = f"ssh://{sshd.user}@{sshd.host}:{sshd.port}"
    mysql = ["--mysql", f"socket={server.socket},user=typist", "--dir", str(directory)]
    wishes = ["--threads", "1,2", "--budget", "seconds=600", "--no-guard", "--table", "shop.a"]
    answers = [
        ("Password for ssh key", f"{SECRETS['passphrase']}\n".encode()),
        ("Password for mysql", f"{SECRETS['prompt']}\n".encode()),
    ]
    shown = dialogue(
        ["probe", "mysql", address, *mysql, *wishes],
        answers,
        started=watch.roots.add,
        before=SHORTEN,
    )
    assert "2 of 2" in shown, shown
    return shown


def judged(leadline: Callable[..., Done], case: str, made: Path) -> dict[str, str]:
    """Every form in which a run leaves the program; what was said meanwhile, by the command."""
    name = Path(case).stem
    commands = [("advise", case), *(("advise", case, form) for form in FORMS)]
    commands += [("advise", case, "--cnf", "-o", str(made / f"{name}.cnf"))]
    for form in ("html", "md", "json"):
        commands.append(("report", case, "-o", str(made / f"{name}.{form}")))
    if case.isdecimal():
        commands.append(("runs", "show", case))
        commands.append(("case", "export", case, str(made / f"{name}.leadline")))
    said = {}
    for command in commands:
        done = leadline(*command)
        said[" ".join(command)] = done.stdout + done.stderr
    assert (made / f"{name}.html").stat().st_size > 1000
    assert (made / f"{name}.json").stat().st_size > 1000
    return said


def holding(secret: bytes, *folders: Path) -> list[str]:
    """The files that hold a secret: the database with its log, crash logs, and what was made."""
    files = [each for folder in folders for each in folder.rglob("*") if each.is_file()]
    assert len(files) > 10
    return [str(file) for file in files if secret in file.read_bytes()]


def assert_that_they_were_there_to_be_found(server: MariaDB, older_case: Path) -> None:
    """A secret that the server did not have is no proof."""
    variables = json.dumps(server.sql("SHOW GLOBAL VARIABLES"))
    status = json.dumps(server.sql("SHOW ENGINE INNODB STATUS"))
    for place in ("init_connect at run time", "init_slave", "innocent variable at run time"):
        assert SECRETS[place] in variables, place
    assert SECRETS["URL in an innocent option"] in variables
    for place in ("deadlock", "foreign key error"):
        assert SECRETS[place] in status, place
    assert SECRETS["older case file"].encode() in older_case.read_bytes()
    with Store.open() as store:
        (latest, *_) = store.runs()
        answers = store.raw_inventory(latest.id).answers
    lines = json.loads(answers["agent.inventory"])["server"]["options"]["lines"]
    values = {line["name"]: line["value"] for line in lines}
    assert values.pop("max_connections") == "77"
    assert set(values.values()) == {HIDDEN}
    assert {"report-password", "loose_courier", "wsrep_sst_auth", "init_slave"} <= values.keys()
