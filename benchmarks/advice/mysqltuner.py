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


def advised_lines(socket: str) -> list[str] | None:
    """What it advises on the server behind ``socket`` now; None where it is not there, or fails.

    Older ones divide by zero on servers that are newer than they are. Ends this program where
    ``MYSQLTUNER`` names what can't be started: a page would say that there was none.
    """
    named = os.environ.get("MYSQLTUNER", "")
    if named and shutil.which(named) is None:
        sys.exit(f"MYSQLTUNER names {named}, which can't be started. Make it executable.")
    path = shutil.which(named or "mysqltuner") or shutil.which("mysqltuner.pl")
    if path is None:
        return None
    memory_mib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    with tempfile.TemporaryDirectory() as folder:
        # With its own --socket it gives a port, too, and MariaDB's clients then connect by TCP.
        file = Path(folder) / "client.cnf"
        file.write_text(f"[client]\nsocket={socket}\nuser=root\n")
        argv = [path, "--defaults-file", str(file), "--skippassword", "--nocolor", "--nogood"]
        argv += ["--noinfo", "--forcemem", str(memory_mib), "--forceswap", "0"]
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
    if done.returncode or _SECTION not in done.stdout:
        print(f"{path} came to no advice: {done.stderr[-300:]}", file=sys.stderr)
        return None
    return list(_lines(done.stdout.partition(_SECTION)[2]))


def _lines(section: str) -> Iterator[str]:
    for match in filter(None, map(_LINE.match, section.splitlines())):
        value = match["value"].replace(" ", "")
        if value[0].isdigit() and "." in value:  # no server takes 1.5G
            unit = value[-1] if value[-1] in _UNITS else ""
            value = str(round(float(value.removesuffix(unit)) * _UNITS[unit]))
        yield f"{match['name']} = {value}"
