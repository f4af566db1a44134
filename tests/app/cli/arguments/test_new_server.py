"""--for gives a starting configuration of a new server, and says what it can't be made of."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.report.document.blocks import text
from advisor.report.forms.plan_formats import FORMATS
from advisor.report.forms.text import page
from advisor.report.report import gather
from advisor.run import RunState, Voice
from advisor.runs.at_hand import version_at_hand
from advisor.store.store import Store
from advisor.upgrade.releases import series_name
from app.cli.arguments.new_server import asked_for, with_start
from tests.advisor.report.json.schema import faults
from tests.app.cli.forked import Done
from tests.app.cli.kept import keep

Leadline = Callable[..., Done]
FOR = ("--for", "mysql-8.4", "--memory", "64G")


@pytest.fixture
def run_id(home: Path) -> str:
    with Store.open() as store:
        return str(keep(store))


def flat(text: str) -> str:
    return " ".join(text.split())


def test_it_is_a_text_with_its_reasons_and_what_is_assumed(leadline: Leadline, run_id: str) -> None:
    done = leadline("advise", run_id, *FOR)
    assert done.code == 0, done.stderr
    text = flat(done.stdout)
    assert "Starting configuration for a new MySQL 8.4 with 64 GiB" in text
    assert "Memory: 64 GiB, as given." in text
    assert "Assumed: there is more data than memory" in text
    assert "innodb_buffer_pool_size" in text
    assert "Advice" not in text, "the server of the run plays no part"


def test_it_is_an_option_file(leadline: Leadline, run_id: str, tmp_path: Path) -> None:
    file = tmp_path / "new.cnf"
    assert leadline("advise", run_id, *FOR, "--cnf", "-o", str(file)).code == 0
    lines = file.read_text("utf-8").splitlines()
    settings = [line for line in lines if line and line[0] not in "#["]
    assert "innodb_buffer_pool_size = 51539607552" in settings
    assert all(" = " in line for line in settings)
    for line in settings:
        assert lines[lines.index(line) - 1].startswith("# "), f"{line} has no reason"


def test_the_document_holds_it(leadline: Leadline, run_id: str) -> None:
    content = json.loads(leadline("advise", run_id, *FOR, "--json").stdout)
    assert faults(content) == []
    assert content["change_plan"]["server"].startswith("MySQL 8.4")


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"sql"}))
def test_it_comes_in_the_forms_that_need_no_server(
    leadline: Leadline, run_id: str, form: str
) -> None:
    done = leadline("advise", run_id, *FOR, f"--{form}")
    assert done.code == 0, done.stderr


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--for", "mysql-4.0"), "Leadline knows MySQL 5.5 to 26.7, not MySQL 4.0"),
        (("--for", "mysql-12.3"), "There is no MySQL 12.3: after 9.7 came 26.7."),
        (("--for", "oracle-19"), "'oracle-19' names no version"),
        (("--for", "mysql-8.4", "--memory", "much"), "'much' is not a valid size"),
        (("--for", "mysql-8.4", "--memory", "64M"), "64 MiB of memory are too little"),
        ((*FOR, "--sql"), "no server yet that could run statements"),
        ((*FOR, "--undo"), "has no settings to go back to"),
        ((*FOR, "--as", "mysql-8.0"), "--for is about a new MySQL 8.4"),
        ((*FOR, "--without", "redo.capacity"), "--for is about a new MySQL 8.4"),
    ],
)
def test_what_can_not_be_is_said(
    leadline: Leadline, run_id: str, options: tuple[str, ...], sentence: str
) -> None:
    done = leadline("advise", run_id, *options)
    assert done.code == 2
    assert sentence in flat(done.stderr)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("mysql-26.7", ""),
        ("mariadb-12.3", ""),
        ("mysql-28.4", "MySQL 28.4.0 is newer than all that Leadline knows: judged as MySQL 26.7."),
        ("mariadb-13.0", "MariaDB 13.0.0 is newer than all that Leadline knows: judged as"),
    ],
)
def test_a_server_of_now_gets_one_and_a_newer_one_is_told_as_what_it_is_judged(
    leadline: Leadline, run_id: str, version: str, said: str
) -> None:
    done = leadline("advise", run_id, "--for", version, "--memory", "64G")
    assert done.code == 0, done.stderr
    assert "innodb_buffer_pool_size = " in done.stdout
    assert flat(done.stdout).count("newer than all that Leadline knows") == bool(said)
    assert said in flat(done.stdout)


def test_without_a_version_it_is_the_program_that_is_installed_here(
    leadline: Leadline, run_id: str
) -> None:
    done = leadline("advise", run_id, "--memory", "64G")
    assert done.code == 0, done.stderr
    here = version_at_hand()
    assert here is not None
    assert f"Starting configuration for a new {series_name(here)} with 64 GiB" in flat(done.stdout)


def test_a_check_refuses_it_before_anything_is_measured(leadline: Leadline, home: Path) -> None:
    refused = leadline("check", "--for", "mysql-8.4", "--no-load")
    assert (refused.code, "nothing is measured" in flat(refused.stderr)) == (2, True)
    assert leadline("check", "--for", "mysql-1.0").code == 2
    for memory in ("tiny", "64M"):
        refused = leadline("check", "--for", "mysql-8.4", "--memory", memory)
        assert (refused.code, "Measuring" in refused.stdout) == (2, False)


def test_a_run_that_was_cut_off_gives_none(home: Path) -> None:
    with Store.open() as store:
        whole = gather(store, Voice(keep(store)))
    told = with_start(lambda _, below: (text("told"), *below), asked_for("mysql-8.4", "64G"))
    assert "Starting configuration" in page(told(whole))
    cut = replace(whole, run=replace(whole.run, state=RunState.CANCELLED))
    assert page(told(cut)) == "told\n"
