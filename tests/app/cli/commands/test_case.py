"""A run is written to a file of its own, which commands take as CASE."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.store.store import Store
from tests.app.cli.forked import Done
from tests.app.cli.kept import RULE, keep

Leadline = Callable[..., Done]


@pytest.fixture
def file(leadline: Leadline, home: Path, tmp_path: Path) -> Path:
    with Store.open() as store:
        keep(store)
    path = tmp_path / "db7.leadline"
    done = leadline("case", "export", "db7", str(path))
    assert (done.code, done.stdout) == (0, f"Run 1 is written to {path}.\n")
    return path


def test_a_case_file_is_advised_on_where_no_run_is(
    leadline: Leadline, file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    here = leadline("advise", "1", "--sql", "--only", RULE)
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path / "elsewhere"))
    assert leadline("advise", "1").code == 2
    there = leadline("advise", str(file), "--sql", "--only", RULE)
    assert there == here
    assert "SET PERSIST innodb_io_capacity" in there.stdout
    content = json.loads(leadline("advise", str(file), "--json").stdout)
    assert (content["run"]["id"], content["target"]["ssh"]) == (1, None)


def test_a_case_file_needs_no_database(
    leadline: Leadline, file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LEADLINE_HOME", "/dev/null/nowhere")
    assert leadline("advise", str(file), "--sql").code == 0
    assert leadline("report", str(file), "-o", str(tmp_path / "client.md")).code == 0
    assert leadline("advise", "1").code == 1


def test_mistakes_are_told(leadline: Leadline, file: Path, tmp_path: Path) -> None:
    named = leadline("case", "export", "1", str(tmp_path / "case.sqlite"))
    assert named.code == 2
    assert "End it in .leadline" in named.stderr
    missing = leadline("case", "export", "9", str(file))
    assert missing.code == 2
    assert "There is no run 9." in missing.stderr
    (tmp_path / "text.leadline").write_text("no database", "utf-8")
    other = leadline("advise", str(tmp_path / "text.leadline"))
    assert other.code == 2
    assert "no case file of Leadline's" in other.stderr
    assert leadline("advise", str(tmp_path / "none.leadline")).code == 2
    renamed = leadline("advise", str(file.with_suffix(".sqlite")))
    assert renamed.code == 2
    assert "A case file's name ends in .leadline." in renamed.stderr
