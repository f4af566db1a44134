"""``leadline history``: one server over time, from the looks at it that were kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from advisor.fleet.history import PastLook
from advisor.fleet.history import history as looks_of
from advisor.fleet.two_looks import two_looks, worth_comparing
from advisor.report.document.blocks import Block, beside
from advisor.report.history import history_blocks, history_rows
from advisor.report.json.written import written
from advisor.report.two_looks import two_looks_blocks, two_looks_values
from app.cli.arguments import options
from app.cli.opening import opened_store
from app.cli.shown.measuring import give
from probes.errors import UsageError


@click.command()
@click.argument("target", default="local")
@click.argument("runs", metavar="[RUN RUN]", type=int, nargs=-1)
@options.json_document("it")
@options.output_file("it")
def history(target: str, runs: tuple[int, ...], as_json: bool, file: Path | None) -> int:
    """Show what watches and checks found of TARGET's server, and what changed between them.

    A look is a line: queries a second, the time of one, how many are at work, page reads and
    commits, and the settings that differ from the look before. Where settings changed between looks
    of like loads, it says what became of a query's time; from ten looks on, since when the server
    works on another level. `leadline watch TARGET --every 1h` makes the looks.

    With two of its runs it lays these side by side, before and after: settings, load, the time of a
    query by what it waits for, and the forecast of what was changed beside what came.
    """
    if runs:
        give_two_looks(runs, as_json=as_json, file=file)
        return 0
    with opened_store() as store:
        looks = looks_of(store, target)
    if not looks:
        raise UsageError(
            f"No look at a server of {target} was kept.", f"`leadline watch {target}` makes one."
        )
    give(
        lambda: written(history_rows(looks)),
        lambda: (*history_blocks(target, looks), *_side_by_side(target, looks)),
        as_json=as_json,
        file=file,
    )
    return 0


def give_two_looks(runs: Sequence[int], *, as_json: bool, file: Path | None) -> None:
    """Lay two looks at one server side by side; raises UsageError for what are none."""
    if len(runs) != 2:
        raise UsageError("Before and after are two runs.", "For example: leadline history db7 3 9.")
    with opened_store() as store:
        found = two_looks(store, *runs)
    give(
        lambda: written(two_looks_values(found)),
        lambda: tuple(two_looks_blocks(found)),
        as_json=as_json,
        file=file,
    )


def _side_by_side(target: str, looks: Sequence[PastLook]) -> Iterator[Block]:
    found = worth_comparing(looks)
    if found is not None:
        command = f"leadline history {target} {found[0]} {found[1]}"
        yield beside(f"`{command}` lays two of them side by side, before and after.")
