"""What the window shows names its own fields, buttons and menus, and no command or option."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from app.cli.main import COMMANDS, cli
from app.presenters.texts.window_words import in_window

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ("probes", "advisor")
ELSEWHERE = (
    # The command line's own pages, and documents that a client or a repository gets.
    "advisor/report/",
    "advisor/rulebook/",
    "advisor/fleet/",
)
COMMAND = re.compile(rf"(?<![\w`“'-])`?leadline (?:{'|'.join(COMMANDS)})\b")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*(?![\w=-])")

ALONE = {
    "variables": "the window has no list of settings",
    "probe storage --buffers": "the window measures into the pages of memory that the server has",
    "collect": "names the program that wrote an archive",
}
"""Commands that the window has nothing for: it says that they are for a terminal."""

LEFT = {
    # The window asks labs by a question's name: it varies nothing else, and works on no data of
    # its user's.
    "Give two values, as in --vary": "what varies is named on a command line alone",
    "or use --data-from.": "a running server is cloned from a command line alone",
    "Name the running server's own program with --server.": "as the one above",
    "Look rows up instead: --load": "data of one's own are named on a command line alone",
    # What is run as it stands.
    'for name in "$@"': "a script that runs on the target",
    "az mysql flexible-server": "lines that are copied",
    # What other programs have an option for, which Leadline has under the same name.
    "Import the file that --output names": "fio's",
    # Lines that are copied, and the remarks in them.
    "Changes of the machine are made on its host: --shell": "comes with lines that are copied",
    "as --container gives them": "stands in reports",
}
"""Beginnings of sentences that keep what they have, each with the reason."""


def options_of(command: click.Command, context: click.Context) -> Iterator[str]:
    """Every option of a command and of those below it."""
    for each in command.params:
        yield from (name for name in (*each.opts, *each.secondary_opts) if name.startswith("--"))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from options_of(below, context)


@cache
def known_options() -> frozenset[str]:
    """Leadline's own; other programs' are named wherever those are spoken of."""
    return frozenset(options_of(cli, click.Context(cli)))


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Every string of a module that is no docstring, an f-string's figures as 8."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    apart = {
        id(each)
        for node in ast.walk(tree)
        for each in (
            (node.value,)
            if isinstance(node, ast.Expr)
            else node.values
            if isinstance(node, ast.JoinedStr)
            else ()
        )
    }
    for node in ast.walk(tree):
        match node:
            case ast.JoinedStr(values=parts):
                yield (
                    node.lineno,
                    "".join(
                        str(part.value) if isinstance(part, ast.Constant) else "8" for part in parts
                    ),
                )
            case ast.Constant(value=str(text)) if id(node) not in apart:
                yield node.lineno, text


def is_spoken(text: str) -> bool:
    """Whether it is a sentence or a part of one, and no argument of a program."""
    return " " in text.strip() and bool(re.search(r"[a-z]{2,} [a-z]|^leadline |`", text))


def of_a_terminal(text: str) -> set[str]:
    """Leadline's own commands and options in a text, but for the commands that are ``ALONE``."""
    text = re.sub(rf"“leadline (?:{'|'.join(ALONE)})\b[^”]*”", "", text)
    options = set(OPTION.findall(text)) & known_options()
    return options | set(COMMAND.findall(text))


def pages() -> Iterator[tuple[str, str]]:
    """The rules' pages, which the window shows beside their advice."""
    for path in sorted((ROOT / "advisor" / "rules").rglob("*.py")):
        page = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        yield str(path.relative_to(ROOT)), page


@cache
def sentences() -> tuple[tuple[str, str], ...]:
    """What probes and rules say, with its place."""
    return tuple(_sentences())


