"""Command lines at the price of one start: each runs in a copy of a process that has loaded all."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from tests.app.cli.conftest import ROOT, Done

_PROGRAM = """
import importlib, json, os, pkgutil, sys
import app.cli
from app.__main__ import main
from advisor.rulekit.registry import all_rules

for module in pkgutil.iter_modules(app.cli.__path__, "app.cli."):
    importlib.import_module(module.name)
all_rules()
for line in sys.stdin:
    given = json.loads(line)
    child = os.fork()
    if child == 0:
        os.umask(given["umask"])
        for number, path in enumerate((os.devnull, given["stdout"], given["stderr"])):
            opened = os.open(path, os.O_RDWR)
            os.dup2(opened, number)
            os.close(opened)
        sys.argv = ["leadline", *given["args"]]
        main()
        sys.exit()
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), flush=True)
"""


class Forked(Protocol):
    """Runs one command line to its end."""

    def __call__(self, *args: str, umask: int = 0o022) -> Done: ...


@contextmanager
def forked(prefix: Sequence[str] = ()) -> Iterator[Forked]:
    """A process, started by ``prefix`` where given, that runs each command line in a copy."""
    started = subprocess.Popen(
        [*prefix, sys.executable, "-c", _PROGRAM],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with started as process, tempfile.TemporaryDirectory() as folder:
        asked, told = process.stdin, process.stdout
        assert asked is not None
        assert told is not None
        out, err = Path(folder) / "out", Path(folder) / "err"

        def run(*args: str, umask: int = 0o022) -> Done:
            out.write_bytes(b"")
            err.write_bytes(b"")
            given = {"args": args, "umask": umask, "stdout": str(out), "stderr": str(err)}
            asked.write(json.dumps(given) + "\n")
            asked.flush()
            code = int(told.readline())
            return Done(code, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8"))

        yield run
