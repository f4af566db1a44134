"""What a sandbox may leave behind: processes and files."""

from pathlib import Path

MIB = 1 << 20


def commands_with(text: str) -> dict[int, list[str]]:
    """The command lines of all processes in which ``text`` stands, by process id."""
    found: dict[int, list[str]] = {}
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
