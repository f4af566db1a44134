"""The script that collects: one text of POSIX shell, or of SQL for who has an account alone."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from importlib import resources

from probes.collection.patterns import awk_list
from probes.collection.questions import ASKED

FORMAT = 1
"""Of the archive; a later form has a higher number."""

DEFAULT_S = 30
_COLUMNS = 136
_BLANK = "\0"
"""Stands for a blank within quotes, where no line may end."""


def shell_script(version: str, seconds: int = DEFAULT_S) -> str:
    """The shell script, as Leadline ``version`` writes it; ``seconds`` is how long it watches."""
    parts = {
        "version": version,
        "seconds": str(seconds),
        "format": str(FORMAT),
        "list": "\n".join(awk_list()),
        "awk": template("hide.awk").rstrip("\n"),
        "sql": "\n".join(_sections()),
    }
    return filled(template("collect.sh"), parts)


def _sections() -> list[str]:
    lines = []
    for name, questions in ASKED.items():
        lines += wrapped(f"{name} " + " ".join(f"{question};" for question in questions))
    return lines


def wrapped(statements: str) -> list[str]:
    """Statements on readable lines; none ends within quotes."""
    parts = statements.split("'")
    parts[1::2] = [part.replace(" ", _BLANK) for part in parts[1::2]]
    lines = textwrap.wrap(
        "'".join(parts),
        _COLUMNS,
        break_long_words=False,
        break_on_hyphens=False,
        subsequent_indent="    ",
    )
    return [line.replace(_BLANK, " ") for line in lines]


def filled(text: str, parts: Mapping[str, str]) -> str:
    """A template's text with each of its marks, ``{{name}}``, as ``parts`` has it."""
    for name, part in parts.items():
        text = text.replace("{{" + name + "}}", part)
    return text


def template(name: str) -> str:
    """A text that ships, with marks where the rest is filled in."""
    return (resources.files("resources") / "collect" / name).read_text(encoding="utf-8")
