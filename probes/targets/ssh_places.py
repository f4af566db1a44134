"""Where OpenSSH keeps its files, and how it writes paths, by system."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

USER_FILE = "~/.ssh/config"


def system_folder() -> Path:
    """The folder of the system's configuration and known hosts."""
    if sys.platform == "win32":
        return Path(os.environ.get("PROGRAMDATA", "C:/ProgramData")) / "ssh"
    return Path("/etc/ssh")


def words(text: str) -> list[str]:
    """The words of a setting that holds several; quotes keep spaces together.

    A backslash begins an escape, but not on Windows, where it parts the folders of a path.
    """
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    if sys.platform == "win32":
        lexer.escape = ""
    return list(lexer)
