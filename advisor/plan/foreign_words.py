"""A foreign word (a name, a path, a value that a machine or a server reported) in each language.

A function for each language that a plan writes: it gives the word as that language takes it, and
raises UnsayableError where the word would be more than a word there. Texts that nothing carries
out are escaped where they are written: Ansible's in ``export/ansible.py``, Markdown's in
``report/forms/markdown.py``, comments' in ``export/comments.py``.
"""

from __future__ import annotations

import re
import shlex

LONGEST_LINE_BYTES = 4094
"""Of an option file: MariaDB reads so much at once, and takes the rest for a new line."""

NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
SWITCHES = {"ON": "1", "OFF": "0"}
_BARE = re.compile(r"[A-Za-z0-9_./:,;=+-]*")
_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"})

_UDEV = re.compile(r"[A-Za-z0-9_.:@+-]+")
_SYSCTL = re.compile(r"[A-Za-z0-9_.-]+")
_TMPFILES = re.compile(r"[A-Za-z0-9_./:@+*-]+")
_FSTAB = re.compile(r"[A-Za-z0-9_.:=+-]+")


class UnsayableError(ValueError):
    """A word that a language can't say; its text follows the word: "holds a ~, which ..."."""


def udev(word: str) -> str:
    """A device's name within the quotes of a match: wildcards would match other devices."""
    return _of(_UDEV, word, "letters, figures and _.:@+-, all that a udev rule can match exactly")


def sysctl(word: str) -> str:
    """A kernel parameter's name or value, in a file and for ``sysctl -w``."""
    return _of(_SYSCTL, word, "letters, figures and _.-")


def tmpfiles(word: str) -> str:
    """A path or value in tmpfiles.d, where a blank ends it and % stands for something else."""
    return _of(_TMPFILES, word, "letters, figures and _./:@+*-")


def fstab(word: str) -> str:
    """One option of a mount."""
    return _of(_FSTAB, word, "letters, figures and _.:=+-")


def shell(word: str) -> str:
    """One argument of a command, by which no shell does anything else.

    What begins with a dash is named as such files are, so that it is no option of the command.
    """
    return shlex.quote(f"./{word}" if word.startswith("-") else word)


def sql(value: str) -> str:
    """A value: numbers and ON/OFF bare, all else in quotes that it can't close."""
    if NUMBER.fullmatch(value) or value.upper() in SWITCHES:
        return value
    inside = value.replace("\\", "\\\\").replace("'", "''")
    return f"'{inside}'"


def option_file(value: str) -> str:
    """A value on one line, in quotes of the kind that it does not hold: so servers read it."""
    if _BARE.fullmatch(value):
        return value
    inside = value.translate(_ESCAPES)
    mark = "'" if '"' in inside else '"'
    return f"{mark}{inside}{mark}"


def gcloud(value: str) -> str:
    """A flag's value between the ~ that part the flags."""
    if "~" in value:
        raise UnsayableError("holds a ~, which parts the flags")
    return _argument(value)


def az(value: str) -> str:
    """A parameter's value as an argument of az, which reads a file for one that begins with @."""
    return _argument(value)


def aws(value: str) -> str:
    """A parameter's value in a parameter group, where braces hold a formula."""
    if "{" in value or "}" in value:
        raise UnsayableError("holds braces, which make a formula of it")
    return _printable(value)


def _argument(value: str) -> str:
    if value.startswith("@"):
        raise UnsayableError("begins with @, which names a file")
    if value.startswith("-") and not NUMBER.fullmatch(value):
        raise UnsayableError("begins with a dash, as an option does")
    return _printable(value)


def _printable(word: str) -> str:
    if not word.isprintable():
        raise UnsayableError("holds characters that can't be shown")
    return word


def _of(allowed: re.Pattern[str], word: str, letters: str) -> str:
    if not allowed.fullmatch(word):
        raise UnsayableError(f"holds more than {letters}")
    return word
