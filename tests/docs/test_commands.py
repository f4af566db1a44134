"""What the documents have people type is right: all of it is read, the tutorial's and how-tos' run.

A page's commands run in its order, in one directory, on a store of their own. Those that need a
machine, a window or packages say so in a comment above their block, and are only read.
"""

from __future__ import annotations

import gzip
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
from tests.probes.imports.conftest import RECORDINGS
from tests.short_plans import plan_of

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "benchmarks").glob("*.md")),
]
RUN = [ROOT / "docs" / "tutorial.md", *sorted((ROOT / "docs" / "how-to").glob("*.md"))]
PROGRAM = "leadline"
PLACES = ("/mnt/a", "/mnt/b")
"""Directories in the pages; a page's commands run on others, which are on a real disk."""

MEASURING = {"bench": ("--no-guard",)}
"""What is added to a command that measures: servers of other tests are not its to guard."""


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


@named(RUN)
def test_the_commands_of_a_page_do_what_it_says(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    places: dict[str, str],
    sampled: Path,
) -> None:
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    plan_of(monkeypatch)
    prepare(tmp_path)
    if page.name != "tutorial.md":
        (tmp_path / "home").mkdir()
        shutil.copy(sampled, tmp_path / "home")
    commands = [command for command in shown(page) if not command.because]
    assert commands
    for command in commands:
        assert command.words[0] == PROGRAM, f"{command}: say why it is not run"
        words = [places.get(word, word) for word in command.words[1:]]
        words += MEASURING.get(words[0], ())
        done = CliRunner().invoke(cli, words, prog_name=PROGRAM, catch_exceptions=False)
        assert done.return_value == 0, (str(command), done.stderr)
        assert command.agrees(done.stdout), f"{command} prints:\n{plain(done.stdout)}"


@pytest.fixture
def places() -> Iterator[dict[str, str]]:
    with ExitStack() as held:
        yield {
            place: held.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp"))
            for place in PLACES
        }


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that holds the sample's runs as those of db7: pages take a copy as given."""
    folder = tmp_path_factory.mktemp("sampled")
    path = folder / DATABASE
    with Store.open(path) as store:
        for packed in sorted((ROOT / "resources" / "sample").glob("*.gz")):
            case = folder / "given.leadline"
            case.write_bytes(gzip.decompress(packed.read_bytes()))
            take_case(store, case, "db7")
    return path


def prepare(desk: Path) -> None:
    """The files of their user, which the pages take as given."""
    shutil.copy(ROOT / "resources" / "icons" / "leadline.svg", desk / "logo.svg")
    shutil.copy(RECORDINGS / "fio-read-grouped.json", desk / "fio.json")


def test_the_readme_is_short() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count("![") == 1
    assert len(list(shown(ROOT / "README.md"))) == 2
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