def _sentences() -> Iterator[tuple[str, str]]:
    for path in sorted(path for floor in FLOORS for path in (ROOT / floor).rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        if not place.startswith(ELSEWHERE):
            yield from ((f"{place}:{line}", text) for line, text in texts(path) if is_spoken(text))
    yield from pages()


def test_nothing_that_the_window_shows_is_typed_in_a_terminal() -> None:
    left = {
        place: in_window(text)
        for place, text in sentences()
        if of_a_terminal(in_window(text)) and not any(part in text for part in LEFT)
    }
    assert not left, "\n".join(f"{a} {b}" for a, b in left.items())


def test_the_windows_own_texts_name_none() -> None:
    found = {
        f"{path.relative_to(ROOT).as_posix()}:{line}": text
        for folder in ("controllers", "presenters", "views", "window")
        for path in (ROOT / "app" / folder).rglob("*.py")
        if not path.name.startswith("window_")
        for line, text in texts(path)
        if is_spoken(text) and of_a_terminal(text)
    }
    # Where there is no screen it is printed.
    assert [place.partition(":")[0] for place in found] == ["app/window/application.py"], found


def test_what_is_left_is_written_somewhere() -> None:
    written = [text for _place, text in sentences()]
    written += [
        text for path in (ROOT / "advisor/report").rglob("*.py") for _at, text in texts(path)
    ]
    assert not [part for part in LEFT if not any(part in text for text in written)]


@cache
def captions() -> frozenset[str]:
    """What stands on the window's fields, buttons, tabs and menus."""
    written = (
        text
        for folder in ("window", "views", "presenters", "fields")
        for path in (ROOT / "app" / folder).rglob("*.py")
        if not path.name.startswith("window_")
        for _line, text in texts(path)
    )
    preset = (text for _line, text in texts(ROOT / "advisor" / "lab" / "presets.py"))
    return frozenset(text.replace("&", "") for text in (*written, *preset))


def test_every_name_in_quotation_marks_stands_in_the_window() -> None:
    quoted = {
        name
        for _place, text in sentences()
        if of_a_terminal(text)
        for found in re.findall(r"“([^”]*)”", in_window(text))
        if not found.startswith("leadline ")
        for name in re.split(r" › |: (?=\w)", found)
    }
    assert len(quoted) > 20
    assert not {name for name in quoted - captions() if not name[:1].isdigit()}


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (
            "No MySQL server was named, and none was found in the usual places. Name one with "
            "--mysql.",
            "No MySQL server was named, and none was found in the usual places. Name one by “Add "
            "a server…”.",
        ),
        (
            "Name one with --mysql, or use --sandbox.",
            "Name one by “Add a server…”, or tick “Measure a throwaway MySQL server, too”.",
        ),
        (
            "Measure with the agent: --engine agent.",
            "Measure with the agent: “Engine: Leadline's own”.",
        ),
        ("Give --budget 2 min 5 s.", "Give 2 min 5 s as “Time at most”."),
        ("--worth goes from 0% to 100%.", "“Least gain” goes from 0% to 100%."),
        (
            "those of 16 KiB stand in. `leadline probe storage --block-sizes 8k` measures them.",
            "those of 16 KiB stand in. “Measure › Chosen probes › Storage” with 8 KiB among “Block "
            "sizes” measures them.",
        ),
        (
            "Measure it: leadline lab --ask page-size.",
            "Measure it: “Ask the lab…”, “Which page size brings most look-ups a second here?”.",
        ),
        (
            "Watch it while it works: `leadline watch TARGET`, or `leadline check TARGET`.",
            "Watch it while it works: “Watch the server”, or “Measure › Whole check”.",
        ),
        (
            "Measure again: leadline probe storage --probe random_write; the ratio is near 1.",
            "Measure again: “Measure › Chosen probes › Storage”; the ratio is near 1.",
        ),
        (
            "mysqld of the account mysql (--mysql 'socket=/run/my db.sock', port 3306)",
            "mysqld of the account mysql (socket /run/my db.sock, port 3306)",
        ),
        (
            "`leadline try --mend` looks, and sets it back.",
            "“Set it back” looks, and does so.",
        ),
    ],
)
def test_the_window_says_what_is_done_in_it(given: str, shown: str) -> None:
    assert in_window(given) == shown
    assert in_window(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "mysqld --print-defaults shows each name once.",
        "See which disk is gone: mdadm --detail of the array, and the kernel's log.",
        "Run it again once that is mended, with --output-format=json.",
        "sysbench --threads=8 --table-size=1000 run",
        "cp -a --reflink=never /a/. /b/",
        "Add it: pipx inject leadline typst, or pip install 'leadline[pdf]'.",
        "leadline watches nothing here.",
    ],
)
def test_what_other_programs_take_stays(text: str) -> None:
    assert in_window(text) == text
