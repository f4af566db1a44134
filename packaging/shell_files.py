"""Writes what a shell finds of an installed Leadline: its man page and its completions.

All of it is made from the commands themselves: the page from their help, the completions by click.
Usage: shell_files.py FOLDER, where FOLDER is the ``share`` of an installation.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from app.cli.main import cli  # noqa: E402
from probes._version import __version__  # noqa: E402

NAME = "leadline"
MAN = "man/man1/leadline.1"
COMPLETIONS: dict[str, type[ShellComplete]] = {
    "bash-completion/completions/leadline": BashComplete,
    "zsh/site-functions/_leadline": ZshComplete,
    "fish/vendor_completions.d/leadline.fish": FishComplete,
}
"""Where each shell looks below ``share``, and who writes it."""

ENVIRONMENT = {
    "LEADLINE_HOME": "The directory of the database and its logs.",
    "LEADLINE_MYSQL_PASSWORD": "The MySQL password; otherwise it is asked for, or found in the "
    "system's keyring or an option file.",
    "LEADLINE_STOP_SECONDS": "How long Ctrl-C waits for an orderly end; 0.75 unless given.",
}
_CODE = re.compile(r"`([^`]+)`")
_VERBATIM = "\b"
"""Begins a paragraph that click does not wrap."""


def write(share: Path) -> list[str]:
    """Write all files below ``share``; their names relative to it."""
    texts = {MAN: man_page()}
    for name, shell in COMPLETIONS.items():
        # The base's: bash's own looks first which bash builds this.
        texts[name] = ShellComplete.source(shell(cli, {}, NAME, "_LEADLINE_COMPLETE"))
    for name, text in texts.items():
        (share / name).parent.mkdir(parents=True, exist_ok=True)
        (share / name).write_text(text, encoding="utf-8")
    return list(texts)


def man_page() -> str:
    """The page leadline(1), with every command."""
    top = click.Context(cli, info_name=NAME, **cli.context_settings)
    first, _, rest = (cli.help or "").partition("\n\n")
    exits = (cli.epilog or "").removeprefix("Exit codes: ")
    lines = [
        f'.TH LEADLINE 1 "" "Leadline {__version__}" "User Commands"',
        *(".nh", ".ad l", ".SH NAME"),
        rf"{NAME} \- {escaped(first.rstrip('.').replace(chr(10), ' '))}",
        *(".SH SYNOPSIS", usage(top)),
        *(".SH DESCRIPTION", *prose(rest)),
        *(".SH OPTIONS", *options(top)),
        ".SH COMMANDS",
    ]
    for context in commands(top):
        lines += [f".SS {NAME} {escaped(path(context))}", usage(context)]
        lines += [*prose(context.command.help or ""), *options(context)]
    lines += [".SH EXIT STATUS", *prose(exits), ".SH ENVIRONMENT"]
    for name, meaning in ENVIRONMENT.items():
        lines += [".TP", f".B {name}", escaped(meaning)]
    return "\n".join(line for line in lines if line) + "\n"


def commands(above: click.Context) -> Iterator[click.Context]:
    """Each command below, those of a group after it, in the order of the help."""
    group = above.command
    if not isinstance(group, click.Group):
        return
    for name in group.list_commands(above):
        command = group.get_command(above, name)
        if command is not None and not command.hidden:
            context = click.Context(command, parent=above, info_name=name)
            yield context
            yield from commands(context)


def path(context: click.Context) -> str:
    """A command's words without the program's name, as ``runs show``."""
    return context.command_path.removeprefix(NAME).strip()


def usage(context: click.Context) -> str:
    """The line that shows how a command is called."""
    pieces = " ".join(context.command.collect_usage_pieces(context))
    return rf"\fB{escaped(f'{NAME} {path(context)}'.strip())}\fR {escaped(pieces)}"


def options(context: click.Context) -> Iterator[str]:
    """Each option with its meaning."""
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            names, meaning = record
            # An argument is explained by the command's text.
            if not meaning:
                continue
            yield from (".TP", rf"\fB{escaped(names)}\fR", *marked(meaning))


def prose(text: str) -> Iterator[str]:
    """Paragraphs of a help text; what click does not wrap stays as it is."""
    for paragraph in filter(None, re.split(r"\n\s*\n", text.partition("\f")[0].strip())):
        if paragraph.startswith(_VERBATIM):
            rows = paragraph.removeprefix(_VERBATIM).strip("\n").split("\n")
            yield from (".PP", ".nf", *map(escaped, rows), ".fi")
        else:
            yield from (".PP", *marked(paragraph))


def marked(text: str) -> Sequence[str]:
    """Wrapped text, what is quoted as code in bold."""
    flowing = escaped(" ".join(text.split()))
    return [_CODE.sub(r"\\fB\1\\fR", flowing)]


def escaped(text: str) -> str:
    """A line of text that roff prints as it is: no command, and dashes that can be copied."""
    plain = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{plain}" if plain.startswith((".", "'")) else plain


if __name__ == "__main__":
    for written in write(Path(sys.argv[1])):
        print(written)
