"""``leadline variables``: what Leadline knows of each server's settings."""

from __future__ import annotations

import difflib
from typing import Any

import click
from rich.text import Text

from advisor.upgrade.releases import known_version
from advisor.variables.catalogue import fate, notes, span
from advisor.variables.entry import Span
from advisor.variables.naming import span_text
from advisor.variables.sheets import SHEETS, Sheet
from advisor.wording.advice.variables import (
    FAMILIES,
    FATES,
    change_text,
    default_text,
    facts_of,
    line_text,
    state_text,
    values_text,
)
from app.cli.arguments.options import json_document
from app.cli.shown.terminal import output, plain_table, write_json
from probes.errors import UsageError
from probes.version import ServerVersion


@click.command()
@click.argument("name", default="")
@click.option(
    "--for",
    "version",
    metavar="VERSION",
    default="",
    help="One version alone: mysql-8.4, mariadb-11.8.6.",
)
@json_document("it")
def variables(name: str, version: str, as_json: bool) -> None:
    """Every server setting that Leadline knows, or all about the setting NAME."""
    wanted = _version(version) if version else None
    chosen = [_sheet(name)] if name else list(SHEETS.values())
    if as_json:
        documents = [facts_of(sheet, wanted) for sheet in chosen]
        content: Any = documents[0] if name else documents
        write_json(content)
    elif name and wanted is not None:
        _show_in(chosen[0], wanted)
    elif name:
        _show(chosen[0])
    elif wanted is not None:
        _list_in(wanted)
    else:
        _list()


def _version(text: str) -> ServerVersion:
    try:
        return known_version(text)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _sheet(name: str) -> Sheet:
    wanted = name.lower().replace("-", "_")
    if wanted not in SHEETS:
        near = difflib.get_close_matches(wanted, SHEETS, n=3) or [
            each for each in SHEETS if wanted in each
        ]
        advice = f"Do you mean {', '.join(near)}?" if near else "`leadline variables` lists all."
        raise UsageError(f"Leadline knows no setting {name!r}.", advice)
    return SHEETS[wanted]


def _list() -> None:
    table = plain_table("setting", "what it is", whole=("setting",))
    for sheet in SHEETS.values():
        table.add_row(sheet.name, Text(sheet.summary))
    output().print(table)


def _list_in(version: ServerVersion) -> None:
    table = plain_table("setting", "default", "values", "takes", "", whole=("setting",))
    for sheet in SHEETS.values():
        known = span(version, sheet.name)
        if known is not None:
            cells = (default_text(known, sheet), values_text(known, sheet), change_text(known))
            table.add_row(sheet.name, *map(Text, cells), state_text(known))
    output().print(Text(str(version), style="bold"))
    output().print(table)


def _show_in(sheet: Sheet, version: ServerVersion) -> None:
    known = span(version, sheet.name)
    _head(sheet)
    table = plain_table(heads=False)
    if known is None:
        table.add_row("in", f"not in {version}")
    else:
        tried = "a server of this series was run" if known.was_measured(version) else "not run"
        table.add_row("in", f"{version} ({tried})")
        table.add_row("default", Text(default_text(known, sheet)))
        table.add_row("values", Text(values_text(known, sheet)))
        table.add_row("a change takes", change_text(known))
    table.add_row("a line in the option file", FATES[fate(version, sheet.name)])
    output().print(table)
    _say([note.text for note in notes(version, sheet.name)])


def _show(sheet: Sheet) -> None:
    _head(sheet)
    for flavour, family in FAMILIES.items():
        spans = [each for each in sheet.spans if each.flavour is flavour]
        lines = [each for each in sheet.lines if each.flavour is flavour]
        output().print(Text(f"\n{family}", style="bold"))
        if spans:
            _print_spans(sheet, spans)
        else:
            output().print("No version has it.")
        for line in lines:
            output().print(Text(line_text(line)))
        of_flavour = [note for note in sheet.notes if note.flavour is flavour]
        _say([f"{span_text(note.since, note.before)}: {note.text}" for note in of_flavour])


def _head(sheet: Sheet) -> None:
    output().print(Text.assemble((sheet.name, "bold"), f"  {sheet.unit}"))
    output().print(Text(sheet.summary))


def _print_spans(sheet: Sheet, spans: list[Span]) -> None:
    table = plain_table("versions", "default", "values", "takes", "run on", "", whole=("versions",))
    for each in spans:
        table.add_row(
            span_text(each.since, each.before),
            Text(default_text(each, sheet)),
            Text(values_text(each, sheet)),
            change_text(each),
            ", ".join(each.measured) or "none",
            state_text(each),
        )
    output().print(table)


def _say(sentences: list[str]) -> None:
    for sentence in sentences:
        output().print(Text(f"· {sentence}"))
