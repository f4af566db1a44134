"""What rules propose for settings is accepted by the server that they propose it to.

Each firing case is judged again as if on the server that runs; its SQL and its line in the option
file are given to that server, and every value is read back. What a case sets that this server lacks
is left out.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from advisor.judging.engine import judge_by
from advisor.outcomes import Recommendation
from advisor.plan.target import same
from advisor.plan.writing import cnf_line
from advisor.rulekit.facts import FactSource
from advisor.rulekit.registry import all_rules
from advisor.steps import Needs, SetVariable
from advisor.workload.flushing.load import LOWEST
from probes.version import Flavour, ServerVersion
from tests.rules.casework import build
from tests.rules.test_rules import cases_of
from tests.servers.eleven import RunningServer, ServerBuild, chosen
from tests.waiting import HANG_S, wait_until

AT_LEAST = "open_files_limit"
"""What the system grants beyond the wish, the server keeps."""

FAMILIES = (
    "adaptive-hash.",
    "buffer-pool.",
    "change-buffer.",
    "checksums.",
    "doublewrite.",
    "durability.",
    "files.",
    "flushing.",
    "memory-limits.",
    "read-ahead.",
    "redo.",
    "temp.",
    "threads.",
)

CUT = {"innodb_buffer_pool_chunk_size"}
"""A start cuts it to what the pool's size and instances leave, which come from other cases here."""

SIZES = {
    "innodb_buffer_pool_size",
    "innodb_buffer_pool_size_max",
    "innodb_log_file_size",
    "innodb_redo_log_capacity",
}
ROOM_BYTES = 1 << 30
"""A redo log takes its room on disk at once, and a pool in memory: tests have no use for more."""


LIMIT, HIGHEST = "innodb_io_capacity_max", 100_000
PLAN = "innodb_io_capacity"


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
            if isinstance(outcome, Recommendation) and outcome.steps:
                yield fitting(outcome)


def fitting(outcome: Recommendation) -> Recommendation:
    """The same advice with sizes that there is room for."""
    text = outcome.apply.sql
    for name, value in settings(outcome).items():
        if name in SIZES and int(value) > ROOM_BYTES:
            text = text.replace(f"{name} = {value};", f"{name} = {ROOM_BYTES};")
    steps = tuple(held(step) if isinstance(step, SetVariable) else step for step in outcome.steps)
    return replace(outcome, apply=replace(outcome.apply, sql=text), steps=steps)


def held(step: SetVariable) -> SetVariable:
    if step.name not in SIZES or int(step.value) <= ROOM_BYTES:
        return step
    return replace(step, value=str(ROOM_BYTES))


def as_found(version: ServerVersion) -> list[str]:
    """Start options for what can be changed only where it is in use, or below a limit."""
    limits = [
        f"--loose-{LIMIT}={HIGHEST}",
        f"--loose-innodb-buffer-pool-size-max={ROOM_BYTES}",
    ]
    if version.is_mariadb:
        return [*limits, "--thread-handling=pool-of-threads"]
    return [*limits, *(["--query-cache-type=1"] if version.before(Flavour.MYSQL, 8) else [])]


def settings(outcome: Recommendation) -> dict[str, str]:
    return {step.name: step.value for step in outcome.steps if isinstance(step, SetVariable)}


def reads_back(running: RunningServer, wanted: dict[str, str]) -> None:
    """Each shows what was proposed; old MariaDB shows a resized pool once it is there."""
    deadline = time.monotonic() + HANG_S
    while wrong := differing(running.variables(), wanted):
        assert time.monotonic() < deadline, f"what it shows, and what was proposed: {wrong}"
        time.sleep(0.1)


def resized(running: RunningServer) -> None:
    """Wait for the end of a resize: until then the server takes no other one, without a word."""
    assert wait_until(lambda: not resizing(running)), "the pool is still being resized"


def resizing(running: RunningServer) -> bool:
    rows = running.sql("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_resize_status'")
    said = str(rows[0]["Value"]) if rows else ""
    return bool(said) and not said.startswith(("Completed", "Buffer pool size did not change"))


def differing(shown: dict[str, str], wanted: dict[str, str]) -> dict[str, tuple[str, str]]:
    return {
        name: (shown[name], value)
        for name, value in wanted.items()
        if not taken(shown, name, value)
    }


def taken(shown: dict[str, str], name: str, value: str) -> bool:
    if name == AT_LEAST:
        return int(shown[name]) >= int(value)
    return same(shown[name], value)


def test_proposals_are_taken_while_the_server_runs(server: ServerBuild) -> None:
    dynamic = (one for one in fired(server.version) if one.needs is Needs.DYNAMIC)
    # What a service's server is set to there is no statement for.
    online = {one.apply.sql: one for one in dynamic if one.apply.sql}
    assert len(online) > 20
    with server.start(as_found(server.version)) as running:
        known = running.variables()
        for outcome in online.values():
            if not settings(outcome).keys() <= known.keys():
                continue
            for statement in outcome.apply.sql.splitlines():
                running.sql(statement)
            reads_back(running, settings(outcome))
            resized(running)
            if settings(outcome).keys() & {LIMIT, PLAN}:
                # A lower limit cuts what the next case proposes for a server with a higher one, and
                # a higher plan lifts the limit that is proposed beside a lower one.
                for name, value in ((LIMIT, HIGHEST), (PLAN, LOWEST)):
                    if name in known:
                        running.sql(f"SET GLOBAL {name} = {value}")


def test_proposals_are_taken_at_a_start(server: ServerBuild, tmp_path: Path) -> None:
    with server.start() as running:
        known = running.variables()
    lines: dict[str, str] = {}
    for outcome in fired(server.version):
        for name, value in settings(outcome).items():
            if name in known and name not in CUT:
                lines.setdefault(name, value)
    assert len(lines) >= 5
    file = tmp_path / "my.cnf"
    text = "\n".join(cnf_line(name, value, server.version) for name, value in lines.items())
    file.write_text(f"[mysqld]\n{text}\n", encoding="utf-8")
    with server.start(cnf_path=file) as running:
        reads_back(running, lines)
