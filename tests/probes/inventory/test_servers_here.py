from __future__ import annotations

import getpass
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from probes.cancel import CancelToken
from probes.inventory.servers_here import ServerHere, servers_here
from probes.inventory.servers_there import servers_on
from probes.targets.address import TargetSpec
from probes.targets.connect import open_target
from probes.targets.target import CommandResult, Target
from tests.present import present
from tests.prompts import Answers
from tests.servers.mariadb import MariaDB

ROOT = Path(__file__).parents[3]

LISTENS = """
import os, pathlib, socket, sys
pathlib.Path("/proc/self/comm").write_text("mysqld")
account = int(sys.argv[2])
os.setgroups([]), os.setgid(account), os.setuid(account)
unix, x, tcp = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX), socket.socket()
x.bind(sys.argv[1] + "/mysqlx.sock"), x.listen()
unix.bind(sys.argv[1] + "/mysqld.sock"), unix.listen()
tcp.bind(("127.0.0.1", 0)), tcp.listen()
print(tcp.getsockname()[1], flush=True)
sys.stdin.read()
"""

LOOKS = """
import dataclasses, json, os, sys
from probes.inventory.servers_here import servers_here
os.setgroups([]), os.setuid(int(sys.argv[1]))
print(json.dumps([dataclasses.asdict(each) for each in servers_here()]))
"""

DAEMON, NOBODY = 1, 65534


def test_a_real_server_is_found(mariadb: MariaDB) -> None:
    (found,) = [server for server in servers_here() if server.pid == mariadb.pid]
    whose = getpass.getuser()
    assert found == ServerHere(mariadb.pid, "mariadbd", mariadb.socket, mariadb.port, whose)


def seen_by(account: int) -> list[ServerHere]:
    argv = [sys.executable, "-c", LOOKS, str(account)]
    done = subprocess.run(argv, cwd=ROOT, check=True, capture_output=True, text=True)
    return [ServerHere(**each) for each in json.loads(done.stdout)]


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes other accounts")
@pytest.mark.parametrize("account", [DAEMON, NOBODY])
@pytest.mark.parametrize(
    ("owner", "called"), [(DAEMON, "daemon"), (NOBODY, "nobody"), (54321, "54321")]
)
def test_any_account_finds_where_another_ones_server_listens(
    account: int, owner: int, called: str
) -> None:
    # Pytest's own folders are closed to others.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        os.chown(folder, owner, -1)
        argv = [sys.executable, "-c", LISTENS, folder, str(owner)]
        with subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            port = int(present(process.stdout).readline())
            found = [server for server in seen_by(account) if server.pid == process.pid]
            process.communicate("")
    persons = owner not in {DAEMON, account}
    where = f"{folder}/mysqld.sock"
    assert found == [ServerHere(process.pid, "mysqld", where, port, called, persons)]


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another account")
def test_what_else_listens_for_root_is_not_taken_for_a_server(mariadb: MariaDB) -> None:
    assert [server for server in seen_by(NOBODY) if server.pid == mariadb.pid] == []


def test_a_computer_without_proc_has_no_servers(tmp_path: Path) -> None:
    assert servers_here(tmp_path / "proc") == ()


def test_the_same_is_found_on_a_machine_behind_ssh(mariadb: MariaDB, ssh_spec: TargetSpec) -> None:
    with open_target(ssh_spec, Answers(), CancelToken()) as there:
        found = servers_on(there)
    assert [server for server in found if server.pid == mariadb.pid] == [
        ServerHere(mariadb.pid, "mariadbd", mariadb.socket, mariadb.port, getpass.getuser())
    ]


@pytest.mark.parametrize(
    "printed",
    [
        b"",
        b"own 0\n",
        b"own x\nprocess 1 mysqld\n",
        b"own 0\nprocess a mysqld 0\ntcp 1: 0100007F:zz 0 0A 0 0 0 0 0 1\n",
        b"\xff\xfe\nowner 1\nunix \nopen\n",
    ],
)
def test_a_machine_that_prints_something_else_has_none(printed: bytes) -> None:
    class Prints:
        is_local = False

        def run(self, _argv: Sequence[str], **_more: object) -> CommandResult:
            return CommandResult(0, printed, b"")

    assert servers_on(cast("Target", Prints())) == ()
