"""What a sandbox may leave behind: processes and files."""

import time
from pathlib import Path

MIB = 1 << 20


def commands_with(text):
    """The command lines of all processes in which ``text`` stands, by process id."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            command = (folder / "cmdline").read_bytes().decode("utf-8", "replace")
        except OSError:
            continue
        if text in command:
            found[int(folder.name)] = command.split("\0")
    return found


def wait_until(condition, seconds=15.0):
    """Give a condition time to come true; whether it did."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())
