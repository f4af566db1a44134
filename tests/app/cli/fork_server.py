"""A process that has loaded Leadline and runs each command line it is given in a copy of itself.

Started by forked.py. A request is a line of JSON with four descriptors: standard input, output and
error, and where the exit status goes.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import sys
import termios
import threading
from contextlib import suppress
from typing import Any

import app.cli
import probes.targets.ssh.target  # noqa: F401, what most command lines load later
from advisor.rulekit.registry import all_rules
from app.__main__ import main
from app.cli.main import COMMANDS, cli
from tests import stores

_LONGEST = 1 << 16


def _load() -> None:
    """All that a command line imports sooner or later."""
    for module in pkgutil.walk_packages(app.cli.__path__, "app.cli."):
        importlib.import_module(module.name)
    for name in COMMANDS:
        assert cli.get_command(None, name) is not None  # type: ignore[arg-type]
    all_rules()
    stores.make_at_once()
    gc.collect()
    gc.freeze()


def serve(asked: socket.socket) -> None:
    """Start what is asked for until the other end closes; returns in every copy, too."""
    waking, woken = socket.socketpair()
    for end in (waking, woken):
        end.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(woken.fileno())
    listeners: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([asked, waking], [], [])
        if waking in ready:
            with suppress(BlockingIOError):
                waking.recv(_LONGEST)
            _report_ended(listeners)
        if asked in ready:
            given, descriptors = _request(asked)
            if not given:
                return
            child = os.fork()
            if child == 0:
                for end in (asked, waking, woken):
                    end.close()
                for listener in (*listeners.values(), descriptors[3]):
                    os.close(listener)
                _run(given, descriptors[:3])
                return
            for descriptor in descriptors[:3]:
                os.close(descriptor)
            listeners[child] = descriptors[3]
            asked.sendall(f"{child}\n".encode())


def _request(asked: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """What is to be run, and its descriptors; nothing at the end."""
    text, descriptors, _, _ = socket.recv_fds(asked, _LONGEST, 4)
    while text and not text.endswith(b"\n"):
        text += asked.recv(_LONGEST)
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
    return json.loads(text) if text else {}, descriptors


def _report_ended(listeners: dict[int, int]) -> None:
    for child in list(listeners):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            listener = listeners.pop(child)
            with suppress(BrokenPipeError):
                os.write(listener, str(os.waitstatus_to_exitcode(status)).encode())
            os.close(listener)


def _run(given: dict[str, Any], streams: list[int]) -> None:
    """Be the program that was asked for, with its own streams, environment and session."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    if given["terminal"]:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.umask(given["umask"])
    os.environ.clear()
    os.environ.update(given["environment"])
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", buffering=1 if buffered else -1)  # noqa: PTH123, SIM115
        for number, mode, buffered in (
            (0, "r", False),
            (1, "w", os.isatty(1)),
            (2, "w", True),
        )
    )
    sys.argv = ["leadline", *given["args"]]
    exec(given["before"], {})
    try:
        main()
    except SystemExit as end:
        if isinstance(end.code, int):
            _leave(end.code)
        raise


def _leave(code: int) -> None:
    """End as Python does, but for taking all modules apart: a copy would first be given them."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        return  # Python says that itself
    os._exit(code)


if __name__ == "__main__":
    _load()
    with socket.socket(fileno=int(sys.argv[1])) as requests:
        serve(requests)
