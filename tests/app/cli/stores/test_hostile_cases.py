"""A case file that somebody made to do harm is refused in a sentence, or judged; nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from advisor.run import Voice
from advisor.store import casefile
from advisor.store.store import Store
from tests.advisor.store.hostile_cases import JUDGED, REFUSED
from tests.app.cli.forked import Done
from tests.app.cli.kept import keep

Leadline = Callable[..., Done]


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("right")
    with Store.open(folder / "store.sqlite3") as store:
        casefile.export(store, Voice(keep(store)), folder / "right.leadline")
    return folder / "right.leadline"


@pytest.fixture
def file(right: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(right, tmp_path / "hostile.leadline"))


def both(leadline: Leadline, file: Path) -> Iterator[Done]:
    yield leadline("advise", str(file))
    yield leadline("report", str(file), "-o", str(file.with_suffix(".html")))


def told(done: Done) -> None:
    """No fault of our own, and nothing that a terminal would obey."""
    assert "mistake" not in done.stderr
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert len(done.stderr) < 2000


@pytest.mark.parametrize("what", REFUSED)
def test_what_can_be_no_case_is_refused(leadline: Leadline, file: Path, what: str) -> None:
    REFUSED[what](file)
    before = file.stat()
    for done in both(leadline, file):
        told(done)
        assert done.code == 2, done
        assert str(file) in done.stderr
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)


@pytest.mark.parametrize("what", JUDGED)
def test_what_may_be_judged_is_judged_or_refused(leadline: Leadline, file: Path, what: str) -> None:
    JUDGED[what](file)
    for done in both(leadline, file):
        told(done)
        assert done.code in (0, 2), done
