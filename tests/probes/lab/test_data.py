"""What a lab works on, made and copied on real servers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from probes.cancel import CancelToken
from probes.lab.data import copied, filled
from probes.lab.place import LabPlace, lab_place
from probes.lab.server import LabEntrant, LabServer, started
from probes.lab.variant import LabLoad, Layout, LoadKind, TableEngine
from probes.mysql.lookup_table import ROW_BYTES, row_count
from probes.sandbox.binaries import ServerBinary, find_binary
from probes.sandbox.place import SandboxPlace
from probes.targets.local import LocalTarget
from probes.targets.target import Target
from tests.servers.eleven import ServerBuild, chosen

MIB = 1 << 20
DATA_BYTES = 24 * MIB
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
        place.make(room)
    *_, last = filled(target, rooms[0], layout, load, token)
    assert last.done_bytes == last.total_bytes == load.data_bytes
    copied(target, *rooms, token)
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
