"""Runs a program and tells what processor time it took."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


class BenchmarkError(Exception):
    """A program that is compared with failed; the message says which and how."""


@dataclass(frozen=True)
class Finished:
    """What a program wrote, its processor time in seconds, and its memory at its largest."""

    output: str
    user_s: float
    system_s: float
    resident_bytes: int


def run(
    arguments: list[str],
    *,
    stdin: str = "",
    cwd: Path | None = None,
    watch: Callable[[int], None] = lambda _pid: None,
) -> Finished:
    """Run to the end. ``stdin`` is sent and then held open: the agent ends when it closes.

    ``watch`` is called with the process's number once it runs. Raises BenchmarkError.
    """
    with (
        tempfile.TemporaryFile("w+") as output,
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=output, stderr=errors, cwd=cwd, text=True
        ) as child,
    ):
        assert child.stdin is not None
        child.stdin.write(stdin)
        child.stdin.flush()
        watch(child.pid)
        # wait4 tells this child's own usage, where getrusage would add up all of them.
        _, ended, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(ended)
        output.seek(0)
        errors.seek(0)
        text, complaint = output.read(), errors.read()
    if child.returncode != 0:
        raise BenchmarkError(
            f"{arguments[0]} ended with {child.returncode}: {complaint or text[-500:]}"
        )
    return Finished(text, usage.ru_utime, usage.ru_stime, usage.ru_maxrss * 1024)
