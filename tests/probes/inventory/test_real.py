"""This machine and a real server, asked and read."""

import os
import platform
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import pytest

from probes.cancel import CancelToken
from probes.inventory.ask import ask
from probes.inventory.facts import Inventory, Role
from probes.inventory.read import read
from probes.mysql.connection import MySQLSession, connect
from probes.plans.build.buffers import MOST, choose_buffers
from probes.points import Buffers
from probes.targets.address import MySQLAddress, TlsMode
from probes.targets.target import Target
from probes.watch.clients import CLIENTS
from probes.watch.server_series import FILE_IO
from tests.present import present
from tests.probes.inventory.asking import asked
from tests.prompts import Unasked
from tests.servers.mariadb import BOSS, NATIVE, MariaDB, private_mariadb
from tests.servers.mysql97 import BARE, MySQL, private_mysql

PRIVILEGED = [
    "mysql.innodb_status",
    "mysql.innodb_metrics",
    "mysql.transactions",
    "mysql.performance_schema",
]
"""What takes the PROCESS privilege, in the order in which it is asked for.

So does the data's size, which the machine tells as well.
"""


def privileged(inventory: Inventory) -> list[str]:
    """What is lacking for want of it.

    Where its clients are is left out: it depends on connections of other tests that still close.
    """
    lacking = [one.fact for one in inventory.missing if "PROCESS" in one.because]
    return [fact for fact in lacking if fact != CLIENTS]


class Opens(Protocol):
    """The fixture ``session``."""

    def __call__(self, address: MySQLAddress, password: str) -> MySQLSession: ...


def take(
    target: Target,
    session: MySQLSession | None = None,
    directory: str = "",
    window_s: float = 0.0,
) -> Inventory:
    asking = ask(target, session, directory=directory, window_s=window_s, token=CancelToken())
    return read(asked(asking)[1])


@pytest.fixture
def session(target: Target) -> Iterator[Opens]:
    """A function that opens a session for an account."""
    with ExitStack() as stack:

        def open_session(address: MySQLAddress, password: str) -> MySQLSession:
            return stack.enter_context(
                connect(
                    address, via=target, prompts=Unasked(), token=CancelToken(), password=password
                )
            )

        yield open_session


def test_this_machine_is_read_as_python_sees_it(target: Target, tmp_path: Path) -> None:
    inventory = take(target, directory=str(tmp_path))
    host = present(inventory.host)
    assert host.hostname == platform.node()
    assert host.kernel == platform.release()
    assert host.cpu.threads == os.cpu_count()
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert abs(present(host.memory_bytes) - pages) < 0.01 * pages
    storage = present(inventory.role(Role.PROBE))
    assert storage.path == str(tmp_path)
    assert storage.size_bytes == pytest.approx(shutil.disk_usage(tmp_path).total, rel=0.15)
    assert Path(storage.mount_point).is_mount()
    assert inventory.mysql is None


def test_a_directory_that_is_missing_is_said_so(target: Target, tmp_path: Path) -> None:
    gone = tmp_path / "gone with spaces"
    inventory = take(target, directory=str(gone))
    assert inventory.storage == ()
    assert [(one.fact, one.because) for one in inventory.missing] == [
        ("storage.probe", f"there is no {gone} on this machine")
    ]


