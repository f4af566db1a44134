import os
import stat
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from probes.cancel import CancelToken, closable
from probes.errors import Cancelled, DirectoryUnusable, NotEnoughSpace, SandboxFailed
from probes.events import Preparing
from probes.sandbox import sandbox as module
from probes.sandbox.placing import LONGEST_SOCKET_BYTES
from probes.sandbox.sandbox import find_server, start
from probes.targets.target import Target
from tests.present import present
from tests.probes.sandbox.traces import MIB, commands_with
from tests.waiting import wait_until

TABLE_BYTES = 32 * MIB


@pytest.fixture(autouse=True)
def _needs_a_server(target: Target) -> None:
    if find_server(target) is None:
        pytest.skip("no mariadbd or mysqld is installed")


def test_fills_a_table_and_tells_what_to_look_up(
    target: Target, token: CancelToken, home: Path
) -> None:
    with start(target, str(home), token) as sandbox:
        events = list(sandbox.fill(TABLE_BYTES, token))
        work = sandbox.work()
        with sandbox.connect(token) as session:
            told = session.rows(
                "SELECT COUNT(*) AS n, MIN(id) AS low, MAX(id) AS high, "
                "COUNT(DISTINCT c) AS different, MIN(LENGTH(c)) AS shortest FROM leadline.lookups"
            )[0]
            size = session.rows(
                "SELECT DATA_LENGTH AS bytes FROM information_schema.TABLES "
                "WHERE TABLE_NAME = 'lookups'"
            )[0]["bytes"]
    assert all(isinstance(event, Preparing) for event in events)
    done = [event.done_bytes for event in events]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, TABLE_BYTES)
    assert work.database == "leadline"
    assert work.login.socket == sandbox.socket
    assert work.login.user == "root"
    whole, cached = work.tables["uncached"], work.tables["cached"]
    assert whole.own
    assert cached.own
    assert (whole.min_key, whole.max_key) == (told["low"], told["high"]) == (1, told["n"])
    assert (told["different"], told["shortest"]) == (told["n"], 120)
    assert 1 == cached.min_key < cached.max_key < whole.max_key
    assert abs(int(str(size)) - TABLE_BYTES) < 0.1 * TABLE_BYTES


def test_the_server_is_private_and_small(target: Target, token: CancelToken, home: Path) -> None:
    with start(target, str(home), token) as sandbox:
        folder = Path(sandbox.socket).parent
        command = commands_with(f"--datadir={folder}/data")[sandbox.pid]
        with sandbox.connect(token) as session:
            rows = session.rows("SHOW GLOBAL VARIABLES")
        assert folder.parent == home
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert "--no-defaults" in command
    values = {row["Variable_name"]: row["Value"] for row in rows}
    assert values["skip_networking"] == "ON"
    assert int(str(values["innodb_buffer_pool_size"])) == 64 * MIB
    assert values["log_bin"] == "OFF"
    assert values["performance_schema"] == "OFF"
    assert int(str(values["max_connections"])) >= 1024
    if sandbox.direct:
        assert values["innodb_flush_method"] == "O_DIRECT"


def test_the_filled_table_lies_still(target: Target, token: CancelToken, home: Path) -> None:
    with start(target, str(home), token) as sandbox:
        list(sandbox.fill(TABLE_BYTES, token))
        with sandbox.connect(token) as session:
            dirty = session.rows("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_pages_dirty'")
    assert int(str(dirty[0]["Value"])) < 200


def test_a_directory_with_spaces_and_letters_of_the_world_works(
    target: Target, token: CancelToken, home: Path
) -> None:
    odd = home / "Müll und 数据 'q' $x"
    odd.mkdir()
    with start(target, str(odd), token) as sandbox:
        list(sandbox.fill(MIB, token))
        assert sandbox.work().tables["uncached"].max_key > 1
    assert list(odd.iterdir()) == []
    odd.rmdir()


def test_a_path_too_long_for_a_socket_gets_a_short_one(
    target: Target, token: CancelToken, home: Path
) -> None:
    deep = home / ("d" * 100)
    deep.mkdir()
    with start(target, str(deep), token) as sandbox:
        folder = Path(sandbox.socket).parent
        assert len(sandbox.socket.encode()) <= LONGEST_SOCKET_BYTES
        assert deep not in folder.parents
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        with sandbox.connect(token) as session:
            assert session.rows("SELECT 1 AS one")[0]["one"] == 1
    assert not folder.exists()
    assert list(deep.iterdir()) == []
    deep.rmdir()


def test_work_before_fill_is_a_mistake_of_ours(
    target: Target, token: CancelToken, home: Path
) -> None:
    with start(target, str(home), token) as sandbox, pytest.raises(RuntimeError):
        sandbox.work()


def test_cancel_in_the_middle_of_the_fill_leaves_nothing(
    target: Target, token: CancelToken, home: Path
) -> None:
    with pytest.raises(Cancelled), start(target, str(home), token) as sandbox:
        for event in sandbox.fill(256 * MIB, token):
            if event.done_bytes:
                token.cancel()
    assert list(home.iterdir()) == []


def test_cancel_before_the_start_leaves_nothing(
    target: Target, token: CancelToken, home: Path
) -> None:
    token.cancel()
    with pytest.raises(Cancelled), start(target, str(home), token):
        pytest.fail("it started")


def test_an_abandoned_fill_leaves_nothing(target: Target, token: CancelToken, home: Path) -> None:
    with start(target, str(home), token) as sandbox:
        events = closable(sandbox.fill(64 * MIB, token))
        next(events)
        next(events)
        events.close()
        with pytest.raises(RuntimeError):
            sandbox.work()


