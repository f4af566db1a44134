"""``leadline case``: runs as files of their own, to be judged elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from advisor.store import casefile
from app.cli.arguments.case import voice_named
from app.cli.opening import opened_store
from app.cli.shown.terminal import output


@click.group()
def case() -> None:
    """Runs as files of their own, which `advise` and `report` take in place of a run."""


@case.command()
@click.argument("name", metavar="CASE")
@click.argument("file", metavar="FILE.leadline", type=click.Path(path_type=Path))
def export(name: str, file: Path) -> None:
    """Write CASE to a file that can be judged elsewhere.

    CASE is a run's number, or a target's name for its latest watch at work with its latest curves.
    The file holds what was measured, what the server and machine reported, and what trials and
    labs found; no secret, not how the target is reached, and no text of InnoDB's status.
    """
    with opened_store() as store:
        voice = voice_named(name, store)
        casefile.export(store, voice, file)
    curves = "" if voice.curves_id is None else f", with the curves of run {voice.curves_id},"
    output().print(f"Run {voice.run_id}{curves} is written to {file}.", soft_wrap=True)
