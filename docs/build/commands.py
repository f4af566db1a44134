"""Man page, completions and the site's pages of the command line, made from the commands.

The text is their help; click writes the completions.
Usage: python -m docs.build.commands FOLDER, where FOLDER is the ``share`` of an installation.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from app.cli.main import COMMANDS, cli
from probes._version import __version__

NAME = "leadline"
MAN = "man/man1/leadline.1"
COMPLETIONS: dict[str, type[ShellComplete]] = {
    "bash-completion/completions/leadline": BashComplete,
    "zsh/site-functions/_leadline": ZshComplete,
    "fish/vendor_completions.d/leadline.fish": FishComplete,
}
"""Where each shell looks below ``share``, and who writes it."""

FOLDER = "reference/commands"
"""Where the site has its pages."""

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


def commands(above: click.Context) -> Iterator[click.Context]:
    """Each command below, those of a group after it, in the order of the help."""
    group = above.command
    if not isinstance(group, click.Group):
        return
    for name in group.list_commands(above):
        command = group.get_command(above, name)
        if command is not None and not command.hidden:
            context = click.Context(command, info_name=name, parent=above)
            yield context
            yield from commands(context)


def _top() -> click.Context:
    return click.Context(cli, info_name=NAME, **cli.context_settings)


def _exit_codes() -> str:
    return (cli.epilog or "").removeprefix("Exit codes: ")


def _usage(context: click.Context) -> str:
    """What follows a command's name."""
    return " ".join(context.command.collect_usage_pieces(context))


def _paragraphs(text: str) -> Iterator[tuple[bool, str]]:
    """Those of a help text, and whether each stays as it is; else it is one line."""
    for paragraph in filter(None, re.split(r"\n\s*\n", text.partition("\f")[0].strip())):
        verbatim = paragraph.startswith(_VERBATIM)
        kept = paragraph.removeprefix(_VERBATIM).strip("\n")
        yield verbatim, kept if verbatim else " ".join(paragraph.split())


def _options(context: click.Context) -> Iterator[tuple[str, str]]:
    """Each option with its meaning; an argument is explained by the command's text."""
    for parameter in context.command.get_params(context):
        names, meaning = parameter.get_help_record(context) or ("", "")
        if meaning:
            yield names, " ".join(meaning.split())


def man_page() -> str:
    """The page leadline(1), with every command."""
    top = _top()
    first, _, rest = (cli.help or "").partition("\n\n")
    lines = [
        f'.TH LEADLINE 1 "" "Leadline {__version__}" "User Commands"',
        *(".nh", ".ad l", ".SH NAME"),
        rf"{NAME} \- {escaped(first.rstrip('.').replace(chr(10), ' '))}",
        *(".SH SYNOPSIS", _roff_usage(top)),
        *(".SH DESCRIPTION", *roff_prose(rest)),
        *(".SH OPTIONS", *_roff_options(top)),
        ".SH COMMANDS",
    ]
    for context in commands(top):
        lines += [f".SS {escaped(context.command_path)}", _roff_usage(context)]
        lines += [*roff_prose(context.command.help or ""), *_roff_options(context)]
    lines += [".SH EXIT STATUS", *roff_prose(_exit_codes()), ".SH ENVIRONMENT"]
    for name, meaning in ENVIRONMENT.items():
        lines += [".TP", f".B {name}", escaped(meaning)]
    return "\n".join(line for line in lines if line) + "\n"


def _roff_usage(context: click.Context) -> str:
    return rf"\fB{escaped(context.command_path)}\fR {escaped(_usage(context))}"


def _roff_options(context: click.Context) -> Iterator[str]:
    for names, meaning in _options(context):
        yield from (".TP", rf"\fB{escaped(names)}\fR", marked(meaning))


def roff_prose(text: str) -> Iterator[str]:
    """A help text as roff; what click does not wrap stays as it is."""
    for verbatim, paragraph in _paragraphs(text):
        if verbatim:
            yield from (".PP", ".nf", *map(escaped, paragraph.split("\n")), ".fi")
        else:
            yield from (".PP", marked(paragraph))


def marked(text: str) -> str:
    """A line of roff, what is quoted as code in bold."""
    return _CODE.sub(r"\\fB\1\\fR", escaped(text))


def escaped(text: str) -> str:
    """A line of text that roff prints as it is: no command, and dashes that can be copied."""
    plain = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{plain}" if plain.startswith((".", "'")) else plain


def pages() -> dict[str, str]:
    """Every command's page by its place on the site, with the list of them."""
    top = _top()
    made = {f"{FOLDER}/index.md": _index(top)}
    for context in commands(top):
        place = f"{FOLDER}/{context.command_path.split()[1]}.md"
        above = made.get(place, "")
        blocks = (
            f"{'##' if above else '#'} {context.command_path}",
            f"```text\n{context.command_path} {_usage(context)}\n```",
            *_prose(context.command.help or ""),
            *_table("option", _options(context)),
        )
        made[place] = above + "\n\n".join(blocks) + "\n\n"
    return made


def _index(top: click.Context) -> str:
    listed = ((f"[`{NAME} {name}`]({name}.md)", what) for name, what in COMMANDS.items())
    rows = "\n".join(f"| {link} | {what} |" for link, what in listed)
    return "\n\n".join(
        (
            "# Commands",
            *_prose(cli.help or ""),
            f"| command | what it does |\n| --- | --- |\n{rows}",
            "## Options before a command",
            *_table("option", _options(top)),
            "## Environment",
            *_table("variable", ENVIRONMENT.items()),
            "## Exit codes",
            f"{_exit_codes()}\n",
        )
    )


def _table(what: str, rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    """A table of names with their meanings; nothing without one."""
    lines = [f"| `{_cell(name)}` | {_cell(meaning)} |" for name, meaning in rows]
    if lines:
        yield "\n".join((f"| {what} | meaning |", "| --- | --- |", *lines))


def _prose(text: str) -> Iterator[str]:
    for verbatim, paragraph in _paragraphs(text):
        yield f"```text\n{paragraph}\n```" if verbatim else paragraph


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")


if __name__ == "__main__":
    print(*write(Path(sys.argv[1])), sep="\n")
