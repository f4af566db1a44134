"""What the documents have people type is right: all of it is read, and Leadline's commands are run.

A page's commands run in its order, in one directory, on a store of their own, with stand-ins for
machines and drives. Those that are not run say why in a comment above their block.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from advisor.runs.importing import take_case
from advisor.store.store import DATABASE, Store
from app.cli.main import cli
from tests.conftest import ROOT
from tests.docs import commands as found
from tests.docs.commands import plain, shown
from tests.docs.stand_ins import (
    PLACES,
    StandIns,
    keep_runs,
    label_drives,
    save_machines,
    take_files,
    unpack,
)
from tests.servers.mariadb import MariaDB
from tests.servers.sshd import Sshd
from tests.short_plans import FEWEST, plan_of

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "benchmarks").glob("*.md")),
]
PROGRAM = "leadline"
WITH_COMMANDS = [
    page
    for page in PAGES
    if any(one.words[0] == PROGRAM and not one.because for one in shown(page))
]
TUTORIAL = ROOT / "docs" / "tutorial.md"
REFERENCE = {
    ROOT / "docs" / page: project
    for page, project in (
        ("command-line.md", "client X"),
        ("compare.md", "client X, October"),
        ("model.md", ""),
        ("reports.md", ""),
    )
}
"""Pages whose blocks each stand for themselves, on runs that are there, with their project."""


def named(pages: Sequence[Path]) -> pytest.MarkDecorator:
    ids = [page.relative_to(ROOT).as_posix() for page in pages]
    return pytest.mark.parametrize("page", pages, ids=ids)


@named(PAGES)
def test_every_command_is_one_that_there_is(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reached: list[str] = []

    def only_read(command: click.Command, context: click.Context) -> None:
        reached.append(context.command_path)

    monkeypatch.setattr(click.Command, "invoke", only_read)
    for command in shown(page):
        if command.words[0] != PROGRAM:
            continue
        reached.clear()
        result = CliRunner().invoke(cli, command.words[1:], prog_name=PROGRAM)
        assert result.exception is None, command
        assert (result.return_value, result.stderr) == (0, ""), command
        assert reached, command


@named(WITH_COMMANDS)
def test_the_commands_of_a_page_do_what_it_says(
    page: Path,
    desk: Path,
    given: Path,
    stand_ins: StandIns,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan_of(monkeypatch, FEWEST)
    commands = [command for command in shown(page) if not command.because]
    assert commands
    block = 0
    for command in commands:
        assert command.words[0] == PROGRAM, f"{command}: say why it is not run"
        if page in REFERENCE and command.block != block:
            block = command.block
            shutil.copy(given, desk.parent / "home")
        words = stand_ins.words(command.words[1:])
        done = CliRunner().invoke(cli, words, prog_name=PROGRAM, catch_exceptions=False)
        assert done.return_value == 0, (str(command), words, done.stderr)
        assert command.agrees(done.stdout), f"{command} prints:\n{plain(done.stdout)}"


@pytest.fixture
def desk(page: Path, ssh_home: Path, given: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the page's user works: with the files and the runs that the page takes as given."""
    made, home = ssh_home / "desk", ssh_home / "home"
    made.mkdir()
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LEADLINE_HOME", str(home))
    monkeypatch.chdir(made)
    take_files(made)
    if page != TUTORIAL:
        home.mkdir()
        shutil.copy(given, home)
    if page in REFERENCE:
        (home / "report-templates").mkdir()
        shutil.copy(made / "quarterly.toml", home / "report-templates" / "house.toml")
    return made


@pytest.fixture
def given(page: Path, sampled: Path, catalogued: Path, tmp_path: Path) -> Path:
    """The store that a page takes as given."""
    made = tmp_path / "given"
    made.mkdir()
    shutil.copy(catalogued if page in REFERENCE else sampled, made)
    if REFERENCE.get(page):
        label_drives(made / DATABASE, REFERENCE[page])
    return made / DATABASE


@pytest.fixture
def stand_ins(sshd: Sshd, mariadb: MariaDB) -> Iterator[StandIns]:
    with ExitStack() as held:
        places = {
            place: held.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp"))
            for place in PLACES
        }
        yield StandIns.of(places, sshd, mariadb)


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that holds the sample's runs as those of db7: pages take a copy as given."""
    folder = tmp_path_factory.mktemp("sampled")
    with Store.open(folder / DATABASE) as store:
        for name in ("1-watch", "2-check"):
            take_case(store, unpack(name, folder / "given.leadline"), "db7", shipped=True)
    return folder / DATABASE


@pytest.fixture(scope="module")
def catalogued(tmp_path_factory: pytest.TempPathFactory, sshd: Sshd, mariadb: MariaDB) -> Path:
    """A store with the runs of the reference pages."""
    folder = tmp_path_factory.mktemp("catalogued")
    case = unpack("2-check", folder / "given.leadline")
    keep_runs(folder / DATABASE, case)
    save_machines(folder / DATABASE, sshd, mariadb)
    return folder / DATABASE


def test_the_readme_is_short() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count("![") == 1
    assert [command.words[0] for command in shown(ROOT / "README.md")] == [
        "pipx",
        "leadline",
        "make",
        "make",
    ]
    assert len(text.splitlines()) < 50


PAGE = """\
<!-- not run: needs the machine db7 -->
```sh
leadline watch db7   # at a busy time
```

```console
$ leadline runs
run   target
...
2     db7
$ leadline rules
```
"""


def test_commands_are_found_with_what_they_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    monkeypatch.setattr(found, "ROOT", tmp_path)
    watch, runs, rules = shown(page)
    assert (watch.words, watch.line) == (("leadline", "watch", "db7"), 3)
    assert watch.because == "needs the machine db7"
    assert (str(runs), runs.because) == ("page.md:7: leadline runs", "")
    assert runs.agrees("run   target  \n2     db7\n")
    assert runs.agrees("run   target\n4     a\n3     b\n2\u202f\u00a0   db7\n\n")
    assert not runs.agrees("run   target\n2     db8\n")
    assert not runs.agrees("run   target\n2     db7\n1     db6\n")
    assert not runs.agrees("")
    assert rules.agrees("anything")
