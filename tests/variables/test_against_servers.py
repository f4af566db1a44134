"""Real servers have what the catalogue says, and do with lines what it says."""

from __future__ import annotations

import os
from pathlib import Path

from advisor.variables.catalogue import MYSQL, fate, span
from advisor.variables.entry import Fate
from advisor.variables.sheets import SHEETS
from tests.servers.eleven import ALL, RunningServer, ServerBuild
from tests.variables.comparison import differences


def test_the_server_is_as_the_catalogue_says(server: RunningServer) -> None:
    assert server.version.is_known
    assert differences(server) == []


def names_with(build: ServerBuild, wanted: Fate) -> list[str]:
    return [name for name in SHEETS if fate(build.version, name) is wanted]


def line(build: ServerBuild, name: str) -> str:
    """A line with the setting's default, or with the last one that it had."""
    known = span(build.version, name)
    spans = (known,) if known is not None else reversed(SHEETS[name].spans)
    value = next((each.default for each in spans if each.default), "0")
    return f"{name} = {value}"


def test_lines_that_do_nothing_let_the_server_start(build: ServerBuild, tmp_path: Path) -> None:
    """All of them at once."""
    names = names_with(build, Fate.IGNORED) + names_with(build, Fate.DEPRECATED)
    option_file = tmp_path / "my.cnf"
    option_file.write_text("\n".join(["[mysqld]", *(line(build, name) for name in names)]) + "\n")
    with build.start(cnf_path=option_file) as running:
        shown = running.variables()
    missing = {name for name in names if span(build.version, name) is None}
    assert not missing & set(shown)


def test_lines_that_are_refused_end_the_start(build: ServerBuild, tmp_path: Path) -> None:
    """Each alone: every one where all servers are run and they need not start for it."""
    names = names_with(build, Fate.REFUSED)
    assert names
    started = []
    every = os.environ.get(ALL) and not build.version.before(MYSQL, 5, 5, 34)
    for name in names if every else names[::20]:
        option_file = tmp_path / "my.cnf"
        option_file.write_text(f"[mysqld]\n{line(build, name)}\n")
        why = build.refusal(option_file)
        if f"unknown variable '{name}" not in why:
            started.append(f"{name}: {why}")
    assert started == []