def test_a_server_that_dies_in_the_middle_is_said_so(
    target: Target, token: CancelToken, home: Path
) -> None:
    with pytest.raises(SandboxFailed) as failure, start(target, str(home), token) as sandbox:
        for event in sandbox.fill(256 * MIB, token):
            if event.done_bytes:
                os.kill(sandbox.pid, 9)
    assert "could not be filled" in failure.value.sentence


def test_a_server_that_refuses_to_start_is_quoted(
    target: Target, token: CancelToken, home: Path
) -> None:
    binary = [present(find_server(target)), "--innodb-page-size=12345"]
    with pytest.raises(SandboxFailed) as failure, start(target, str(home), token, binary=binary):
        pytest.fail("it started")
    assert "exited. It said:" in failure.value.sentence
    assert "page size" in failure.value.sentence.lower()
    assert "Aborting" in failure.value.details


def test_a_confined_server_is_told_apart(
    target: Target, token: CancelToken, home: Path, tmp_path: Path
) -> None:
    program = tmp_path / "mysqld"
    program.write_text(
        "#!/bin/sh\n"
        'case "$*" in *--version*) echo "mysqld  Ver 10.11.6-MariaDB for Linux"; exit;; esac\n'
        "echo \"[ERROR] mysqld: Can't create file (Errcode: 13 'Permission denied')\" >&2\n"
        "exit 1\n"
    )
    program.chmod(0o755)
    with (
        pytest.raises(SandboxFailed) as failure,
        start(target, str(home), token, binary=[str(program)]),
    ):
        pytest.fail("it started")
    assert "Can't create file" in failure.value.sentence
    assert "AppArmor" in failure.value.advice


def test_cancel_while_the_server_starts_is_no_failure(
    target: Target, token: CancelToken, home: Path, tmp_path: Path
) -> None:
    program = tmp_path / "mysqld"
    program.write_text(
        "#!/bin/sh\n"
        'case "$*" in *--version*) echo "mysqld  Ver 10.11.6-MariaDB for Linux"; exit;; esac\n'
        "sleep 60\n"
    )
    program.chmod(0o755)
    timer = threading.Timer(0.7, token.cancel)
    timer.start()
    with pytest.raises(Cancelled), start(target, str(home), token, binary=[str(program)]):
        pytest.fail("it started")
    timer.join()


def test_a_program_that_is_no_server_is_not_taken_for_one(
    target: Target, token: CancelToken, home: Path
) -> None:
    with (
        pytest.raises(SandboxFailed) as failure,
        start(target, str(home), token, binary=["/bin/echo"]),
    ):
        pytest.fail("it started")
    assert "No mariadbd or mysqld was found" in failure.value.sentence
    assert "mariadb-server" in failure.value.advice


def test_no_server_on_path_is_told_with_what_to_install(
    target: Target, token: CancelToken, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_MYSQLD", "/nowhere/mysqld")
    assert find_server(target) is None
    with pytest.raises(SandboxFailed) as failure, start(target, str(home), token):
        pytest.fail("it started")
    assert "LEADLINE_MYSQLD" in failure.value.advice


@pytest.mark.parametrize("directory", ["/nowhere/at/all", "/proc/self"])
def test_a_directory_that_can_not_be_used_is_named(
    target: Target, token: CancelToken, directory: str
) -> None:
    with pytest.raises(DirectoryUnusable) as failure, start(target, directory, token):
        pytest.fail("it started")
    assert directory in failure.value.sentence


def test_a_table_larger_than_the_disk_is_refused(
    target: Target, token: CancelToken, home: Path
) -> None:
    with start(target, str(home), token) as sandbox, pytest.raises(NotEnoughSpace) as failure:
        list(sandbox.fill(1 << 60, token))
    assert "B are free" in failure.value.sentence


def test_too_little_room_for_a_server_is_refused(
    target: Target, token: CancelToken, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SPARE_BYTES", 1 << 60)
    with pytest.raises(NotEnoughSpace), start(target, str(home), token):
        pytest.fail("it started")


@pytest.fixture
def small_disk(home: Path) -> Iterator[Path]:
    """A filesystem of its own with 300 MiB; needs root and mount."""
    disk = home / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=300m", "tmpfs", disk], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        disk.rmdir()
        pytest.skip("mounting needs root")
    yield disk
    left = list(disk.iterdir())
    subprocess.run(["umount", disk], check=True)
    disk.rmdir()
    assert left == []


def test_works_in_memory_where_there_is_no_disk(
    target: Target, token: CancelToken, small_disk: Path
) -> None:
    with start(target, str(small_disk), token) as sandbox:
        list(sandbox.fill(8 * MIB, token))
        assert sandbox.work().tables["uncached"].max_key > 10_000


def test_a_disk_that_gets_full_is_said_so(
    target: Target, token: CancelToken, small_disk: Path
) -> None:
    with start(target, str(small_disk), token) as sandbox:
        hog = small_disk / "hog"
        with pytest.raises(NotEnoughSpace):
            for event in sandbox.fill(60 * MIB, token):
                if event.done_bytes and not hog.exists():
                    _take_all(hog)
        hog.unlink(missing_ok=True)


def _take_all(hog: Path) -> None:
    with hog.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(MIB))
        except OSError:
            pass


def test_two_at_once_do_not_meet(target: Target, token: CancelToken, home: Path) -> None:
    with start(target, str(home), token) as one, start(target, str(home), token) as two:
        assert one.socket != two.socket
        assert one.pid != two.pid
    assert wait_until(lambda: not list(home.iterdir()))
