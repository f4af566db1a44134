"""A measurement from its start to its written result: what ``check`` and ``probe`` share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from rich.console import Console

from advisor.case import Case
from advisor.judging.agenda import Part, finds
from advisor.judging.over_draws import judge
from advisor.outcomes import Judgement
from advisor.report.document.blocks import Block
from advisor.report.forms.text import page, renderable
from advisor.report.json.report import to_json
from advisor.report.report import Report, gather
from advisor.report.terminal.run import whole_run
from advisor.rulekit.registry import all_rules
from advisor.run import RunKind, RunState, Voice
from advisor.runs.events import CheckEvent, Finished, RunStarted
from advisor.runs.shortfall import usable
from advisor.store.database import GoneError
from advisor.store.store import Store
from app.cli.faults import ExitCode, exit_code, tell
from app.cli.interrupts import Interrupts
from app.cli.shown.files import write_whole
from app.cli.shown.progress import Display, display
from app.cli.shown.prompts import TerminalPrompts
from app.cli.shown.terminal import messages, output, write
from app.runtime.stopping import last_words
from probes.cancel import CancelToken, closable
from probes.errors import LeadlineError
from probes.figures import counted
from probes.targets.address import Prompts

Start = Callable[[Store, Prompts, CancelToken], Iterator[CheckEvent]]
"""Begins the work; its events come as they happen."""

Event = TypeVar("Event")

Telling = Callable[[Report], Iterable[Block]]


@dataclass(frozen=True, slots=True)
class Destination:
    """Where the result goes, and in which form.

    ``whole`` is what a person gets on standard output, ``short`` where the whole is elsewhere.
    ``fail_on`` is what has to be found for the run to end with ``ExitCode.FOUND``.
    """

    as_json: bool
    file: Path | None
    whole: Telling
    short: Telling
    fail_on: str | None = None

    @property
    def progress(self) -> Console:
        """Where progress goes: beside a result on standard output that a program may read."""
        return messages() if self.as_json else output()


class Measuring:
    """One measurement; what it yields is in the store as soon as it arrives."""

    def __init__(self, store: Store, destination: Destination) -> None:
        self._store = store
        self._destination = destination
        self._run_id: int | None = None
        self._finished: Finished | None = None

    def run(self, start: Start) -> int:
        """Carry it out; returns the exit code. One that stops early still gives what it has."""
        # Loaded now, the rules cost a run that is stopped no time at its end.
        all_rules()
        try:
            with last_words(self._kept):
                self._measure(start)
        except LeadlineError as error:
            if self._run_id is None:
                raise
            tell(error)
            self._write_part(self._run_id, kept=not isinstance(error, GoneError))
            return exit_code(error)
        if self._run_id is None:
            return ExitCode.DONE
        report = gather(self._store, Voice(self._run_id), judged=self._judged)
        self._write(report)
        return ended_with(report, self._destination.fail_on)

    def _kept(self) -> str:
        """What to say where the end is cut short."""
        if self._run_id is None:
            return ""
        return f"Run {self._run_id} is kept: `leadline runs show {self._run_id}` shows it."

    def _measure(self, start: Start) -> None:
        for event in shown_events(self._destination.progress, self._started(start)):
            if isinstance(event, RunStarted):
                self._run_id = event.run_id
            elif isinstance(event, Finished):
                self._finished = event

    def _judged(self, case: Case) -> Judgement:
        """As the run itself has judged it, unless something else is kept of it."""
        done = self._finished
        return judge(case) if done is None or done.case != case else done.judgement

    def _started(self, start: Start) -> Callable[[Prompts, CancelToken], Iterator[CheckEvent]]:
        return lambda prompts, token: start(self._store, prompts, token)

    def _write(self, report: Report) -> None:
        to = self._destination
        if to.file is not None:
            write_whole(to.file, to_json(report) if to.as_json else page(whole_run(report)))
            to.progress.print(renderable(to.short(report)))
            to.progress.print(f"Written to {to.file}.", soft_wrap=True)
        elif to.as_json:
            write(to_json(report))
        else:
            write_text(to.whole(report))

    def _write_part(self, run_id: int, *, kept: bool) -> None:
        """What a run that has ended early is good for: in full as JSON, in short for people.

        ``kept``: it can be read again later.
        """
        report = gather(self._store, Voice(run_id))
        to = self._destination
        if to.as_json or _is_look(report):
            self._write(report)
        elif report.case.points:
            output().print(renderable(to.short(report)))
        if kept:
            to.progress.print(
                f"Run {run_id} is kept with {counted(len(report.case.points), 'point')}:"
                f" `leadline runs show {run_id}` shows all of it.",
                soft_wrap=True,
            )


def ended_with(report: Report, fail_on: str | None) -> ExitCode:
    """The exit code of what was judged: whether it found what was asked for."""
    found = fail_on is not None and finds(report.judgement, Part(fail_on))
    return ExitCode.FOUND if found else ExitCode.DONE


def _is_look(report: Report) -> bool:
    """Whether it is a check that has failed without a point: the look alone has advice."""
    failed_check = report.run.kind is RunKind.CHECK and report.run.state is RunState.FAILED
    return failed_check and not usable(report.case.points)


def shown_events(
    console: Console,
    start: Callable[[Prompts, CancelToken], Iterator[Event]],
    own: Callable[[Event], list[str] | None] = lambda _event: None,
) -> Iterator[Event]:
    """Run the work to its end with its events on ``console``; Ctrl-C cancels it.

    ``own`` gives the lines of events that the work alone has; None of those that every run has.
    Yields each event after it was shown. Raises what the work raises.
    """
    with working(console, start) as (shown, events):
        for event in events:
            lines = own(event)
            if lines is None:
                shown.show(event)  # type: ignore[arg-type]
            else:
                for line in lines:
                    console.print(line, soft_wrap=True)
            yield event


def plan_lines(rows: Iterable[tuple[str, str]]) -> list[str]:
    """What will be done, a line for each heading with its sentence, between empty ones."""
    return ["", *(f"{heading}: {text}" for heading, text in rows), ""]


@contextmanager
def working(
    console: Console, start: Callable[[Prompts, CancelToken], Iterator[Event]]
) -> Iterator[tuple[Display, Iterator[Event]]]:
    """A piece of work that Ctrl-C cancels, with what its events are shown on."""
    token = CancelToken()
    interrupts = Interrupts(token)
    with (
        interrupts.watched(),
        display(console) as shown,
        closing(closable(start(TerminalPrompts(interrupts), token))) as events,
    ):
        yield shown, events


def write_text(blocks: Iterable[Block]) -> None:
    """Put a text on standard output: in colours at a terminal, plain in a pipe."""
    console = output()
    if console.is_terminal:
        console.print(renderable(blocks))
    else:
        write(page(blocks, console.width))


def give(
    content: Callable[[], str],
    shown: Callable[[], Iterable[Block]],
    *,
    as_json: bool,
    file: Path | None,
) -> None:
    """Give a result in the form that was asked for: into the file, else to standard output."""
    if file is not None:
        write_whole(file, content() if as_json else page(shown()))
    elif as_json:
        write(content())
    else:
        write_text(shown())
