"""``leadline try``: one change on the live server, switched back and forth, kept or taken back."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from advisor.report.json.trial import planned_json
from advisor.runs.events import RunStarted, StageStarted
from advisor.runs.trial import session
from advisor.runs.trial.events import TrialEvent, TrialPlanned
from advisor.runs.trial.forecasting import with_forecast
from advisor.runs.trial.mending import mend as mend_all
from advisor.runs.trial.request import Consent, TrialRequest
from advisor.store.store import Store
from app.cli.arguments import options
from app.cli.arguments.addresses import with_stated
from app.cli.arguments.advised import advised_by, advised_plan
from app.cli.faults import ExitCode, exit_code, tell
from app.cli.opening import opened_store, warn
from app.cli.shown.measuring import working
from app.cli.shown.terminal import messages, output, write
from app.cli.shown.trial import consents, give_trial, give_trials, shown_trial
from app.fields.named_target import named
from app.fields.target import TargetForm
from app.fields.trial import LEAST_BUDGET_S, TrialForm
from probes.errors import LeadlineError, UsageError
from probes.events import Warned
from probes.targets.address import TargetSpec


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
@click.option(
    "--plan",
    is_flag=True,
    help="Try all that the target's latest run advises and that may be switched, the largest gain "
    "first, within the budget.",
)
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
    plan: bool,
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

    A size of the buffer pool or of the redo log is changed in steps instead: made once, held
    against the forecast, and kept or taken back; a smaller pool goes down in tenths. With --restart
    you make the change, and it is looked at before and after.

    What will be done is printed first, and nothing is set before you type the target's name (or
    --yes TARGET). Ctrl-C ends it and sets the old value.
    """
    with opened_store() as store:
        if mend:
            return _mended(store)
        form = TrialForm(**{name: value for name, value in wished.items() if value is not None})
        spec = with_stated(named(store, target), {"mysql": mysql, "tls": tls})
        guarded = tuple(named(store, each) for each in form.replicas)
        requests = [
            replace(each, replicas=guarded)
            for each in _requests(store, form, spec, whole_plan=plan)
        ]
        console = messages() if as_json else output()
        if dry_run:
            for request in requests:
                _preview(console, with_forecast(store, request), as_json=as_json)
            return 0
        # Nothing is set here where a person restarts the server.
        consent = (lambda _planned: True) if form.restart else consents(spec.name, yes)
        trials = _Trials(store, consent, console)
        code = ExitCode.DONE
        for request in _within_budget(requests) if plan else requests:
            run_id, code = trials.carry_out(request, go_on=plan)
            if run_id is not None and not plan:
                broken = give_trial(store, run_id, as_json=as_json, file=file).broken
                return code or (ExitCode.STOPPED if broken else ExitCode.DONE)
            if code is ExitCode.STOPPED:
                break
        if plan:
            give_trials(store, trials.done, as_json=as_json, file=file)
        return code


def _requests(
    store: Store, form: TrialForm, spec: TargetSpec, *, whole_plan: bool
) -> Iterator[TrialRequest]:
    """The trial that is asked for, or one for all that is advised and may be switched."""
    if not whole_plan:
        if form.rule:
            advised = advised_by(store, spec.name, form.rule)
            yield form.request(spec, advised.values, advised.forecast)
        else:
            yield form.request(spec)
        return
    if form.values or form.rule or form.restart:
        raise UsageError("--plan tries all that is advised: leave --set, --rule and --restart out.")
    for each in advised_plan(store, spec.name):
        yield replace(form, rule=each.rule).request(spec, each.values, each.forecast)


def _within_budget(requests: Sequence[TrialRequest]) -> Iterator[TrialRequest]:
    """One after the other, as long as the budget of all has time for one more."""
    ends_s = time.monotonic() + requests[0].budget_s
    for request in requests:
        left_s = ends_s - time.monotonic() - request.watch_s
        if left_s < LEAST_BUDGET_S:
            return
        yield replace(request, budget_s=left_s)


def _preview(console: Console, request: TrialRequest, *, as_json: bool) -> None:
    for event in shown_trial(console, lambda *asked: session.preview(request, *asked)):
        if isinstance(event, TrialPlanned) and as_json:
            write(planned_json(event))


class _Trials:
    """Trials that are carried out one after the other; ``done`` are their runs."""

    def __init__(self, store: Store, consent: Consent, console: Console) -> None:
        self._store = store
        self._consent = consent
        self._console = console
        self.done: list[int] = []

    def carry_out(self, request: TrialRequest, *, go_on: bool) -> tuple[int | None, ExitCode]:
        """A trial to its end: its run, and the exit code. Raises LeadlineError where none began.

        ``go_on``: one that is not tried is named, and the next may follow.
        """
        run_id: int | None = None

        def start(*asked: Any) -> Iterator[TrialEvent]:
            return session.trial(self._store, request, self._consent, *asked)

        code = ExitCode.DONE
        try:
            for event in shown_trial(self._console, start):
                if isinstance(event, RunStarted):
                    run_id = event.run_id
        except LeadlineError as error:
            if run_id is None and not (go_on and isinstance(error, UsageError)):
                raise
            tell(error)
            code = exit_code(error) if run_id is not None else ExitCode.DONE
        if run_id is not None:
            self.done.append(run_id)
        return run_id, code


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
