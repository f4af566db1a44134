"""Real servers beside a short load: collected, read, judged, and nothing secret in the archive.

The same server is watched meanwhile as over SSH: what is known of it has to be the same, but for
what a shell can't see.
"""

from __future__ import annotations

import random
import subprocess
import tarfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pymysql
import pytest

from advisor.case import Case
from advisor.judging.over_draws import judge
from advisor.outcomes import Judgement
from advisor.why import Lacks
from probes.cancel import CancelToken
from probes.collection.read import read_collected
from probes.collection.script import shell_script
from probes.collection.sql import Dialect, sql_script
from probes.inventory.ask import ask
from probes.inventory.facts import Inventory, MySQLFacts, Role
from probes.inventory.read import read
from probes.mysql.connection import connect
from probes.targets.address import MySQLAddress, TlsMode
from probes.targets.local import LocalTarget
from probes.targets.silent import Silent
from probes.version import Flavour
from probes.watch.words import FileRole
from tests.present import present
from tests.probes.collection.shells import CLIENT, SHELLS, collected
from tests.servers.eleven import RunningServer, ServerBuild, chosen
from tests.servers.mysql97 import MySQL

ROWS, AT_ONCE = 400, 4
PLANTED = "Planted"
"""What each of thirty secrets begins with."""

GROUPS = f"""\
# password={PLANTED}01
[client]
password={PLANTED}02
user=app # token={PLANTED}03
[mysqldump]
password={PLANTED}04
[xtrabackup]
s3-secret-key={PLANTED}05
[mysqld]
loose-report_password={PLANTED}06
loose-s3_secret_key={PLANTED}07
loose-wsrep-sst-auth=sst:{PLANTED}08
loose-keyring_hashicorp_secret_id="{PLANTED} 09 # 9"
loose-app_dsn=app:{PLANTED}10@tcp(db7:3306)/shop
loose-odd=mysql://app:{PLANTED}11@db7
loose-odder=--password={PLANTED}12
loose-oddest="mysql -u app -p{PLANTED}13"
loose-notify_cmd=/run.sh {PLANTED}14
loose-bearer=Authorization: Bearer {PLANTED}15abcdefghijkl
loose-jdbc_url=jdbc:mysql://db7/shop?user=app&password={PLANTED}16
loose-ssl-passphrase={PLANTED}17 # and {PLANTED}18
loose-api_key='{PLANTED}19'
loose-xml=<password>{PLANTED}20</password>
loose-hsm-pin={PLANTED}30
init_connect=SET @p = 'token={PLANTED}21'
!include %s
"""
INCLUDED = f"[server]\nloose-master-password={PLANTED}22\nloose-salt={PLANTED}23\n"


@pytest.fixture(scope="module", params=[build.name for build in chosen()])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningServer]:
    build = next(each for each in chosen() if each.name == request.param)
    with started(build, tmp_path_factory.mktemp(build.name)) as running:
        yield running


@contextmanager
def started(build: ServerBuild, folder: Path) -> Iterator[RunningServer]:
    included = folder / "more.cnf"
    included.write_text(INCLUDED)
    option_file = folder / "my.cnf"
    option_file.write_text(GROUPS % included)
    for each in (included, option_file):
        each.chmod(0o644)
    with build.start(cnf_path=option_file) as running:
        yield running


@pytest.fixture(scope="module")
def busy(server: RunningServer) -> Iterator[RunningServer]:
    """The server at work, with a statement that holds a secret, and one that was refused for it."""
    server.sql("CREATE DATABASE shop")
    server.sql("CREATE TABLE shop.orders (id INT PRIMARY KEY, v VARCHAR(900)) ENGINE=InnoDB")
    server.sql("CREATE TABLE shop.lines (id INT, FOREIGN KEY (id) REFERENCES shop.orders (id))")
    for number in range(ROWS):
        server.sql("INSERT INTO shop.orders VALUES (%s, %s)", (number, "x" * 500))
    server.sql(f"SET GLOBAL init_slave = \"SET @q = '{PLANTED}24'\"")
    with pytest.raises(pymysql.IntegrityError):
        server.sql(f"INSERT INTO shop.lines VALUES (99999) /* card {PLANTED}25 */")
    over = threading.Event()
    workers = [threading.Thread(target=_work, args=(server, over)) for _ in range(AT_ONCE)]
    with closing(opened(server)) as open_one:
        # Its transaction is open, and what it ran last stands in InnoDB's status.
        open_one.begin()
        with open_one.cursor() as cursor:
            cursor.execute(f"UPDATE shop.orders SET v = 'card {PLANTED}26' WHERE id = 399")
        for worker in workers:
            worker.start()
        try:
            yield server
        finally:
            over.set()
            for worker in workers:
                worker.join()


