"""The reference of the command line: a page for each command, made from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
from shell_files import ENVIRONMENT, NAME, commands

from app.cli.main import COMMANDS, cli

FOLDER = "reference/commands"
_VERBATIM = "\b"
"""Begins a paragraph that click does not wrap."""


def pages() -> dict[str, str]:
    """Every command's page by its place on the site, with the list of them."""
    top = click.Context(cli, info_name=NAME, **cli.context_settings)
    made = {f"{FOLDER}/index.md": _index(top)}
    for context in commands(top):
        name = context.command_path.split()[1]
        place = f"{FOLDER}/{name}.md"
        above = made.get(place, "")
        made[place] = above + _section(context, "##" if above else "#")
    return made


def _index(top: click.Context) -> str:
    rows = "\n".join(
        f"| [`{NAME} {name}`]({name}.md) | {what} |" for name, what in COMMANDS.items()
    )
    variables = "\n".join(f"| `{name}` | {what} |" for name, what in ENVIRONMENT.items())
    return "\n\n".join(
        (
            "# Commands",
            *_prose(cli.help or ""),
            f"| command | what it does |\n| --- | --- |\n{rows}",
            "## Options before a command",
            *_options(top),
            "## Environment",
            f"| variable | meaning |\n| --- | --- |\n{variables}",
            "## Exit codes",
            f"{(cli.epilog or '').removeprefix('Exit codes: ')}\n",
        )
    )


def _section(context: click.Context, heading: str) -> str:
    usage = " ".join((context.command_path, *context.command.collect_usage_pieces(context)))
    blocks = (
        f"{heading} {context.command_path}",
        f"```text\n{usage}\n```",
        *_prose(context.command.help or ""),
        *_options(context),
    )
    return "\n\n".join(blocks) + "\n\n"


def _options(context: click.Context) -> Iterator[str]:
    """The table of its options; nothing where it has none of its own."""
    records = [each.get_help_record(context) for each in context.command.get_params(context)]
    rows = [
        f"| `{_cell(names)}` | {_cell(meaning)} |"
        for names, meaning in filter(None, records)
        # An argument is explained by the command's text.
        if meaning
    ]
    if rows:
        yield "\n".join(("| option | meaning |", "| --- | --- |", *rows))


def _prose(text: str) -> Iterator[str]:
    """The paragraphs of a help text."""
    for paragraph in filter(None, re.split(r"\n\s*\n", text.partition("\f")[0].strip())):
        if paragraph.startswith(_VERBATIM):
            yield "```text\n" + paragraph.removeprefix(_VERBATIM).strip("\n") + "\n```"
        else:
            yield " ".join(paragraph.split())


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")