def test_a_link_is_followed(target: Target, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    storage = present(take(target, directory=str(tmp_path / "link")).role(Role.PROBE))
    assert (storage.path, storage.resolved_path) == (str(tmp_path / "link"), str(tmp_path))


def test_an_account_with_every_privilege_is_told_everything(
    target: Target, session: Opens, mariadb: MariaDB, tmp_path: Path
) -> None:
    address = MySQLAddress(socket=mariadb.socket, user=BOSS[0], tls=TlsMode.DISABLED)
    inventory = take(target, session(address, BOSS[1]), str(tmp_path), window_s=0.3)
    mysql = present(inventory.mysql)
    assert mysql.version.is_mariadb
    assert mysql.value("datadir") == f"{mariadb.directory}/data/"
    assert mysql.variables["datadir"].origin == "COMMAND_LINE"
    assert mysql.variables["innodb_io_capacity"].origin == "COMPILED"
    status = present(mysql.innodb_status)
    assert status.rstrip().endswith("============================")
    assert "END OF INNODB MONITOR OUTPUT" in status
    assert mysql.metrics["buffer_pool_size"] > 0
    assert present(mysql.innodb_files_bytes) > 10 << 20
    assert present(mysql.innodb_files) > 1
    assert mysql.oldest_transaction_s is not None
    assert mysql.oldest_transaction_s >= 0
    assert mysql.performance_schema_bytes is not None
    window = present(mysql.window)
    assert window.seconds >= 0.3
    assert present(window.delta("Questions")) >= 0
    assert present(window.delta("Com_show_status")) >= 1
    assert present(mysql.uptime_s) >= 0
    assert present(mysql.round_trip_us) > 0
    data = present(inventory.role(Role.DATA))
    assert data.resolved_path == f"{mariadb.directory}/data"
    assert present(inventory.role(Role.REDO)).resolved_path == data.resolved_path
    assert inventory.role(Role.BINLOG) is None
    lacking = {one.fact for one in inventory.missing} - {FILE_IO}  # it times its files by request
    assert {fact.partition(".")[0] for fact in lacking} <= {"storage"}


def test_an_account_with_usage_alone_is_told_what_everybody_may_know(
    target: Target, session: Opens, mariadb: MariaDB
) -> None:
    address = MySQLAddress(
        host=mariadb.host, port=mariadb.port, user=NATIVE[0], tls=TlsMode.DISABLED
    )
    inventory = take(target, session(address, NATIVE[1]))
    mysql = present(inventory.mysql)
    assert mysql.number("innodb_buffer_pool_size") == 16 << 20
    assert mysql.variables["innodb_buffer_pool_size"].origin == "COMMAND_LINE"
    assert present(present(mysql.window).gauge("Uptime")) >= 0
    assert mysql.innodb_status is None
    assert inventory.role(Role.DATA) is not None
    assert privileged(inventory) == PRIVILEGED
    assert (mysql.innodb_files_bytes or 0) > 10 << 20
    assert (mysql.innodb_files or 0) > 1


def test_the_servers_process_is_found_by_the_file_it_writes(
    target: Target, session: Opens, mariadb: MariaDB
) -> None:
    address = MySQLAddress(socket=mariadb.socket, user=BOSS[0], tls=TlsMode.DISABLED)
    connected = session(address, BOSS[1])
    process = present(take(target, connected).server_process)
    assert Path(f"/proc/{process.pid}/comm").read_text().strip() in {"mariadbd", "mysqld"}
    assert f"--datadir={mariadb.directory}" in Path(f"/proc/{process.pid}/cmdline").read_text()
    assert present(process.resident_bytes) > 10 << 20
    assert process.swapped_bytes is not None
    assert process.huge_pages is not True


def test_a_real_servers_buffers_are_told_by_its_memory(
    target: Target, session: Opens, mariadb: MariaDB
) -> None:
    address = MySQLAddress(socket=mariadb.socket, user=BOSS[0], tls=TlsMode.DISABLED)
    inventory = take(target, session(address, BOSS[1]))
    # MariaDB turns transparent huge pages off for itself, whatever the kernel's mode is; what it
    # took before that stays.
    process = present(inventory.server_process)
    assert present(process.huge_share) < MOST
    assert process.reserved_huge_bytes == 0
    choice = choose_buffers(inventory)
    assert choice.kind is Buffers.ORDINARY
    assert choice.because.endswith("of the server's memory lies in huge pages")


def test_a_real_server_with_large_pages_has_its_pool_there(target: Target, session: Opens) -> None:
    told = re.search(r"HugePages_Free:\s+(\d+)", Path("/proc/meminfo").read_text())
    if told is None or int(told[1]) < 100:
        pytest.skip("no huge pages were set aside on this machine (vm.nr_hugepages)")
    with private_mariadb(tls=False, options=["--large-pages"]) as server:
        address = MySQLAddress(socket=server.socket, user=BOSS[0], tls=TlsMode.DISABLED)
        inventory = take(target, session(address, BOSS[1]))
        assert present(present(inventory.server_process).reserved_huge_bytes) > 0
        assert choose_buffers(inventory).kind is Buffers.HUGE


@pytest.fixture(scope="module")
def mysql97() -> Iterator[MySQL]:
    with private_mysql() as server:
        yield server


def test_mysql_tells_an_account_with_usage_alone_as_much(
    target: Target, session: Opens, mysql97: MySQL
) -> None:
    authority = str(mysql97.certificates.authority)
    address = MySQLAddress(
        host=mysql97.host, port=mysql97.port, user=BARE[0], tls_ca_file=authority
    )
    inventory = take(target, session(address, BARE[1]))
    mysql = present(inventory.mysql)
    assert mysql.version.is_mysql
    assert mysql.version.text == mysql97.version
    assert mysql.number("innodb_buffer_pool_size") == 16 << 20
    assert mysql.variables["innodb_buffer_pool_size"].origin == "COMMAND_LINE"
    assert mysql.variables["sort_buffer_size"].origin == "COMPILED"
    assert mysql.innodb_status is None
    redo = present(inventory.role(Role.REDO))
    assert redo.path == f"{mysql97.directory}/data/#innodb_redo"
    assert redo.mount_point == present(inventory.role(Role.DATA)).mount_point
    assert privileged(inventory) == PRIVILEGED
    assert (mysql.innodb_files_bytes or 0) > 10 << 20
    assert (mysql.innodb_files or 0) > 1


def test_a_mysqls_process_is_found_however_it_was_started(
    target: Target, session: Opens, mysql97: MySQL
) -> None:
    address = MySQLAddress(socket=mysql97.socket, user="root")
    process = present(take(target, session(address, "")).server_process)
    assert f"--datadir={mysql97.directory}" in Path(f"/proc/{process.pid}/cmdline").read_text()


def test_a_variable_that_was_set_while_running_says_so(
    target: Target, session: Opens, mysql97: MySQL
) -> None:
    mysql97.sql("SET GLOBAL innodb_io_capacity = 321")
    address = MySQLAddress(socket=mysql97.socket, user="root")
    variable = present(take(target, session(address, "")).mysql).variables["innodb_io_capacity"]
    assert (variable.value, variable.origin) == ("321", "DYNAMIC")
