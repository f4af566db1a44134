"""``leadline fleet``: archives of many servers, taken in by processes, in one table."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.case import Case
from advisor.fleet import server_row, taking
from advisor.fleet.server_row import ServerRow
from advisor.fleet.taking import RefusedArchive, TakenServer, archives_in, take_archives
from advisor.store.store import Store
from tests.app.cli.forked import Done
from tests.fleets import renamed
from tests.probes.collection.shells import collected
from tests.servers.eleven import ALL
from tests.servers.mysql97 import MySQL
from tests.servers.sshd import Sshd, private_sshd

Leadline = Callable[..., Done]
NAMES = ("shop-1", "shop-2", "shop-3", "mail")


@pytest.fixture(scope="module")
def archive(mysql97: MySQL, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("collected")
    return collected(folder, ["-S", mysql97.socket, "-u", "root"])


@pytest.fixture
def folder(archive: Path, tmp_path: Path) -> Path:
    """Four archives: one of three nodes has another setting."""
    made = tmp_path / "archives"
    (made / "site").mkdir(parents=True)
    for name in NAMES:
        other = ("max_connections\t151", "max_connections\t99") if name == "shop-2" else ("", "")
        renamed(archive, made / "site" / f"{name}-collect.tar.gz", name, other)
    (made / "readme.txt").write_text("not an archive")
    return made


def test_a_folder_is_taken_in_and_listed(leadline: Leadline, home: Path, folder: Path) -> None:
    done = leadline("fleet", "import", str(folder), "--processes", "2")
    assert done.code == 0, done.stderr
    assert "4 servers taken in and judged" in done.stderr
    shown = leadline("fleet", "--sort", "target").stdout
    lines = [line.split()[0] for line in shown.splitlines() if line.startswith(("shop", "mail"))]
    assert lines[: len(NAMES)] == sorted(NAMES)
    rows = {row["target"]: row for row in json.loads(leadline("fleet", "--json").stdout)}
    assert rows["shop-2"]["differs"] == ["max_connections"]
    assert rows["shop-1"]["differs"] == []
    assert {row["role"] for row in rows.values()} == {"shop", "mail"}
    assert all(row["judged"] > 40 for row in rows.values())
    assert all(row["server"].startswith("MySQL 9") for row in rows.values())
    role = leadline("fleet", "--role", "shop").stdout
    assert "max_connections" in role
    assert "99 *" in role
    again = leadline("fleet", "import", str(folder))
    assert "0 servers taken in" in again.stderr
    assert "4 archives had been taken in before" in again.stderr


@pytest.mark.parametrize("ending", [".csv", ".html", ".md", ".pdf", ".json", ".txt"])
def test_it_is_written_in_every_form(
    ending: str, leadline: Leadline, home: Path, folder: Path, tmp_path: Path
) -> None:
    leadline("fleet", "import", str(folder), "--processes", "1")
    file = tmp_path / f"fleet{ending}"
    done = leadline("fleet", "-o", str(file))
    assert done.code == 0, done.stderr
    content = file.read_bytes()
    assert content.startswith(b"%PDF") if ending == ".pdf" else b"shop-2" in content
    if ending == ".csv":
        rows = list(csv.DictReader(io.StringIO(content.decode())))
        assert {row["target"] for row in rows} == set(NAMES)
        assert next(row for row in rows if row["target"] == "shop-2")["differs"] == (
            "max_connections"
        )
    if ending == ".html":
        assert b"What differs within a role" in content


def test_one_that_can_not_be_read_is_named_and_the_others_are_taken(
    leadline: Leadline, home: Path, folder: Path
) -> None:
    (folder / "cut-collect.tar.gz").write_bytes(b"\x1f\x8b\x08 cut off")
    done = leadline("fleet", "import", str(folder), "--processes", "2")
    assert done.code == 1
    assert "cut-collect.tar.gz" in done.stderr
    assert "4 servers taken in" in done.stderr
    assert "1 file can't be read" in done.stderr


def test_a_pipe_by_the_name_of_an_archive_is_not_waited_for(
    leadline: Leadline, home: Path, folder: Path
) -> None:
    os.mkfifo(folder / "pipe-collect.tar.gz")
    done = leadline("fleet", "import", str(folder), "--processes", "2")
    assert done.code == 1
    assert "It is no plain file." in done.stderr
    assert "4 servers taken in" in done.stderr


def test_a_process_that_is_ended_loses_its_own_archives_alone(
    home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by a kernel without memory: what was not read is said to be, and nothing hangs."""
    true = taking.judged_archive

    def judged(file: Path, known: frozenset[tuple[str, str]]) -> object:
        if file.name.startswith("mail"):
            sys.exit(9)
        return true(file, known)

    monkeypatch.setattr(taking, "judged_archive", judged)
    with Store.open() as store:
        found = list(take_archives(store, archives_in(folder), 2))
    kept = {each.row.target for each in found if isinstance(each, TakenServer)}
    lost = {each.file.name for each in found if isinstance(each, RefusedArchive)}
    assert "mail-collect.tar.gz" in lost
    assert len(kept) + len(lost) == len(NAMES)
    assert kept


