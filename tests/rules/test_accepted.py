"""What rules on threads, temporary tables, files, memory, redo and doublewrite propose is accepted.

Each firing case is judged again as if on the server that runs; its SQL and its line in the option
file are given to that server, and every value is read back. What a case sets that this server lacks
is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from advisor.outcomes import Needs, Recommendation
from advisor.plan.steps import SetVariable
from advisor.plan.writing import cnf_line
from advisor.rules.engine import judge_by
from advisor.rules.facts import FactSource
from advisor.rules.registry import all_rules
from probes.version import Flavour, ServerVersion
from tests.rules.casework import build
from tests.rules.test_rules import cases_of
from tests.servers.eleven import RunningServer, ServerBuild, chosen

AT_LEAST = "open_files_limit"
"""What the system grants beyond the wish, the server keeps."""

FAMILIES = (
    "checksums.",
    "doublewrite.",
    "durability.",
    "files.",
    "memory-limits.",
    "redo.",
    "temp.",
    "threads.",
)

REDO_SIZES = {"innodb_redo_log_capacity", "innodb_log_file_size"}
ROOM_BYTES = 1 << 30
"""A redo log takes its room on disk at once; a test has no use for a larger one."""


@pytest.fixture(scope="module", params=chosen(), ids=lambda build: build.name)
def server(request: pytest.FixtureRequest) -> ServerBuild:
    found: ServerBuild = request.param
    return found


def fired(version: ServerVersion) -> Iterator[Recommendation]:
    """Every outcome with something to do that the cases lead to on this version."""
    for rule in all_rules():
        if not rule.id.startswith(FAMILIES):
            continue
        for case in cases_of(rule):
            if ServerVersion.parse(case.get("version", "")).flavour is not version.flavour:
                continue
            here: dict[str, Any] = {"version": version.text}
            if version.before(Flavour.MYSQL, 8):
                here["origin"] = {}  # it does not tell who set a variable
            outcome = judge_by(rule, FactSource(build(case | here)))
            if isinstance(outcome, Recommendation) and outcome.steps and small(outcome):
                yield outcome


def small(outcome: Recommendation) -> bool:
    return all(
        int(value) <= ROOM_BYTES for name, value in settings(outcome).items() if name in REDO_SIZES
    )


def as_found(version: ServerVersion) -> list[str]:
    """Start options for what can be changed only where it is in use."""
    if version.is_mariadb:
        return ["--thread-handling=pool-of-threads"]
    return ["--query-cache-type=1"] if version.before(Flavour.MYSQL, 8) else []


def settings(outcome: Recommendation) -> dict[str, str]:
    return {step.name: step.value for step in outcome.steps if isinstance(step, SetVariable)}


def same(shown: str, wanted: str) -> bool:
    words = {"ON": "1", "OFF": "0"}
    shown, wanted = shown.upper(), wanted.upper()
    return words.get(shown, shown) == words.get(wanted, wanted)


def reads_back(running: RunningServer, wanted: dict[str, str]) -> None:
    shown = running.variables()
    wrong = {
        name: (shown[name], value)
        for name, value in wanted.items()
        if not taken(shown, name, value)
    }
    assert not wrong


def taken(shown: dict[str, str], name: str, value: str) -> bool:
    if name == AT_LEAST:
        return int(shown[name]) >= int(value)
    return same(shown[name], value)


def test_proposals_are_taken_while_the_server_runs(server: ServerBuild) -> None:
    online = [one for one in fired(server.version) if one.needs is Needs.DYNAMIC]
    assert online
    with server.start(as_found(server.version)) as running:
        known = running.variables()
        for outcome in online:
            if not settings(outcome).keys() <= known.keys():
                continue
            for statement in outcome.apply.sql.splitlines():
                running.sql(statement)
            reads_back(running, settings(outcome))


def test_proposals_are_taken_at_a_start(server: ServerBuild, tmp_path: Path) -> None:
    with server.start() as running:
        known = running.variables()
    lines: dict[str, str] = {}
    for outcome in fired(server.version):
        for name, value in settings(outcome).items():
            if name in known:
                lines.setdefault(name, value)
    assert len(lines) >= 5
    file = tmp_path / "my.cnf"
    text = "\n".join(cnf_line(name, value, server.version) for name, value in lines.items())
    file.write_text(f"[mysqld]\n{text}\n", encoding="utf-8")
    with server.start(cnf_path=file) as running:
        reads_back(running, lines)
