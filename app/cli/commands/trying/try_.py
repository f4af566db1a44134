"""``leadline try``: one change on the live server, switched back and forth, kept or taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from advisor.report.json.trial import planned_json
from advisor.runs.events import RunStarted, StageStarted
from advisor.runs.trial import session
from advisor.runs.trial.events import TrialEvent, TrialPlanned
from advisor.runs.trial.mending import mend as mend_all
from advisor.store.store import Store
from app.cli.arguments import options
from app.cli.arguments.addresses import named, with_stated
from app.cli.arguments.advised import advised_by
from app.cli.faults import ExitCode, exit_code, tell
from app.cli.opening import opened_store, warn
from app.cli.shown.measuring import working
from app.cli.shown.terminal import messages, output, write
from app.cli.shown.trial import consents, give_trial, shown_trial
from app.fields.target import TargetForm
from app.fields.trial import TrialForm
from probes.errors import LeadlineError
from probes.events import Warned


@click.command(name="try")
@click.argument("target", default="local")
@options.of_form(TrialForm)
@click.option(
    "--yes",
    metavar="TARGET",
    default="",
    help="Begin without a question: the target's name, once more.",
)
@options.mysql
@options.of_form(TargetForm, "tls")
@click.option("--dry-run", is_flag=True, help="Say all that would be done, and change nothing.")
@click.option("--mend", is_flag=True, help="Set back what a trial that was cut off has left.")
@options.json_document("the result")
@options.output_file("the result")
def try_(
    *,
    target: str,
    yes: str,
    mysql: str,
    tls: str | None,
    dry_run: bool,
    mend: bool,
    as_json: bool,
    file: Path | None,
    **wished: Any,
) -> int:
    """Try one change on the live server TARGET: the only command that changes a server.

    A setting that acts within a minute is switched between its old and its new value, in blocks of
    seconds in random order. It is kept where statements surely take less time, and taken back in
    every other case; a guard takes it back within a second when the server gets slower. TARGET is
    local (this computer), a saved name, ssh://[user@]host[:port] or mysql://[user@]host[:port].

    What will be done is printed first, and nothing is set before you type the target's name (or
    --yes TARGET). Ctrl-C ends it and sets the old value.
    """
    with opened_store() as store:
        if mend:
            return _mended(store)
        form = TrialForm(**{name: value for name, value in wished.items() if value is not None})
        spec = with_stated(named(store, target), {"mysql": mysql, "tls": tls})
        advised = advised_by(store, spec.name, form.rule) if form.rule else None
        request = form.request(
            spec,
            advised.values if advised else None,
            advised.forecast if advised else None,
        )
        console = messages() if as_json else output()
        if dry_run:
            for event in shown_trial(console, lambda *asked: session.preview(request, *asked)):
                if isinstance(event, TrialPlanned) and as_json:
                    write(planned_json(event))
            return 0
        consent = consents(spec.name, yes)
        run_id: int | None = None

        def start(*asked: Any) -> Iterator[TrialEvent]:
            return session.trial(store, request, consent, *asked)

        code: int = ExitCode.DONE
        try:
            for event in shown_trial(console, start):
                if isinstance(event, RunStarted):
                    run_id = event.run_id
        except LeadlineError as error:
            if run_id is None:
                raise
            tell(error)
            code = exit_code(error)
        if run_id is not None:
            broken = give_trial(store, run_id, as_json=as_json, file=file).broken
            code = ExitCode.STOPPED if broken and not code else code
        return code


def _mended(store: Store) -> int:
    """Set back what was left; 1 where some server could not be reached."""
    console, code = output(), ExitCode.DONE
    if not store.open_trials():
        console.print("No trial has left anything open.")
        return code
    with working(console, lambda *asked: mend_all(store, *asked)) as (_, events):
        for event in events:
            if isinstance(event, Warned):
                warn(event.message)
                code = ExitCode.FAILED if event.code == "not_mended" else code
            elif isinstance(event, StageStarted):
                console.print(event.text, soft_wrap=True)
    return code
