"""The last step of a budget: a longer watch of the server, where that settles what is open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from advisor.case import Case
from advisor.judging.open_questions.worth import WorthScorer
from advisor.run import Voice
from advisor.runs.events import CheckEvent, Stage, StageStarted
from advisor.runs.link import Link
from advisor.runs.recording import Recorder
from advisor.store.cases import load_case, with_points
from probes.cancel import CancelToken
from probes.errors import MySQLError
from probes.events import Warned
from probes.figures import seconds
from probes.inventory.ask import watch_again
from probes.plans.build.deciding import WATCH_WORTH_PER_S
from probes.plans.plan import Plan
from probes.plans.spend.spent import Ledger
from probes.points import Point
from probes.steps import result_of


def watched_longer(
    link: Link, plan: Plan, recorder: Recorder, ledger: Ledger, token: CancelToken, *, trace: bool
) -> Iterator[CheckEvent]:
    """Watch longer, and longer again, as long as that is worth its time and the budget has it.

    Nothing is measured meanwhile. What was seen then stands in for the window before.
    """
    if link.mysql is None:
        return
    while True:
        scorer = WorthScorer(plan, _case_of(recorder))
        watch = scorer.worths(recorder.store.points(recorder.run_id)).watch
        if (
            watch is None
            or watch.worth_per_s < WATCH_WORTH_PER_S
            or ledger.left_s(plan) < watch.seconds
        ):
            return
        text = f"Watching the server for {seconds(watch.seconds)}: what is open turns on its work."
        yield StageStarted(Stage.MEASURE, text)
        sudo = recorder.store.run_target(recorder.run_id).sudo
        watching = watch_again(
            link.machine, link.mysql, window_s=watch.seconds, trace=trace, sudo=sudo, token=token
        )
        try:
            answers = result_of(watching)
        except MySQLError as error:
            yield Warned("mysql_failed", f"The server was not watched longer: {error}")
            return
        recorder.store.renew_answers(recorder.run_id, answers)


def _case_of(recorder: Recorder) -> Callable[[Sequence[Point]], Case]:
    """Makes a case of points, with all else as the store has it now."""
    seen = replace(load_case(recorder.store, Voice(recorder.run_id)), run_id=None)
    return lambda points: with_points(seen, points)
