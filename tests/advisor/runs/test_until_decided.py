"""A budget on this computer: what is open is measured on a real disk, and no more."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.judging.open_questions.worth import WorthScorer
from advisor.model.curves.interference import interferences
from advisor.report.forms.text import page
from advisor.report.report import gather
from advisor.report.terminal.first_screen import first_screen
from advisor.run import RunState, Voice
from advisor.runs import measuring
from advisor.runs.events import Finished, PlanMade, RunStarted
from advisor.runs.requests import CheckRequest
from advisor.runs.session import measure
from advisor.store.store import Store
from probes.cancel import CancelToken, closable
from probes.errors import Cancelled
from probes.events import PointDone, SampleTaken
from probes.figures import THIN
from probes.plans.plan import Budget, Plan
from probes.plans.wishes import Wishes
from probes.points import Point
from probes.targets.address import TargetSpec
from probes.targets.silent import Silent
from tests.advisor.runs.checks import only, until
from tests.rules.casework import build

ALL = {"reads", "redo", "flush"}
"""What goes on at once in a mixture."""


def asked(directory: Path, seconds: float = 0.0) -> CheckRequest:
    wishes = Wishes(deciding=True, budget=Budget(seconds))
    return CheckRequest(TargetSpec(directory=str(directory)), window_s=0.0, wishes=wishes)


def test_it_ends_by_itself_with_what_it_could_decide(
    store: Store, disk: Path, short_plan: None
) -> None:
    events = list(measure(store, asked(disk), Silent(), CancelToken()))
    [made] = only(events, PlanMade)
    assert made.plan.deciding
    assert any("settle most of the open" in line for line in made.lines)
    assert made.lines[0].startswith("Until decided: ")
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert finished.judgement.recommendations
    settings = {(each.setting.curve_key, each.setting.threads) for each in finished.case.points}
    assert 3 < len(settings) <= len(made.plan.steps)
    run = store.run(finished.run_id)
    assert run.state is RunState.DONE
    assert run.plan == "until decided"
    assert "· until decided ·" in page(first_screen(gather(store, Voice(finished.run_id))), 200)


def test_commits_are_measured_beside_flushing_where_a_servers_questions_ask_for_it(
    store: Store, disk: Path, short_plan: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The drive and the agent are real; what is open is so for a server that is described."""
    server = build({"version": "8.0.33", "drive": {"filesystem": "ext4"}})

    def described(plan: Plan, _case_of: object) -> WorthScorer:
        return WorthScorer(plan, lambda points: replace(server, points=tuple(points)))

    monkeypatch.setattr(measuring, "WorthScorer", described)
    points: list[Point] = []
    # On a noisy machine much else stays open: what is asked for here comes before it.
    with closing(closable(measure(store, asked(disk), Silent(), CancelToken()))) as events:
        run_id = until(events, RunStarted).run_id
        for event in events:
            if isinstance(event, PointDone):
                points.append(event.point)
                if any(found.levels[-1].parts.keys() == ALL for found in interferences(points)):
                    break
    [found] = interferences(store.points(run_id))
    assert found.quiet.parts.keys() == {"reads", "redo"}
    assert found.levels[-1].parts.keys() == ALL


def test_a_cancel_in_the_middle_keeps_its_points(
    store: Store, disk: Path, unhurried_plan: None
) -> None:
    token = CancelToken()
    events = measure(store, asked(disk), Silent(), token)
    run_id = until(events, RunStarted).run_id
    until(events, PointDone)
    until(events, PointDone)
    until(events, SampleTaken)
    token.cancel()
    with pytest.raises(Cancelled):
        list(events)
    assert store.run(run_id).state is RunState.CANCELLED
    assert len(store.points(run_id)) == 2


def test_the_plan_counts_no_more_than_the_budget(
    store: Store, disk: Path, unhurried_plan: None
) -> None:
    events = measure(store, asked(disk, 7.0), Silent(), CancelToken())
    made = until(events, PlanMade)
    events.close()  # type: ignore[attr-defined]
    assert 0 < made.plan.seconds <= 7.0
    assert made.plan.budget.seconds == 7.0
    assert made.plan.title == f"budget 7{THIN}s"
    assert made.lines[0].startswith(f"Budget 7{THIN}s: ")
