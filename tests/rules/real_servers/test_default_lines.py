"""Lines that only repeat a default can go: a server starts without them with the same values."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from advisor.judging.engine import judge_by
from advisor.outcomes import Recommendation
from advisor.rulekit.facts import FactSource
from advisor.steps import RemoveLine
from advisor.variables.catalogue import SETTINGS, fate, span
from advisor.variables.entry import Fate, ValueKind
from advisor.variables.sheets import SHEETS
from probes.version import ServerVersion
from tests.rules.casework import build
from tests.rules.test_rules import RULES
from tests.servers.eleven import RunningServer, ServerBuild, chosen

RESIZED = "Innodb_redo_log_capacity_resized"
NOT_STATED = {
    "log_bin": "takes a file's name",
    "innodb_undo_tablespaces": "changes what the data directory consists of",
}

OF_ANOTHER: Mapping[str, dict[str, str | None]] = {
    "as it comes": {},
    "a dedicated server": {"innodb_dedicated_server": "ON"},
    "days beside seconds": {"expire_logs_days": "7"},
    "the redo log by its files": {"innodb_redo_log_capacity": None},
    "a large query cache": {"query_cache_size": "67108864", "query_cache_type": None},
    "a query cache of the default size": {"query_cache_type": None},
    "a lower limit of flushing": {"innodb_io_capacity_max": "150", "innodb_io_capacity": None},
}
"""Lines that are laid over a file of defaults, or taken out of it."""


@pytest.fixture(scope="module", params=chosen(), ids=lambda build: build.name)
def server(request: pytest.FixtureRequest) -> ServerBuild:
    found: ServerBuild = request.param
    return found


def defaults(version: ServerVersion) -> dict[str, str]:
    """Every setting that takes a line and has one default, with that."""
    found = {}
    for name in SETTINGS:
        known = span(version, name)
        if known is None or known.formula or not known.default or known.optional:
            continue
        takes = fate(version, name) in {Fate.TAKEN, Fate.DEPRECATED}
        if takes and name not in NOT_STATED and SHEETS[name].kind is not ValueKind.PATH:
            found[name] = known.default
    return found


def starts_with(server: ServerBuild, lines: Mapping[str, str], file: Path) -> dict[str, str]:
    """The values with which it runs on an option file of these lines."""
    text = "\n".join(f"{name} = {value}" for name, value in lines.items())
    file.write_text(f"[mysqld]\n{text}\n", encoding="utf-8")
    with server.start(cnf_path=file) as running:
        return running.variables() | _resized(running)


def _resized(running: RunningServer) -> dict[str, str]:
    """What the variable does not show of a redo log that its old settings size."""
    rows = running.sql(f"SHOW GLOBAL STATUS LIKE '{RESIZED}'")
    return {str(row["Variable_name"]): str(row["Value"]) for row in rows}


def removed(version: ServerVersion, lines: Mapping[str, str], runs: Mapping[str, str]) -> set[str]:
    """The lines that the rule takes out of this file."""
    variables = {name: value for name, value in runs.items() if name in SETTINGS}
    origin = {name: "/etc/my.cnf" for name in variables if name in lines}
    case = build({"version": version.text, "variables": variables, "origin": origin})
    found = judge_by(RULES["lines.default"], FactSource(case))
    assert isinstance(found, Recommendation)
    return {step.name for step in found.steps if isinstance(step, RemoveLine)}


def another_value(server: ServerBuild, over: Mapping[str, str | None], file: Path) -> list[str]:
    """What a server runs with otherwise once the idle lines of its file are gone."""
    laid: dict[str, str | None] = {**defaults(server.version), **over}
    lines = {name: value for name, value in laid.items() if value is not None}
    runs = starts_with(server, lines, file)
    idle = removed(server.version, lines, runs)
    assert len(idle) > 30
    left = {name: value for name, value in lines.items() if name not in idle}
    then = starts_with(server, left, file)
    return [
        f"{name} is {then.get(name)} and was {value}"
        for name, value in runs.items()
        if then.get(name) != value and (name == RESIZED or _is_setting(name))
    ]


def _is_setting(name: str) -> bool:
    # Each start has a directory of its own.
    return name in SETTINGS and SHEETS[name].kind is not ValueKind.PATH


def test_without_its_idle_lines_a_server_starts_with_the_same_values(
    server: ServerBuild, tmp_path: Path
) -> None:
    for which, over in OF_ANOTHER.items():
        known = {name: over[name] for name in over if span(server.version, name) is not None}
        if known or not over:
            assert another_value(server, known, tmp_path / "my.cnf") == [], which
