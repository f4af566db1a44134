"""MySQLTuner's advice as lines of an option file, where the script is installed.

``mysqltuner`` or ``mysqltuner.pl`` on the path, or what ``MYSQLTUNER`` names. Of its section
"Variables to adjust" the lines with a value, or with the least one, are taken, as somebody would
who follows it. What asks for more than a value without saying how much more is left out.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

_SECTION = "Variables to adjust:"

_LINE = re.compile(
    r"^\s*(?P<name>[a-z][a-z0-9_-]+)\s*(?:should be\s*)?"
    r"(?:\(\s*>?=\s*|=\s*)(?P<value>\d+(?:\.\d+)?\s*[KMGT]?\b|[A-Za-z][A-Za-z-]+)"
)
"""``innodb_buffer_pool_size (>= 1.0G) if possible.``, ``performance_schema=ON``,
``innodb_log_file_size should be (=256M) if possible, ...``."""

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def script() -> str | None:
    """Where the script is; None where it is not at hand.

    Ends this program where ``MYSQLTUNER`` names what can't be started: without it a page would say
    that there was none.
    """
    named = os.environ.get("MYSQLTUNER", "")
    if named and shutil.which(named) is None:
        sys.exit(f"MYSQLTUNER names {named}, which can't be started. Make it executable.")
    return shutil.which(named or "mysqltuner") or shutil.which("mysqltuner.pl")


def advised_lines(socket: str) -> list[str] | None:
    """What it advises on the server behind ``socket`` now; None where it has no end.

    Older ones divide by zero on servers that are newer than they are.
    """
    path = script()
    if path is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        # With its own --socket it gives a port, too, and MariaDB's clients then connect by TCP.
        file = Path(folder) / "client.cnf"
        file.write_text(f"[client]\nsocket={socket}\nuser=root\n")
        argv = [path, "--defaults-file", str(file), "--skippassword"]
        argv += ["--nocolor", "--nogood", "--noinfo"]
        argv += ["--forcemem", str(_memory_mib()), "--forceswap", "0"]
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
    if done.returncode or _SECTION not in done.stdout:
        print(f"{path} came to no advice: {done.stderr[-300:]}", file=sys.stderr)
        return None
    return list(lines_of(done.stdout))


def lines_of(said: str) -> Iterator[str]:
    """The lines for an option file in what it said."""
    _, found, section = said.partition(_SECTION)
    if not found:
        return
    for line in section.splitlines():
        match = _LINE.match(line)
        if match is not None:
            yield f"{match['name']} = {_plain(match['value'].replace(' ', ''))}"


def _plain(value: str) -> str:
    """Bytes for a size with a fraction, which no server takes: ``1.5G``."""
    if not value[0].isdigit() or "." not in value:
        return value
    unit = value[-1] if value[-1] in _UNITS else ""
    return str(round(float(value.removesuffix(unit)) * _UNITS[unit]))


def _memory_mib() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
