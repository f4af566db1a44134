"""A program at a terminal of its own: what is typed at it, and what it shows."""

from __future__ import annotations

import os
import pty
import sys
import time
from collections.abc import Callable, Mapping, Sequence

from tests.app.cli.conftest import ROOT
from tests.waiting import HANG_S


def at_terminal(
    args: list[str],
    *,
    until: str = "",
    answer: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> str:
    """All that Python shows when run with ``args``; once it shows ``until``, type ``answer``."""
    answers = [(until, answer)] if answer else []
    return dialogue(args, answers, environment=environment)


def dialogue(
    args: list[str],
    answers: Sequence[tuple[str, bytes]],
    *,
    environment: Mapping[str, str] | None = None,
    seconds: float = HANG_S,
    started: Callable[[int], object] = lambda _child: None,
) -> str:
    """All that Python shows; each answer is typed once its question is shown, in their order.

    ``started`` gets the program's process id.
    """
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(ROOT)
        os.execve(
            sys.executable,
            [sys.executable, *args],
            {**os.environ, "TERM": "xterm-256color", **(environment or {})},
        )
    started(child)
    shown = b""
    left = list(answers)
    asked_after = 0
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # Linux says so when the other end has closed
            break
        if not part:
            break
        shown += part
        while left and (at := shown.find(left[0][0].encode(), asked_after)) >= 0:
            asked_after = at + len(left[0][0].encode())
            os.write(terminal, left.pop(0)[1])
    os.close(terminal)
    os.waitpid(child, 0)
    return shown.decode()
