"""``leadline record``: what came of rules' advice in trials, in labs and on servers."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import click
from rich.table import Table

from advisor.fleet.earned import earn
from advisor.report.json.written import written
from advisor.trial.rule_record import rule_records
from advisor.tried import RuleRecord
from app.cli.arguments import options
from app.cli.opening import opened_store
from app.cli.shown.files import write_whole
from app.cli.shown.terminal import output, write
from probes.errors import StoreError
from probes.figures import times

SCHEMA = "leadline.record/1"


@click.group(invoke_without_command=True)
@options.json_document("the record")
@options.output_file("the record as a JSON document, to be shared: it names no server")
@click.pass_context
def record(context: click.Context, *, as_json: bool, file: Path | None) -> None:
    """Show what rules' advice came to: kept or back, and whether forecasts held.

    It counts trials, labs that tried what was advised, and servers that a later look found changed
    as advised and at a like load.
    """
    if context.invoked_subcommand is None:
        found = _earned()
        if as_json or file is not None:
            _give(found, file)
        else:
            _show(found)


@record.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
def export(file: Path | None) -> None:
    """Write the record as a JSON document, to be shared: it names no server, run or day."""
    _give(_earned(), file)


def _earned() -> tuple[RuleRecord, ...]:
    with opened_store() as store:
        # What can't be written to shows what it has.
        with suppress(StoreError):
            store.require_writable()
            for target in sorted({run.target for run in store.runs()}):
                earn(store, target)
        return rule_records(store.outcomes())


def _give(found: Iterable[RuleRecord], file: Path | None) -> None:
    document = written({"schema": SCHEMA, "rules": [asdict(each) for each in found]})
    if file is not None:
        write_whole(file, document)
    else:
        write(document)


def _show(found: Iterable[RuleRecord]) -> None:
    if not found:
        output().print("No rule's advice was tried yet: `leadline try TARGET --rule RULE` does.")
        return
    heads = (
        *("rule", "tried", "in labs", "seen later", "kept", "back", "undecided"),
        *("forecasts held", "came/forecast"),
    )
    table = Table(*heads, box=None, pad_edge=False)
    for each in found:
        counts = (each.tried, each.labs, each.watches, each.kept, each.back, each.undecided)
        table.add_row(
            each.rule + (" (less sure)" if each.doubtful else ""),
            *map(str, counts),
            f"{each.inside} of {each.forecasts}" if each.forecasts else "",
            "" if each.ratio is None else times(each.ratio),
        )
    output().print(table)
