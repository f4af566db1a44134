"""A program at a terminal of its own: what is typed at it, and what it shows."""

from __future__ import annotations

import os
import pty
import sys
import time
from collections.abc import Mapping

from tests.app.cli.conftest import ROOT


def at_terminal(
    args: list[str],
    *,
    until: str = "",
    answer: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> str:
    """All that Python shows when run with ``args``; once it shows ``until``, type ``answer``."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(ROOT)
        os.execve(
            sys.executable,
            [sys.executable, *args],
            {**os.environ, "TERM": "xterm-256color", **(environment or {})},
        )
    shown = b""
    answered = not answer
    ends = time.monotonic() + 30
    while time.monotonic() < ends:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # Linux says so when the other end has closed
            break
        if not part:
            break
        shown += part
        if not answered and until.encode() in shown:
            os.write(terminal, answer)
            answered = True
    os.close(terminal)
    os.waitpid(child, 0)
    return shown.decode()
