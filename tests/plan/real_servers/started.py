"""Real servers for tests of plans: started with an option file, asked, told, asked again."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advisor.case import Case
from advisor.plan.change_plan import ChangePlan, Group
from advisor.plan.target import same
from advisor.plan.writing import RESIZED
from tests.rules.casework import build
from tests.servers.eleven import RunningServer, ServerBuild
from tests.waiting import HANG_S


@dataclass(frozen=True)
class Bootable:
    """A server that is started again and again on one data directory."""

    build: ServerBuild
    directory: Path

    @contextmanager
    def start(self, cnf: str = "") -> Iterator[RunningServer]:
        """Run it with small settings and, after them, the lines of ``cnf``."""
        file = self.directory / "my.cnf"
        file.write_text(f"[mysqld]\ninnodb_buffer_pool_size = 64M\n\n{cnf}", encoding="utf-8")
        (self.directory / "log").unlink(missing_ok=True)
        with self.build.start_in(self.directory, cnf_path=file) as server:
            yield server


def case_of(server: RunningServer, drive: Mapping[str, Any]) -> Case:
    """The running server's own settings on a drive."""
    variables = server.variables()
    return build(
        {
            "version": variables["version"],
            "variables": variables,
            "host": {"cpus": 8, "memory_gib": 1, "kernel": "6.8.0"},
            "drive": {"filesystem": "ext4"},
            **drive,
        }
    )


def run(server: RunningServer, text: str) -> None:
    """Run an export as a person would; raises when the server refuses a statement."""
    for line in text.splitlines():
        if line and not line.startswith("--"):
            _answered(server, line.partition(" -- ")[0])


def _answered(server: RunningServer, statement: str) -> None:
    """The one statement that is to be asked again is asked until the answer is the right one."""
    deadline = time.monotonic() + HANG_S
    while rows := server.sql(statement):
        said = str(rows[0].get("Value", ""))
        if not statement.startswith("SHOW ") or re.match(RESIZED, said):
            return
        assert time.monotonic() < deadline, f"still {said}"
        time.sleep(0.1)


def reads_back(server: RunningServer, wanted: Mapping[str, str]) -> None:
    """Each variable shows what the plan says; a resize of the buffer pool may take a moment."""
    deadline = time.monotonic() + HANG_S
    while True:
        shown = server.variables()
        wrong = {
            name: (shown.get(name), value)
            for name, value in wanted.items()
            if not same(shown.get(name, ""), value)
        }
        if not wrong or time.monotonic() > deadline:
            assert not wrong, f"what it shows, and what the plan says: {wrong}"
            return
        time.sleep(0.1)


def planned(plan: ChangePlan, *groups: Group) -> dict[str, str]:
    """What the plan says that the server will show."""
    return {step.name: action.shows for action, step in plan.settings(*groups)}


def before(plan: ChangePlan, *groups: Group) -> dict[str, str]:
    """What the server showed before."""
    return {step.name: step.standing.value for _, step in plan.settings(*groups)}
