"""The built agent, spoken to directly: a plan in, events out."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from probes.targets.agent_file import AGENT, program_file, program_name
from tests.waiting import HANG_S

Event = dict[str, Any]


class Agent:
    """A running agent."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def until(self, *kinds: str) -> list[Event]:
        """All events up to the first of these kinds, or to the end."""
        assert self._process.stdout is not None
        seen = []
        for line in self._process.stdout:
            seen.append(json.loads(line))
            if seen[-1]["event"] in kinds:
                break
        return seen

    def ended(self) -> int:
        """Waits for its exit status."""
        return self._process.wait(HANG_S)


@contextmanager
def agent(plan: dict[str, object]) -> Iterator[Agent]:
    """Start an agent on ``plan``; ends it."""
    uname = os.uname()
    with program_file(
        program_name(AGENT, f"{uname.sysname} {uname.machine}", "this computer")
    ) as program:
        process = subprocess.Popen(
            [program, "probe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        with process:
            assert process.stdin is not None
            try:
                process.stdin.write(json.dumps({"protocol": 2, **plan}).encode() + b"\n")
                process.stdin.flush()
                yield Agent(process)
            finally:
                process.kill()
