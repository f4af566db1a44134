"""``leadline case``: runs as files of their own, to be judged elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from advisor.store import casefile
from app.cli.arguments.case import find
from app.cli.opening import opened_store
from app.cli.shown.terminal import output


@click.group()
def case() -> None:
    """Runs as files of their own, which `advise` and `report` take in place of a run."""


@case.command()
@click.argument("name", metavar="RUN")
@click.argument("file", metavar="FILE.leadline", type=click.Path(path_type=Path))
def export(name: str, file: Path) -> None:
    """Write RUN to a file that can be judged elsewhere.

    RUN is a run's number, or a target's name for its last run that came to its end. The file holds
    what was measured and what the server and machine reported; no secret, not how the target is
    reached, and no text of InnoDB's status.
    """
    with opened_store() as store:
        run = find(name, store)
        casefile.export(store, run.id, file)
    output().print(f"Run {run.id} is written to {file}.", soft_wrap=True)