def opened(server: RunningServer) -> pymysql.Connection[pymysql.cursors.Cursor]:
    return pymysql.connect(unix_socket=server.socket, user="root")


def _work(server: RunningServer, over: threading.Event) -> None:
    with closing(opened(server)) as connection, connection.cursor() as cursor:
        while not over.wait(0.01):
            row = random.randrange(ROWS - 1)
            cursor.execute("SELECT v FROM shop.orders WHERE id = %s", (row,))
            # MariaDB refuses to change what others have changed since it was read (error 1020).
            connection.commit()
            cursor.execute("UPDATE shop.orders SET v = %s WHERE id = %s", ("y" * row, row))
            connection.commit()


def texts_of(archive: Path) -> str:
    with tarfile.open(archive) as packed:
        files = [packed.extractfile(each) for each in packed if each.isfile()]
        return "".join(each.read().decode() for each in files if each is not None)


def watched(server: RunningServer) -> Inventory:
    address = MySQLAddress(socket=server.socket, user="root", tls=TlsMode.DISABLED)
    token = CancelToken()
    with (
        closing(LocalTarget()) as target,
        connect(address, via=target, prompts=Silent(), token=token, password="") as session,
    ):
        asking = ask(target, session, directory="", window_s=2.0, trace=False, token=token)
        while True:
            try:
                next(asking)
            except StopIteration as end:
                return read(end.value)


def judged(inventory: Inventory) -> Judgement:
    return judge(Case("db7", inventory, ()))


def options_of(server: RunningServer) -> list[str]:
    return ["-S", server.socket, "-u", "root"]


