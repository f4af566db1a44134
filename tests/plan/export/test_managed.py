"""A plan as commands of Azure's and Google's own programs: what these are called with."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.judging.engine import judge
from advisor.outcomes import NotApplicable
from advisor.plan.change_plan import ChangePlan
from advisor.plan.export import managed
from advisor.plan.export.formats import usual_form
from advisor.plan.planning import make_plan
from advisor.report.forms.plan_formats import FORMATS
from advisor.steps import Needs
from advisor.wording.advice.why import sentence
from probes.inventory.facts import MySQLFacts
from probes.version import ServerVersion
from tests.plan.builders import MYSQL80, advice, case_of, setting
from tests.rules.casework import build

NOW = {
    "innodb_buffer_pool_size": "134217728",
    "innodb_log_file_size": "50331648",
    "innodb_flush_method": "fsync",
    "tmpdir": "/tmp",
}
TOLD = '#!/bin/sh\nprintf \'%s|\' "$(basename "$0")" "$@" >>asked\necho >>asked\n'


def plan() -> ChangePlan:
    return make_plan(
        case_of(MYSQL80, NOW),
        [
            advice("a.pool", setting("innodb_buffer_pool_size", "134217728", "268435456")),
            advice("b.redo", setting("innodb_log_file_size", "50331648", "1073741824")),
            advice("c.method", setting("innodb_flush_method", "fsync", "O_DIRECT")),
            advice("d.tmpdir", setting("tmpdir", "/tmp", "/fast,disk", Needs.RESTART)),
        ],
    )


def asked(script: str, folder: Path, **names: str) -> list[list[str]]:
    """What the programs were called with by a real shell."""
    for name in ("az", "gcloud"):
        program = folder / name
        program.write_text(TOLD)
        program.chmod(0o755)
    (folder / "asked").write_text("")
    environment = {"PATH": f"{folder}:{os.environ['PATH']}", **names}
    subprocess.run(["sh", "-c", script], cwd=folder, env=environment, check=True)
    return [line.split("|")[:-1] for line in (folder / "asked").read_text().splitlines()]


@pytest.mark.parametrize(
    ("write", "wanted"),
    [
        (
            managed.apply_azure,
            {
                "innodb_buffer_pool_size": "268435456",
                "innodb_log_file_size": "1073741824",
                "tmpdir": "/fast,disk",
            },
        ),
        (
            managed.undo_azure,
            {
                "innodb_buffer_pool_size": "134217728",
                "innodb_log_file_size": "50331648",
                "tmpdir": "/tmp",
            },
        ),
    ],
)
def test_azure_sets_each_parameter_and_restarts_once(
    tmp_path: Path, write: Callable[[ChangePlan], str], wanted: dict[str, str]
) -> None:
    *sets, restart = asked(write(plan()), tmp_path, SERVER="db 7", RESOURCE_GROUP="shop")
    server = ["--resource-group", "shop", "--server-name", "db 7"]
    assert all(
        one[:9] == ["az", "mysql", "flexible-server", "parameter", "set", *server] for one in sets
    )
    assert {one[10]: one[12] for one in sets} == wanted
    assert restart[1:4] == ["mysql", "flexible-server", "restart"]
    assert "The service takes one of 268435456, " in write(plan())
    assert "innodb_flush_method: the service sets it itself." in write(plan())


def test_google_patches_all_flags_at_once_with_those_that_stay(tmp_path: Path) -> None:
    names = {"INSTANCE": "db7", "OTHER_FLAGS": "general_log=on,wait_timeout=60"}
    [[*start, flags]] = asked(managed.apply_google(plan()), tmp_path, **names)
    assert start == ["gcloud", "sql", "instances", "patch", "db7"]
    name, _, given = flags.partition("=")
    assert name == "--database-flags"
    assert given.startswith("^~^general_log=on~wait_timeout=60~")
    assert set(given.split("~")[3:]) == {
        "innodb_buffer_pool_size=268435456",
        "innodb_log_file_size=1073741824",
        "tmpdir=/fast,disk",
    }
    [[*_, alone]] = asked(managed.undo_google(plan()), tmp_path, INSTANCE="db7", OTHER_FLAGS="")
    assert alone.startswith("--database-flags=^~^tmpdir=/tmp~")


def test_a_script_without_the_servers_name_does_nothing(tmp_path: Path) -> None:
    for write in (managed.apply_azure, managed.apply_google):
        with pytest.raises(subprocess.CalledProcessError):
            asked(write(plan()), tmp_path)


@pytest.mark.parametrize(
    ("version", "service"),
    [("8.0.35-azure", "Azure Database for MySQL"), ("8.0.31-google", "Cloud SQL for MySQL")],
)
def test_what_a_service_sets_itself_is_no_question(version: str, service: str) -> None:
    variables = {"innodb_flush_method": "fsync", "innodb_doublewrite": "OFF"}
    judged = judge(build({"version": version, "variables": variables}))
    silent = {one.rule: one for one in judged.not_applicable}
    for rule in ("flushing.flush-method", "durability.doublewrite", "storage.page-size"):
        assert isinstance(silent[rule], NotApplicable)
        assert sentence(silent[rule].why).startswith(f"{service} sets innodb_")
    plain = judge(build({"version": "8.0.35", "variables": variables}))
    known = {one.rule for one in plain.not_applicable}
    assert "durability.doublewrite" not in known
    assert set(silent) - known, "only what the service sets itself"
    assert "flushing.io-capacity" not in silent


@pytest.mark.parametrize(
    ("version", "form"),
    [("8.0.35", "sql"), ("8.0.35-azure", "azure"), ("8.0.31-google", "gcloud")],
)
def test_the_first_screen_names_the_form_that_a_server_takes(version: str, form: str) -> None:
    server = MySQLFacts(ServerVersion.parse(version), {})
    assert usual_form(server) == form
    assert form in FORMATS
    assert usual_form(replace(server, sandbox=True)) == "cnf"
    assert usual_form(None) == "shell"
