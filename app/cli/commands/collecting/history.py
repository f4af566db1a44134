"""``leadline history``: one server over time, from the looks at it that were kept."""

from __future__ import annotations

from pathlib import Path

import click

from advisor.fleet.history import history as looks_of
from advisor.report.history import history_blocks, history_rows
from advisor.report.json.written import written
from app.cli.arguments import options
from app.cli.opening import opened_store
from app.cli.shown.measuring import give
from probes.errors import UsageError


@click.command()
@click.argument("target", default="local")
@options.json_document("it")
@options.output_file("it")
def history(target: str, as_json: bool, file: Path | None) -> int:
    """Show what watches and checks found of TARGET's server, and what changed between them.

    A look is a line: queries a second, the time of one, how many are at work, page reads and
    commits, and the settings that differ from the look before. Where settings changed between looks
    of like loads, it says what became of a query's time. `leadline watch TARGET --every 1h` makes
    the looks.
    """
    with opened_store() as store:
        looks = looks_of(store, target)
    if not looks:
        raise UsageError(
            f"No look at a server of {target} was kept.", f"`leadline watch {target}` makes one."
        )
    give(
        lambda: written(history_rows(looks)),
        lambda: tuple(history_blocks(target, looks)),
        as_json=as_json,
        file=file,
    )
    return 0