@pytest.mark.parametrize("shell", SHELLS)
def test_it_tells_what_a_watch_does_and_no_secret(
    shell: str, busy: RunningServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / shell
    folder.mkdir()
    monkeypatch.setenv("MYAPP_TOKEN", f"{PLANTED}27")
    (folder / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(folder / "tmp"))
    # A busy machine may let a server do nothing for two seconds: a longer look sees its work.
    for seconds in (2, 10, 40):
        archive = collected(folder, options_of(busy), shell=SHELLS[shell], seconds=seconds)
        found = read(read_collected(archive).raw)
        seen = watched(busy)
        if _lacking(judged(found)) <= _lacking(judged(seen)):
            break
    text = texts_of(archive)
    assert PLANTED not in text, [line for line in text.splitlines() if PLANTED in line]
    assert list((folder / "tmp").iterdir()) == []
    _same_server(found, seen)
    _same_machine(found, seen)
    _same_work(found, seen)
    _same_questions(judged(found), judged(seen))


def _same_server(found: Inventory, seen: Inventory) -> None:
    ours, theirs = present(found.mysql), present(seen.mysql)
    assert ours.version == theirs.version
    assert _settings(ours) == _settings(theirs)
    assert ours.metrics.keys() == theirs.metrics.keys()
    assert ours.innodb_files_bytes == theirs.innodb_files_bytes
    assert "<hidden>" in (ours.innodb_status or "<hidden>")
    files, others = present(found.option_files), present(seen.option_files)
    assert [(each.path, each.because) for each in files.files] == [
        (each.path, each.because) for each in others.files
    ]
    assert files.lines == others.lines
    assert len(files.lines) > 15


def _settings(mysql: MySQLFacts) -> dict[str, tuple[str, str]]:
    """All but the transactions that were committed meanwhile."""
    return {
        name: (each.value, each.origin)
        for name, each in mysql.variables.items()
        if not name.startswith("gtid_")
    }


def _same_machine(found: Inventory, seen: Inventory) -> None:
    host, other = present(found.host), present(seen.host)
    for name in ("hostname", "cpu", "memory_bytes", "swap_bytes", "swappiness", "kernel",
                 "distribution", "architecture", "platform", "memory_limit_bytes"):  # fmt: skip
        assert getattr(host, name) == getattr(other, name), name
    process, theirs = present(found.server_process), present(seen.server_process)
    for name in ("pid", "memory_limit_bytes", "cpu_limit", "hostname", "huge_pages"):
        assert getattr(process, name) == getattr(theirs, name), name
    for role in Role:
        place, their = found.role(role), seen.role(role)
        assert (place is None) == (their is None), role
        if place is None or their is None:
            continue
        for name in ("path", "resolved_path", "mount_point", "filesystem", "mount_options",
                     "size_bytes", "block_bytes", "layers", "disks", "partitions"):  # fmt: skip
            assert getattr(place, name) == getattr(their, name), (role, name)


def _same_work(found: Inventory, seen: Inventory) -> None:
    ours, theirs = present(found.watched), present(seen.watched)
    assert ours.status.values.keys() == theirs.status.values.keys()
    machine, other = present(ours.machine), present(theirs.machine)
    assert [each.name for each in machine.devices] == [each.name for each in other.devices]
    for name in ("cpu_busy", "server_cpu", "server_run_delay", "flush_cpu", "io_pressure"):
        assert (getattr(machine, name) is None) == (getattr(other, name) is None), name
    # What purge writes to the undo log comes when it likes.
    often = [each for each in ours.files if each.calls > 50 and each.role is not FileRole.UNDO]
    assert {(each.role, each.operation) for each in often} <= {
        (each.role, each.operation) for each in theirs.files
    }
    if theirs.clients is not None:
        assert present(ours.clients).remote == 0
        assert present(ours.clients).local > 0
    assert (ours.by_file is None) == (theirs.by_file is None)


def _same_questions(ours: Judgement, theirs: Judgement) -> None:
    """No rule lacks a fact of an archive that a watch over SSH would have given it."""
    assert _lacking(ours) <= _lacking(theirs)
    assert {each.rule for each in ours.not_applicable} == {
        each.rule for each in theirs.not_applicable
    }


def _lacking(judgement: Judgement) -> set[str]:
    return {each.rule for each in judgement.unknown if isinstance(each.why, Lacks)}


def test_an_account_with_a_password_and_few_rights(
    mysql97: MySQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The password goes to the client alone; what the account may not see is a missing fact."""
    mysql97.sql(f"CREATE USER poor@localhost IDENTIFIED BY '{PLANTED}28'")
    try:
        options = ["-S", mysql97.socket, "-u", "poor", f"-p{PLANTED}28"]
        archive = collected(tmp_path, options)
    finally:
        mysql97.sql("DROP USER poor@localhost")
    assert PLANTED not in texts_of(archive)
    inventory = read(read_collected(archive).raw)
    missing = {each.fact: each.because for each in inventory.missing}
    assert missing["mysql.innodb_status"] == "the account has no PROCESS privilege"
    assert "mysql.file_io" in missing
    assert present(inventory.watched).status.values["Questions"]


def test_a_login_that_fails_leaves_nothing(
    mysql97: MySQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    script = tmp_path / "collect.sh"
    script.write_text(shell_script("1.0", 1))
    argv = ["sh", str(script), "-S", mysql97.socket, "-u", "nobody_here", f"-p{PLANTED}29"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "nothing was asked: ERROR 1045" in done.stderr
    assert PLANTED not in done.stderr
    assert sorted(each.name for each in tmp_path.iterdir()) == ["collect.sh"]


def test_statements_alone_give_the_server_alone(
    busy: RunningServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialect = Dialect.MARIADB if busy.version.is_mariadb else Dialect.MYSQL
    argv = [CLIENT, *options_of(busy), "--batch", "--verbose", "--force", "--unbuffered"]
    done = subprocess.run(
        [*argv, "--column-names"],
        input=sql_script("1.0", 2, dialect),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    file = tmp_path / "db7-collect.txt"
    file.write_text(done.stdout)
    assert PLANTED not in done.stdout
    inventory = read(read_collected(file).raw)
    mysql = present(inventory.mysql)
    assert mysql.version.numbers[:2] == busy.version.numbers[:2]
    assert mysql.value("innodb_buffer_pool_size") == busy.variables()["innodb_buffer_pool_size"]
    assert "init_connect" not in mysql.variables
    assert inventory.host is None
    assert len(present(inventory.watched).status.at_s) == 3
    if busy.version.at_least(Flavour.MYSQL, 8):
        assert present(inventory.watched).by_file is not None


def test_a_folder_that_can_not_be_written_to_is_named(tmp_path: Path) -> None:
    script = tmp_path / "collect.sh"
    script.write_text(shell_script("1.0", 1))
    done = subprocess.run(
        ["sh", str(script), "--to=/nowhere/at all"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "nothing can be written to /nowhere/at all" in done.stderr
