"""What a lab works on, made and copied on real servers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from probes.cancel import CancelToken
from probes.errors import SandboxFailed, UsageError
from probes.lab.data import copied, filled
from probes.lab.given import GivenData, given_lines, look_at, page_size, recovered
from probes.lab.loader import loader
from probes.lab.place import LabPlace, lab_place
from probes.lab.server import (
    LabEntrant,
    LabServer,
    common_options,
    started,
)
from probes.lab.variant import ClientGroup, LabLoad, Layout, LoadKind, TableEngine
from probes.mysql.lookup_table import ROW_BYTES, row_count
from probes.sandbox.binaries import ServerBinary, find_binary
from probes.sandbox.place import SandboxPlace
from probes.sandbox.process import initialise, runs_as_root
from probes.targets.local import LocalTarget
from probes.targets.target import Target
from probes.version import Flavour, ServerVersion
from tests.servers.eleven import ServerBuild, chosen

MIB = 1 << 20
DATA_BYTES = 24 * MIB
MYSQL = ServerVersion(Flavour.MYSQL, (8, 0, 33), "8.0.33")
MARIADB = ServerVersion(Flavour.MARIADB, (10, 11, 6), "10.11.6-MariaDB")
SMALL = {"innodb_buffer_pool_size": str(32 * MIB), "skip_log_bin": ""}


@pytest.fixture
def target() -> Iterator[Target]:
    with closing(LocalTarget()) as local:
        yield local


@pytest.fixture
def home() -> Iterator[Path]:
    with TemporaryDirectory(prefix="ll-lab-") as short:
        yield Path(short)


@pytest.fixture(params=chosen(), ids=lambda build: build.name)
def binary(request: pytest.FixtureRequest, target: Target) -> ServerBinary:
    build: ServerBuild = request.param
    program = build.program
    found = find_binary(target, (*program.command, *program.options))
    assert found is not None
    return found


@contextmanager
def served(
    target: Target, binary: ServerBinary, room: SandboxPlace, **lines: str
) -> Iterator[LabServer]:
    """A lab's server on a data directory, ended in good order."""
    token = CancelToken()
    entrant = LabEntrant("", "The server", binary, room, SMALL | lines)
    with started(target, entrant, token) as server:
        server.answers(token)
        yield server
        server.end(token)


def made(target: Target, place: LabPlace, layout: Layout, load: LabLoad) -> SandboxPlace:
    """Filled data in a room of its own, and a copy of it in another: the copy's."""
    token = CancelToken()
    rooms = [place.room(layout.directory, name) for name in ("t0", "v0")]
    for room in rooms:
        with place.made(room):
            pass
    *_, last = filled(target, rooms[0], layout, load, token)
    assert last.done_bytes == last.total_bytes == load.data_bytes
    copied(target, rooms[0], rooms[1], token)
    return rooms[1]


def test_a_copy_of_filled_data_has_all_rows_on_full_pages(
    target: Target, home: Path, binary: ServerBinary
) -> None:
    layout = Layout(binary, 0, TableEngine.INNODB, str(home))
    load = LabLoad(LoadKind.READ_WRITE, data_bytes=DATA_BYTES)
    rows = row_count(DATA_BYTES)
    token = CancelToken()
    with lab_place(target, [str(home)], token) as place:
        room = made(target, place, layout, load)
        with served(target, binary, room) as server, server.connect(token) as session:
            counted = session.one(
                "SELECT COUNT(*) AS n, MIN(id) AS low, MAX(id) AS high, COUNT(DISTINCT c) AS c, "
                "SUM(k = CRC32(id)) AS k FROM leadline.lookups"
            )
            assert [int(str(each)) for each in counted.values()] == [rows, 1, rows, rows, rows]
            assert session.rows("SHOW INDEX FROM leadline.lookups WHERE Key_name = 'k'")
            assert [
                str(each)
                for row in session.rows("SHOW TABLES IN leadline")
                for each in row.values()
            ] == ["lookups"]
            session.rows("ANALYZE TABLE leadline.lookups")
            size = session.one(
                "SELECT data_length AS bytes FROM information_schema.tables "
                "WHERE table_schema = 'leadline'"
            )
            # An extent that is not full yet counts whole: at most one for each connection.
            assert int(str(size["bytes"])) / rows < 1.1 * ROW_BYTES + 8 * MIB / rows
    assert list(home.iterdir()) == []


def somebodys(target: Target, home: Path, binary: ServerBinary) -> Path:
    """A data directory whose server was killed amid its work, with a table that nobody marked."""
    token = CancelToken()
    with lab_place(target, [str(home)], token) as place:
        room = place.room(str(home), "t0")
        with place.made(room):
            pass
        if binary.needs_initialising:
            making = [
                *common_options(binary, room, as_root=runs_as_root(target)),
                "--innodb-flush-method=nosync",
                "--initialize-insecure",
            ]
            initialise(target, room, making, token)
        else:
            Path(room.data).mkdir()
        entrant = LabEntrant("", "The server", binary, room, SMALL)
        with started(target, entrant, token) as server:
            server.answers(token)
            with server.connect(token) as session:
                for statement in (
                    "CREATE DATABASE shop",
                    "CREATE TABLE shop.small (id INT PRIMARY KEY, note VARCHAR(200)) ENGINE=InnoDB",
                    "CREATE TABLE shop.orders (no BIGINT AUTO_INCREMENT PRIMARY KEY, code CHAR(9), "
                    "who VARCHAR(200), KEY (code), note VARCHAR(130)) ENGINE=InnoDB",
                    "INSERT INTO shop.orders (code, who, note) VALUES ('a', 'b', REPEAT('c', 130))",
                    *[
                        "INSERT INTO shop.orders (code, who, note) SELECT code, who, note FROM "
                        "shop.orders"
                    ]
                    * 14,
                    "INSERT INTO shop.small VALUES (1, 'one')",
                ):
                    session.rows(statement)
        # Left without its goodbye: it was killed.
        kept = home / "backup"
        shutil.copytree(room.data, kept, ignore=shutil.ignore_patterns("*.pid", "*.sock*"))
    return kept


