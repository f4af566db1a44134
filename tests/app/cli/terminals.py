"""A program at a terminal of its own: what is typed at it, and what it shows."""

from __future__ import annotations

import os
import pty
import select
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from tests.app.cli.forked import Running, fork_server
from tests.waiting import HANG_S

CTRL_C, ECHO = b"\x03", b"^C"
"""What is typed, and what the terminal itself shows of it."""
PATIENCE_S = 2.0
"""A program that shows nothing for so long after Ctrl-C gets another one, as a person would do it.

One that arrives between a question and the system call that waits for its answer does not end that
call: Python runs a signal's handler only once the call returns.
"""


def at_terminal(
    args: list[str],
    *,
    until: str = "",
    answer: bytes = b"",
    environment: Mapping[str, str] | None = None,
    before: str = "",
) -> str:
    """All that a command line shows; once it shows ``until``, type ``answer``."""
    answers = [(until, answer)] if answer else []
    return dialogue(args, answers, environment=environment, before=before)


def dialogue(
    args: list[str],
    answers: Sequence[tuple[str, bytes]],
    *,
    environment: Mapping[str, str] | None = None,
    seconds: float = HANG_S,
    started: Callable[[int], object] = lambda _child: None,
    before: str = "",
) -> str:
    """All that it shows; each answer is typed once its question is shown, in their order.

    ``started`` gets the program's process id. ``before``: see ``ForkServer.start``.
    """
    at = {"TERM": "xterm-256color", **(environment or {})}
    with terminal_of(args, at, before=before) as (program, terminal):
        started(program.pid)
        return _talk(program, terminal, answers, seconds)


def _talk(
    program: Running, terminal: int, answers: Sequence[tuple[str, bytes]], seconds: float
) -> str:
    shown = typed = b""
    left = list(answers)
    asked_after = 0
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if not select.select([terminal], [], [], PATIENCE_S)[0]:
            if typed == CTRL_C:
                os.write(terminal, typed)
            continue
        try:
            part = os.read(terminal, 4096)
        except OSError:  # Linux says so when the other end has closed
            break
        if not part:
            break
        shown += part
        if part.strip() != ECHO:
            typed = b""
        while left and (at := shown.find(left[0][0].encode(), asked_after)) >= 0:
            asked_after = at + len(left[0][0].encode())
            typed = left.pop(0)[1]
            os.write(terminal, typed)
    program.wait()
    return shown.decode()


@contextmanager
def terminal_of(
    args: Sequence[str], environment: Mapping[str, str], *, before: str = ""
) -> Iterator[tuple[Running, int]]:
    """A command line at a terminal of its own, and the other end of that."""
    ours, theirs = pty.openpty()
    try:
        program = fork_server().start_on(
            (theirs, theirs, theirs), args, environment=environment, before=before, terminal=True
        )
    finally:
        os.close(theirs)
    try:
        yield program, ours
    finally:
        os.close(ours)
        program.wait()
