"""``leadline record``: what came of rules' advice in trials."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click
from rich.table import Table

from advisor.report.json.written import written
from advisor.trial.rule_record import rule_records
from app.cli.arguments import options
from app.cli.opening import opened_store
from app.cli.shown.files import write_whole
from app.cli.shown.terminal import output, write
from probes.figures import times

SCHEMA = "leadline.record/1"


@click.command()
@options.json_document("the record")
@options.output_file("the record as a JSON document, to be shared: it names no server")
def record(*, as_json: bool, file: Path | None) -> None:
    """Show what rules' advice came to in trials: kept or back, and whether forecasts held."""
    with opened_store() as store:
        found = rule_records(store.all_trials())
    if as_json or file is not None:
        document = written({"schema": SCHEMA, "rules": [asdict(each) for each in found]})
        if file is not None:
            write_whole(file, document)
        else:
            write(document)
        return
    if not found:
        output().print("No rule's advice was tried yet: `leadline try TARGET --rule RULE` does.")
        return
    heads = ("rule", "tried", "kept", "back", "undecided", "forecasts held", "came/forecast")
    table = Table(*heads, box=None, pad_edge=False)
    for each in found:
        table.add_row(
            each.rule,
            *(str(number) for number in (each.tried, each.kept, each.back, each.undecided)),
            f"{each.inside} of {each.forecasts}" if each.forecasts else "",
            "" if each.ratio is None else times(each.ratio),
        )
    output().print(table)