def state_of(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path): (path.stat().st_size, path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
    }


def test_given_data_are_recovered_in_a_copy_and_their_largest_table_is_found(
    target: Target, home: Path, binary: ServerBinary
) -> None:
    backup = somebodys(target, home, binary)
    before = state_of(backup)
    token = CancelToken()
    given = look_at(target, str(backup))
    assert given.page_bytes == 16384
    assert given.size_bytes > 12 * MIB
    with lab_place(target, [str(home)], token) as place:
        rooms = [place.room(str(home), name) for name in ("t0", "v0")]
        for room in rooms:
            with place.made(room):
                pass
        found = recovered(
            target, given, rooms[0], binary, lines={}, kind=LoadKind.UPDATE, token=token
        )
        table = found.table
        assert (found.database, table.name, table.key_column) == ("shop", "orders", "no")
        assert table.value_column == "who"
        assert table.own
        assert found.table.min_key == 1
        assert found.table.max_key > 1000
        copied(target, rooms[0], rooms[1], token)
        lines = given_lines(binary, given)
        with served(target, binary, rooms[1], **lines) as server:
            work = server.work(found, token)
            clients = ClientGroup(LabLoad(LoadKind.UPDATE), 2)
            with loader(target, clients, work, server.pid, token) as load:
                load.ready()
                turn = load.turn(0.0, 0.5, freeze=False)
                load.end()
            assert turn.transactions > 0
            with pytest.raises(UsageError, match="in use"):
                look_at(target, rooms[1].data)
    assert state_of(backup) == before


def test_data_that_a_copy_would_not_stand_apart_from_are_refused(
    target: Target, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="no data directory"):
        look_at(target, str(tmp_path))
    (tmp_path / "ibdata1").write_bytes(bytes(12 * MIB))
    assert look_at(target, str(tmp_path)).data_files == (("ibdata1", 12 * MIB),)
    (tmp_path / "xtrabackup_checkpoints").write_text("backup_type = full-backuped\n")
    with pytest.raises(UsageError, match="not prepared"):
        look_at(target, str(tmp_path))
    (tmp_path / "xtrabackup_checkpoints").write_text("backup_type = full-prepared\n")
    look_at(target, str(tmp_path))
    (tmp_path / "mysql.ibd").write_bytes(b"\0\x01./shop/orders.ibd\0" * 9)
    look_at(target, str(tmp_path))
    (tmp_path / "mysql.ibd").write_bytes(b"\0\x01./a/b.ibd\0\0\x01/mnt/x/shop/orders.ibd\0")
    with pytest.raises(UsageError, match=r"/mnt/x/shop/orders.ibd"):
        look_at(target, str(tmp_path))
    (tmp_path / "mysql.ibd").unlink()
    (tmp_path / "shop").symlink_to("/mnt")
    with pytest.raises(UsageError, match="elsewhere"):
        look_at(target, str(tmp_path))


@pytest.mark.parametrize(
    ("flags", "page_bytes"),
    [
        (0x00, 16384),  # MySQL and MariaDB before checksums of whole pages
        (0x15, 16384),  # MariaDB since 10.5
        (0x13, 4096),
        (3 << 6 | 0x21, 4096),
        (4 << 6, 8192),
        (7 << 6, 65536),
    ],
)
def test_the_head_of_a_system_tablespace_says_its_page_size(flags: int, page_bytes: int) -> None:
    assert page_size(flags.to_bytes(4, "big")) == page_bytes


def test_an_encrypted_head_says_no_page_size() -> None:
    with pytest.raises(UsageError, match="page size"):
        page_size((15 << 6).to_bytes(4, "big"))


def test_several_data_files_and_old_undo_logs_are_named_to_the_server() -> None:
    given = GivenData(
        "/backup", 4096, 0, (("ibdata1", 10 * MIB), ("ibdata2", 30 * MIB + 16384)), (), 3
    )
    for version, undo in ((MARIADB, "3"), (MYSQL, None)):
        lines = given_lines(ServerBinary(("mysqld",), version), given)
        assert lines["innodb_data_file_path"] == "ibdata1:10M;ibdata2:30M:autoextend"
        assert lines["innodb_page_size"] == "4096"
        assert lines.get("innodb_undo_tablespaces") == undo


def test_a_server_that_does_not_start_gives_its_reason(
    target: Target, home: Path, binary: ServerBinary
) -> None:
    refused = replace(binary, options=(*binary.options, "--innodb-page-size=12345"))
    with (
        pytest.raises(SandboxFailed) as failure,
        lab_place(target, [str(home)], CancelToken()) as place,
    ):
        made(
            target,
            place,
            Layout(refused, 0, TableEngine.INNODB, str(home)),
            LabLoad(LoadKind.POINT_SELECT, data_bytes=DATA_BYTES),
        )
    assert "It said: " in failure.value.sentence
    # It follows from the reason, and is none.
    assert "Aborting" not in failure.value.sentence
