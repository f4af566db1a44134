"""What is chosen of a run's advice, the plan that comes of it, and how another version sees it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from advisor.case import Case
from advisor.outcomes import Judgement, Recommendation
from advisor.plan.change_plan import ChangePlan
from advisor.plan.planning import can_be_planned
from advisor.ranking import only_asked
from advisor.upgrade.lens import LensReport
from app.controllers.done_steps import DoneSteps
from app.controllers.run import Run, is_same
from app.runtime.jobs import JobRunner
from app.runtime.use_cases import UseCases
from probes.errors import LeadlineError
from probes.version import ServerVersion

Answer = TypeVar("Answer")


class AdviceController(QObject):
    """Keeps the choices of each run for this session; lives in the GUI thread.

    Signals: ``turned()`` when another run is advised on; ``planned()`` when another plan is there
    or none any more; ``looked()`` likewise for the look from another version;
    ``failed(LeadlineError)``.
    """

    turned = Signal()
    planned = Signal()
    looked = Signal()
    failed = Signal(LeadlineError)

    def __init__(self, runner: JobRunner, use_cases: UseCases) -> None:
        super().__init__()
        self._runner, self._use_cases = runner, use_cases
        self._run: Run | None = None
        self._judged: Judgement | None = None
        self._without: dict[int | None, set[str]] = {}
        self._plan: ChangePlan | None = None
        self._version: ServerVersion | None = None
        self._report: LensReport | None = None
        self.done_steps = DoneSteps(runner, use_cases)
        self.done_steps.failed.connect(self.failed)

    def show(self, run: Run | None) -> None:
        """Turn to a run that was judged, or to none; where it is there already, say so again."""
        if run is None and self._run is None:
            return
        if self._has(run):
            self.planned.emit()
        else:
            self._run, self._judged = run, None if run is None else run.judgement
            self.done_steps.turn_to("" if run is None else run.target)
            self._make_plan()
        self.turned.emit()

    def follow(self, run: Run) -> None:
        """Turn to a run that was judged, unless it is there already."""
        if not self._has(run):
            self.show(run)

    def _has(self, run: Run | None) -> bool:
        """Whether the plan is of this run, and of what its rules say now."""
        return run is not None and is_same(run, self._run) and run.judgement is self._judged

    @property
    def run(self) -> Run | None:
        """The run that is advised on."""
        return self._run

    def is_chosen(self, rule: str) -> bool:
        """Whether a rule's advice goes into the plan."""
        return rule not in self._left_out

    def choose(self, rule: str, wanted: bool) -> None:
        """Take a rule's advice into the plan, or leave it out."""
        if self.is_chosen(rule) == wanted:
            return
        (self._left_out.discard if wanted else self._left_out.add)(rule)
        self._make_plan()

    def forget_choices(self) -> None:
        """Of no run anything is chosen but what is at first."""
        self._without.clear()

    @property
    def chosen(self) -> list[Recommendation]:
        """The advice that the plan is made of, what matters most first."""
        judgement = None if self._run is None else self._run.judgement
        found = () if judgement is None else judgement.recommendations
        return [one for one in found if can_be_planned(one) and self.is_chosen(one.rule)]

    @property
    def plan(self) -> ChangePlan | None:
        """The plan of what is chosen; None until it is made."""
        return self._plan

    def look_as(self, version: ServerVersion | None) -> None:
        """See the run's case as if its server were another version; None ends that."""
        self._version = version
        self._look()

    @property
    def report(self) -> LensReport | None:
        """What is seen from the other version; None until it is worked out."""
        return self._report

    @property
    def _case(self) -> Case | None:
        return None if self._run is None else self._run.case

    @property
    def _left_out(self) -> set[str]:
        """What is not taken: at first, what is planned only where it is asked for."""
        run_id = None if self._run is None else self._run.run_id
        judgement = None if self._run is None else self._run.judgement
        if run_id not in self._without and judgement is not None:
            left = {one.rule for one in judgement.recommendations if only_asked(one)}
            self._without[run_id] = left
        return self._without.setdefault(run_id, set())

    def _make_plan(self) -> None:
        self._plan = None
        judgement = None if self._run is None else self._run.judgement
        if self._case is not None and judgement is not None:
            make = partial(self._use_cases.make_plan, self._case, judgement, self.chosen)
            self._ask("plan of changes", make, self._take_plan)
        self.planned.emit()

    def _take_plan(self, plan: ChangePlan) -> None:
        self._plan = plan
        self.planned.emit()

    def _look(self) -> None:
        self._report = None
        if self._case is not None and self._version is not None:
            look = partial(self._use_cases.lens, self._case, self._version)
            self._ask("look from another version", look, self._take_report)
        self.looked.emit()

    def _take_report(self, report: LensReport) -> None:
        self._report = report
        self.looked.emit()

    def _ask(self, what: str, call: Callable[[], Answer], take: Callable[[Answer], None]) -> None:
        """Work something out in a job; only what was asked for last is taken."""
        key = (self, what)
        self._runner.ask(what, lambda _token: call(), take, self.failed, newest=key)
