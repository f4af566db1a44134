"""``leadline lab``: what a setting, a drive or a version is worth here, on throwaway servers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from advisor.case import Case
from advisor.forecasts.of_lab import forecasts_of
from advisor.forecasts.server.watched_load import watched_load
from advisor.lab.presets import PRESETS
from advisor.lab.watched import WatchedLoad
from advisor.report.json.lab import planned_json
from advisor.runs.events import RunStarted
from advisor.runs.lab import session
from advisor.runs.lab.events import LabEvent, LabPlanned
from advisor.target_names import CASE_SUFFIX
from app.cli.arguments import case as cases
from app.cli.arguments import options
from app.cli.arguments.addresses import with_stated
from app.cli.faults import exit_code, tell
from app.cli.opening import opened_store
from app.cli.shown.lab import give_lab, shown_lab
from app.cli.shown.terminal import messages, output, write
from app.fields.lab import LabForm
from app.fields.named_target import named
from app.fields.target import TargetForm
from probes.errors import LeadlineError


@click.command()
@click.argument("target", default="local")
@options.of_form(LabForm)
@options.mysql
@options.of_form(TargetForm, "tls")
@click.option("--questions", is_flag=True, help="List the questions that have a name.")
@click.option("--dry-run", is_flag=True, help="Say all that would be done, and do nothing.")
@options.json_document("the result")
@options.output_file("the result")
def lab(
    *,
    target: str,
    mysql: str,
    tls: str | None,
    questions: bool,
    dry_run: bool,
    as_json: bool,
    file: Path | None,
    **wished: Any,
) -> int:
    """Answer a question by measuring it on throwaway servers of TARGET.

    Servers that differ in what is asked work in turns of seconds on copies of the same data, and
    each difference comes with its interval. TARGET is local (this computer), a saved name or
    ssh://[user@]host[:port]. The live server is never touched.

    What it will take is printed before it starts. Ctrl-C ends it at once; what was measured is
    kept, and nothing is left behind on the target.
    """
    if questions:
        for preset in PRESETS.values():
            output().print(f"{preset.name}: {preset.question}", soft_wrap=True)
        return 0
    form = LabForm(**{name: value for name, value in wished.items() if value is not None})
    watched = _watched(form.like) if form.like else None
    with opened_store() as store:
        spec = with_stated(named(store, target), {"mysql": mysql, "tls": tls})
        request = form.request(spec, None if watched is None else watched[1])
        if watched is not None:
            request = replace(request, forecasting=partial(forecasts_of, watched[0]))
        console = messages() if as_json else output()
        if dry_run:
            for event in shown_lab(console, lambda *asked: session.preview(request, *asked)):
                if isinstance(event, LabPlanned) and as_json:
                    write(planned_json(event.design))
            return 0
        run_id: int | None = None

        def start(*asked: Any) -> Iterator[LabEvent]:
            return session.lab(store, request, *asked)

        code = 0
        try:
            for event in shown_lab(console, start):
                if isinstance(event, RunStarted):
                    run_id = event.run_id
        except LeadlineError as error:
            if run_id is None:
                raise
            tell(error)
            code = exit_code(error)
        if run_id is not None:
            give_lab(store, run_id, as_json=as_json, file=file)
        return code


def _watched(case: str) -> tuple[Case, WatchedLoad]:
    """The case of a server that was seen at work, and its load."""
    loaded = cases.load(case).report
    name = case if case.endswith(CASE_SUFFIX) else f"run {loaded.run.id} of {loaded.run.target}"
    return loaded.case, watched_load(loaded.case, name)
