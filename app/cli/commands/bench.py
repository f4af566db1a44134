"""``leadline bench``: several directories measured in turn, then side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import click

from advisor.runs.bench import use_case
from advisor.runs.bench.progress import BenchProgress
from advisor.runs.bench.values import (
    MOST_REPEATS,
    USUAL_REPEATS,
    BenchEvent,
    BenchRequest,
    PlacesSeen,
    TurnFailed,
    TurnStarted,
)
from advisor.runs.bench.words import place_of, project_of
from advisor.runs.events import CheckEvent, InventoryTaken, PlanMade
from advisor.store.store import Store
from app.cli.arguments import options
from app.cli.faults import ExitCode, exit_code, tell
from app.cli.interrupts import Interrupts
from app.cli.opening import opened_store
from app.cli.shown.measuring import give
from app.cli.shown.progress import Display, display
from app.cli.shown.prompts import TerminalPrompts
from app.cli.shown.terminal import messages, output
from app.fields.probe import ProbeForm
from app.runtime.stopping import last_words
from probes.cancel import CancelToken, closable
from probes.errors import LeadlineError
from probes.figures import counted
from probes.plans.plan import PlanName
from probes.targets.address import Prompts


@click.command()
@click.argument("directories", metavar="DIR DIR...", nargs=-1)
@click.option(
    "--target",
    "targets",
    metavar="NAME|ADDRESS",
    multiple=True,
    help="Another machine's drive: where its server's data lie, or NAME:/DIR. Repeatable.",
)
@options.of_form(ProbeForm, "plan")
@click.option(
    "--repeats",
    metavar="N",
    type=click.IntRange(1, MOST_REPEATS),
    default=USUAL_REPEATS,
    show_default=True,
    help="How often each directory is measured: A B C, then C B A, and so on.",
)
@click.option(
    "--project",
    metavar="NAME",
    default="",
    help='What the runs belong to, as "client X, October"; otherwise the date and time.',
)
@options.of_form(ProbeForm, "probes", "threads")
@click.option(
    "--guard/--no-guard",
    default=True,
    show_default=True,
    help="Stop when a live server gets slower.",
)
@options.of_form(ProbeForm, "start_anyway")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@options.json_document("the comparison")
@options.output_file("the comparison")
def bench(
    *,
    directories: tuple[str, ...],
    targets: tuple[str, ...],
    plan: str,
    repeats: int,
    project: str,
    probes: tuple[str, ...],
    threads: str,
    guard: bool,
    start_anyway: bool,
    dry_run: bool,
    as_json: bool,
    file: Path | None,
) -> int:
    """Measure two to twelve directories in turn under equal conditions, and compare them.

    DIR is a directory of this computer on the drive, or NAME:/DIR on a saved target. All follow
    the same plan with files of the same size; which of them are on the same disk is said before.

    Ctrl-C ends it at once; what was measured is kept and compared.
    """
    wishes = ProbeForm(probes=probes, threads=threads, guarded=guard).wishes()
    with opened_store() as store:
        request = BenchRequest(
            tuple(place_of(word, store.target) for word in (*directories, *targets)),
            PlanName(plan),
            repeats,
            project_of(project, datetime.now().astimezone()),
            wishes,
            start_anyway,
        )
        if dry_run:
            _follow(
                as_json or file is not None,
                lambda p, t: use_case.preview(request, p, t),
                BenchProgress(),
            )
            return ExitCode.DONE
        return _carry_out(store, request, as_json=as_json, file=file)


def _carry_out(store: Store, request: BenchRequest, *, as_json: bool, file: Path | None) -> int:
    progress, code = BenchProgress(), int(ExitCode.DONE)
    beside = as_json or file is not None
    try:
        with last_words(lambda: _kept(progress)):
            _follow(beside, lambda p, t: use_case.bench(store, request, p, t), progress)
    except LeadlineError as error:
        if not progress.runs:
            raise
        tell(error)
        code = exit_code(error)
    compared = _compared(store, progress, as_json=as_json, file=file)
    return code or compared


def _kept(progress: BenchProgress) -> str:
    """What to say where the end is cut short."""
    ids = ", ".join(str(run_id) for ids in progress.runs.values() for run_id in ids)
    return f"Kept: runs {ids}. `leadline runs` lists them." if ids else ""


def _compared(store: Store, progress: BenchProgress, *, as_json: bool, file: Path | None) -> int:
    """Give the comparison of what was measured; returns FAILED where there is none."""
    from advisor.compare import compare  # noqa: PLC0415 - heavy to load
    from advisor.compare.load import repeats  # noqa: PLC0415
    from advisor.report.json.comparison import to_json  # noqa: PLC0415
    from advisor.report.sections.comparison_report import compared  # noqa: PLC0415

    contenders = [repeats(store, run_ids) for run_ids in progress.measured]
    if len(contenders) < 2:
        measured = counted(len(contenders), "directory", "directories")
        messages().print(f"{measured} measured: nothing to compare. {_kept(progress)}")
        return ExitCode.FAILED
    found = compare(contenders)
    give(lambda: to_json(found), lambda: compared(found), as_json=as_json, file=file)
    again = " ".join(each.key for each in contenders)
    messages().print(f"`leadline compare {again}` shows it again.", soft_wrap=True)
    return ExitCode.FAILED if progress.failed else ExitCode.DONE


def _follow(
    beside: bool,
    start: Callable[[Prompts, CancelToken], Iterator[BenchEvent]],
    progress: BenchProgress,
) -> None:
    """Run it to its end with its events on the terminal; Ctrl-C cancels it."""
    console = messages() if beside else output()
    token = CancelToken()
    interrupts = Interrupts(token)
    with (
        interrupts.watched(),
        ExitStack() as held,
        closing(closable(start(TerminalPrompts(interrupts), token))) as events,
    ):
        shown = held.enter_context(display(console))
        for event in events:
            progress.take(event)
            if isinstance(event, PlacesSeen | TurnStarted | TurnFailed):
                # Each turn has curves of its own.
                held.close()
                for line in _lines(event):
                    console.print(line, soft_wrap=True)
                shown = held.enter_context(display(console))
            else:
                _show(shown, event, progress)


def _show(shown: Display, event: CheckEvent, progress: BenchProgress) -> None:
    """What all turns have in common is said in each place's first."""
    repeated = progress.again
    if repeated and isinstance(event, InventoryTaken):
        return
    shown.show(replace(event, lines=()) if repeated and isinstance(event, PlanMade) else event)


def _lines(event: PlacesSeen | TurnStarted | TurnFailed) -> Sequence[str]:
    match event:
        case PlacesSeen():
            return ["", *event.lines, *(f"Note: {note}" for note in event.notes), ""]
        case TurnStarted():
            return [f"Turn {event.number} of {event.total}: {event.name}"]
        case TurnFailed():
            text = " ".join(filter(None, (event.error.sentence, event.error.advice)))
            return [f"{event.name} is left out from here on: {text}"]
