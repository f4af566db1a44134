"""What stands for the machines, drives, runs and files that the documents name."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from advisor.run import RunLabel
from advisor.runs.events import KeptRun
from advisor.runs.importing import import_files, take_case
from advisor.store.store import Store
from probes.targets.address import MySQLAddress
from probes.targets.parse import parse_target
from tests.conftest import ROOT
from tests.probes.imports.conftest import RECORDINGS
from tests.probes.texts.recorded import SERVER_TEXTS
from tests.servers.mariadb import MariaDB
from tests.servers.sshd import Sshd

PLACES = ("/mnt/a", "/mnt/b", "/mnt/c", "/srv/newdrive", "/srv/new")
"""Directories in the pages: on other ones, which are on a real disk, their commands run."""

ADDED = {
    "bench": ("--no-guard",),
    "probe": ("--no-guard",),
    "watch": ("--seconds", "2"),
}
"""What is added to a command: servers of other tests are not its to guard, and a look will do."""

SOONER = {("--plan", "standard"): "quick", ("--repeats", "3"): "2"}
"""What is given to an option in place of what a page gives to it."""

DRIVES = {1: "A", 6: "A", 2: "B", 5: "B", 3: "C", 4: "C"}
"""The runs of the pages that are repeats of one drive."""

IN_MEMORY, SERVER, LAST = 11, 12, 15
"""The runs of lookups in memory and of a server at work, and the last of all."""

CURVE = """\
threads,rate_per_s,p95_us
1,1183,1640
2,2344,1080
64,34844,3670
"""

LOOKUPS = """\
probe,threads,rate_per_s,working_set
point_select,1,11830,cached
point_select,8,84000,cached
point_select,64,248440,cached
"""

TEMPLATE = 'sections = ["summary", "plan"]\nauthor = "Jo Doe"\n'


@dataclass(frozen=True)
class StandIns:
    """Machines and drives by how the pages call them."""

    names: Mapping[str, str]

    @classmethod
    def of(cls, places: dict[str, str], sshd: Sshd, mariadb: MariaDB) -> StandIns:
        """With ``places`` for the directories, by what the pages call them."""
        machine = f"ssh://{sshd.user}@{sshd.host}:{sshd.port}"
        named = {"ssh://root@db7": machine, "/run/mysqld/mysqld.sock": mariadb.socket}
        return cls(named | places)

    def words(self, typed: Sequence[str]) -> list[str]:
        """What is run for the words of a page, without the program's name."""
        given = [
            SOONER.get((before, word)) or self._word(word)
            for before, word in zip(("", *typed), typed, strict=False)
        ]
        return [*given, *ADDED.get(given[0], ())]

    def _word(self, word: str) -> str:
        for name in sorted(self.names, key=len, reverse=True):
            if name in word:
                return word.replace(name, self.names[name])
        return word


def take_files(desk: Path) -> None:
    """The files of their user, which the pages take as given."""
    shutil.copy(ROOT / "resources" / "icons" / "leadline.svg", desk / "logo.svg")
    shutil.copy(RECORDINGS / "fio-read-grouped.json", desk / "fio.json")
    shutil.copy(RECORDINGS / "sysbench-1.0-rndrd-direct.txt", desk / "sysbench.txt")
    for name in ("variables.txt", "status1.txt", "status2.txt", "my.cnf"):
        shutil.copy(SERVER_TEXTS / name, desk / name)
    for name in ("memory.csv", "card.csv", "offer.csv"):
        (desk / name).write_text(CURVE, encoding="utf-8")
    (desk / "quarterly.toml").write_text(TEMPLATE, encoding="utf-8")
    unpack("2-check", desk / "db7.leadline")


def unpack(name: str, to: Path) -> Path:
    """A case of the sample as a file."""
    packed = ROOT / "resources" / "sample" / f"{name}.leadline.gz"
    to.write_bytes(gzip.decompress(packed.read_bytes()))
    return to


def keep_runs(path: Path, case: Path) -> None:
    """A store with the runs of the reference pages, nearly all of them as the sample's check."""
    with Store.open(path) as store:
        for number in range(1, LAST + 1):
            if number == IN_MEMORY:
                (kept,) = import_files(store, [_lookups(path.parent)])
            else:
                name = "db7" if number == SERVER else _drive(number)
                kept = take_case(store, case, name, shipped=True)
            assert isinstance(kept, KeptRun)
            assert kept.run_id == number


def save_machines(path: Path, sshd: Sshd, mariadb: MariaDB) -> None:
    """Save db7, db8 and db9 as targets."""
    machine = parse_target(f"ssh://{sshd.user}@{sshd.host}:{sshd.port}")
    server = MySQLAddress(socket=mariadb.socket)
    with Store.open(path) as store:
        for name in ("db7", "db8", "db9"):
            store.save_target(replace(machine, name=name, mysql=server))


def _drive(number: int) -> str:
    return f"drive {DRIVES.get(number, number)}"


def _lookups(folder: Path) -> Path:
    file = folder / "lookups.csv"
    file.write_text(LOOKUPS, encoding="utf-8")
    return file


def label_drives(path: Path, project: str) -> None:
    """Put the drives' runs into a project."""
    with Store.open(path) as store:
        for number, drive in DRIVES.items():
            store.label_run(number, RunLabel(f"Drive {drive}", project=project))
