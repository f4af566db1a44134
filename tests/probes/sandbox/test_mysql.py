"""The sandbox with MySQL, whose data directory has to be made first and whose loader is its own."""

import threading
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.errors import Cancelled, SandboxFailed
from probes.inventory.ask import ask
from probes.inventory.facts import Role
from probes.inventory.read import read
from probes.sandbox.sandbox import start
from probes.targets.target import Target
from tests.present import present
from tests.probes.inventory.asking import asked
from tests.probes.sandbox.traces import MIB
from tests.servers.mysql97 import mysql_program


@pytest.fixture(scope="session")
def binary() -> list[str]:
    program = mysql_program()
    return [*program.command, *program.options]


def test_mysql_serves_as_well(
    target: Target, token: CancelToken, home: Path, binary: list[str]
) -> None:
    with start(target, str(home), token, binary=binary) as sandbox:
        assert sandbox.version.is_mysql
        assert sandbox.version.numbers >= (9, 7)
        list(sandbox.fill(32 * MIB, token))
        tables = sandbox.work().tables
        with sandbox.connect(token) as session:
            asking = ask(target, session, directory=str(home), window_s=0.0, token=token)
            inventory = read(asked(asking)[1])
            rows = session.rows("SELECT COUNT(*) AS n FROM leadline.lookups")[0]["n"]
        folder = Path(sandbox.socket).parent
    mysql = present(inventory.mysql)
    assert tables["uncached"].max_key == rows
    assert mysql.version == sandbox.version
    assert mysql.number("innodb_buffer_pool_size") == 64 * MIB
    assert mysql.variables["innodb_buffer_pool_size"].origin == "COMMAND_LINE"
    assert mysql.variables["sort_buffer_size"].origin == "COMPILED"
    assert present(mysql.innodb_files_bytes) > 32 * MIB
    assert mysql.switch("innodb_doublewrite") is False
    assert present(inventory.role(Role.REDO)).path == f"{folder}/data/#innodb_redo"
    assert inventory.role(Role.BINLOG) is None


def test_cancel_while_the_data_directory_is_made_leaves_nothing(
    target: Target, token: CancelToken, home: Path, binary: list[str]
) -> None:
    timer = threading.Timer(1.0, token.cancel)
    timer.start()
    with pytest.raises(Cancelled), start(target, str(home), token, binary=binary):
        pytest.fail("it started")
    timer.join()


def test_a_data_directory_that_can_not_be_made_is_told(
    target: Target, token: CancelToken, home: Path, binary: list[str]
) -> None:
    wrong = [*binary, "--innodb-page-size=12345"]
    with pytest.raises(SandboxFailed) as failure, start(target, str(home), token, binary=wrong):
        pytest.fail("it started")
    assert "data directory failed. It said:" in failure.value.sentence