def test_what_is_known_is_judged_again_by_another_version_alone(
    home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = archives_in(folder)
    with Store.open() as store:
        first = [each for each in take_archives(store, files, 1) if isinstance(each, TakenServer)]
        judged: list[str] = []

        def row_judged(case: Case) -> ServerRow:
            judged.append(case.target)
            return first[0].row

        monkeypatch.setattr(taking, "row_judged", row_judged)
        again = list(take_archives(store, files, 1))
        assert judged == []
        assert again == [replace(each, again=True) for each in first]
        monkeypatch.setattr(server_row, "__version__", "another")
        list(take_archives(store, files, 1))
        assert sorted(judged) == sorted(NAMES)
        assert len(store.runs()) == len(NAMES)


def test_a_folder_without_archives_is_refused(
    leadline: Leadline, home: Path, tmp_path: Path
) -> None:
    assert "No archive is in" in leadline("fleet", "import", str(tmp_path)).stderr
    assert "is no folder" in leadline("fleet", "import", str(tmp_path / "gone")).stderr
    assert "No server was checked" in leadline("fleet").stderr


@pytest.fixture
def three() -> Iterator[list[Sshd]]:
    with ExitStack() as stack:
        yield [stack.enter_context(private_sshd()) for _ in range(3)]


@pytest.mark.skipif(
    not os.environ.get(ALL), reason="make test-all installs these tools, and takes the time"
)
def test_ansible_collects_on_a_group_and_brings_the_archives(
    leadline: Leadline, home: Path, mysql97: MySQL, three: list[Sshd], tmp_path: Path
) -> None:
    book = tmp_path / "collect.yml"
    assert leadline("fleet", "playbook", "--seconds", "1", "-o", str(book)).code == 0
    known = tmp_path / "known_hosts"
    known.write_text("".join(f"{each.known_hosts_line}\n" for each in three))
    hosts = "".join(
        f"shop-{number} ansible_host={each.host} ansible_port={each.port} "
        f"ansible_user={each.user} ansible_ssh_private_key_file={each.key}\n"
        for number, each in enumerate(three, 1)
    )
    inventory = tmp_path / "hosts"
    inventory.write_text(f"[mysql]\n{hosts}")
    argv = [str(Path(sys.executable).with_name("ansible-playbook")), "-i", str(inventory)]
    argv += [str(book), "--ssh-common-args", f"-o UserKnownHostsFile={known}"]
    done = subprocess.run(
        [*argv, "-e", f"client_options='-S {mysql97.socket} -u root'"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    archives = tmp_path / "archives"
    assert sorted(each.name for each in archives.iterdir()) == [
        f"shop-{number}-collect.tar.gz" for number in (1, 2, 3)
    ]
    taken = leadline("fleet", "import", str(archives))
    assert "3 servers taken in" in taken.stderr, taken.stderr
    assert [*Path("/tmp").glob("leadline-????????")] == []
