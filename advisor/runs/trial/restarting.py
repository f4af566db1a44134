"""A restart that a person makes: looked at before and after; nothing is set here."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial

from advisor.run import RunKind
from advisor.runs.events import RunStarted, Stage, StageStarted
from advisor.runs.link import Link
from advisor.runs.preparing import directory_for, take_inventory
from advisor.runs.recording import recorded
from advisor.runs.session import NOTHING_MEASURED
from advisor.runs.trial.events import TrialEvent, TrialPlanned
from advisor.runs.trial.kept import KeptTrial
from advisor.runs.trial.looking import Looker
from advisor.runs.trial.request import TrialRequest
from advisor.store.store import Store
from advisor.trial.allowed import Refusal, restarted_settings
from advisor.trial.record import TrialDesign, TrialEnd, TrialRecord, TrialVerdict, WayBack
from advisor.trial.steps.deciding import end_of_step
from advisor.trial.steps.like_load import at_like_load
from advisor.trial.steps.looks import STRETCHES, StepLook, Stepped
from advisor.variables.entry import Follows
from advisor.wording.measured.trial_plan import refusal
from advisor.wording.measured.trial_steps import restart_lines
from probes.cancel import CancelToken
from probes.errors import Cancelled, MySQLError, UsageError
from probes.mysql.connection import MySQLSession
from probes.trial.counters import sources_of
from probes.trial.ended import Break, TrialBroken
from probes.trial.guard import GuardLimits
from probes.trial.hand import values_of
from probes.trial.meter import Meter
from probes.trial.settings import Side, TriedSetting, differing
from probes.trial.surroundings import ServerSeen, seen

POLL_S = 1.0
ANSWER_S = 10.0
"""How long a server that starts may take over one question."""

EARLIER_S = 2.0
"""By that much less than expected a server has been up where it was started again."""


def planned_restart(asking: MySQLSession, request: TrialRequest) -> TrialPlanned:
    """What will be looked at, and what the person does. Raises UsageError and MySQLError."""
    found = restarted_settings(asking.version, request.wished, seen(asking).variables)
    if isinstance(found, Refusal):
        raise UsageError(*refusal(found))
    asked = request.asked_of(found, asking.version)
    stretch_s = request.look_s / STRETCHES
    design = TrialDesign(stretch_s, 0.0, 0.0, 0, request.budget_s, None, None, request.seed)
    lines = restart_lines(asked, request.look_s)
    return TrialPlanned(asked, design, GuardLimits(), WayBack.NOBODY, 0.0, None, lines)


def looked_at_restart(
    store: Store, request: TrialRequest, link: Link, asking: MySQLSession, token: CancelToken
) -> Generator[TrialEvent, None, int]:
    """Watch, wait for the restart, and watch again; returns the run's number.

    Raises UsageError, MySQLError, TargetError and Cancelled.
    """
    planned = planned_restart(asking, request)
    yield planned
    raw = yield from take_inventory(link, directory_for(link, request.target), 0.0, token)
    run_id = store.start_run(request.target, raw, NOTHING_MEASURED, kind=RunKind.TRIAL)
    yield RunStarted(run_id)
    with recorded(store, run_id):
        record = TrialRecord(planned.asked, planned.design, planned.way_back)
        kept = KeptTrial(store, run_id, record)
        try:
            yield from _looked(asking, kept, request, token)
        except TrialBroken as fault:
            kept.know(verdict=TrialVerdict.UNDECIDED, broken=fault.cause, detail=fault.detail)
        except Cancelled:
            kept.know(verdict=TrialVerdict.UNDECIDED, ended=TrialEnd.STOPPED)
            raise
    return run_id


def _looked(
    asking: MySQLSession, kept: KeptTrial, request: TrialRequest, token: CancelToken
) -> Iterator[TrialEvent]:
    settings = kept.record.asked.settings
    stepped = Stepped(Follows.MISSES, restart=True)
    kept.know(stepped=stepped)
    ends_s = time.monotonic() + request.budget_s
    yield StageStarted(Stage.PREPARE, "Looking at the server as it is.")
    sources = sources_of(asking)
    first = Looker(Meter(asking, sources, _nobody, token), stepped.follows, request.look_s)
    before = first.look_before(settings[0].old)
    running, since_s = seen(asking), time.monotonic()
    # From here on it may be down at any moment: whoever reads what is kept may restart it.
    stepped = Stepped(stepped.follows, (before,), restart=True)
    kept.know(stepped=stepped)
    lines = ", ".join(f"{each.name} = {each.new}" for each in settings)
    yield StageStarted(Stage.MEASURE, f"Restart the server now, with {lines}.")
    again = partial(_is_up_again, asking, running, since_s, token)
    with _started_again(asking, settings, again, ends_s, token) as session:
        yield StageStarted(Stage.MEASURE, f"The server was restarted with {lines}.")
        meter = Meter(session, sources_of(session), _nobody, token)
        then = Looker(meter, stepped.follows, request.look_s)
        then.before = before
        for look in then.until_rest(settings[0].new, ends_s):
            if isinstance(look, StepLook):
                kept.know(stepped=Stepped(stepped.follows, (before, look), restart=True))
                found = at_like_load(before, look)
                end = end_of_step(found, kept.record.asked.worth)
                kept.know(verdict=TrialVerdict.KEPT, ended=end)
            else:
                yield look


def _nobody() -> None:
    """Nothing was set: there is nothing to guard."""


@contextmanager
def _started_again(
    asking: MySQLSession,
    settings: tuple[TriedSetting, ...],
    again: Callable[[], bool],
    ends_s: float,
    token: CancelToken,
) -> Iterator[MySQLSession]:
    """A session to the server ``again``, with the new values.

    Raises TrialBroken where that does not come, or comes with others, and Cancelled.
    """
    while time.monotonic() < ends_s:
        if again():
            with asking.writer(token, ANSWER_S) as session:
                values = values_of(session, settings)
                if others := differing(settings, values, Side.NEW):
                    raise _as_before({name: values[name] for name in others})
                yield session
            return
        token.wait(POLL_S)
        token.check()
    raise TrialBroken(
        Break.NO_RESTART,
        "The server was not restarted within the time.",
        "Nothing was changed from here. Give a longer --budget.",
    )


def _is_up_again(
    asking: MySQLSession, before: ServerSeen, since_s: float, token: CancelToken
) -> bool:
    """Whether the server answers, and is a new process; one that is down is not yet."""
    try:
        with asking.writer(token, ANSWER_S) as session:
            now = seen(session)
    except MySQLError:
        return False
    expected_s = before.uptime_s + time.monotonic() - since_s
    return now.uptime_s < expected_s - EARLIER_S


def _as_before(values: dict[str, str]) -> TrialBroken:
    listed = ", ".join(f"{name} = {value}" for name, value in values.items())
    return TrialBroken(
        Break.CHANGED,
        f"The server was restarted, and has {listed}: not what was to come.",
        "See which option file it reads: `leadline check` names each line and its file.",
        detail=listed,
    )
