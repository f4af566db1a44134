"""The trial's use case: one change on a live server, switched until it is decided, kept or back."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime

from advisor.plan.writing import persistable, set_sql
from advisor.run import RunKind
from advisor.runs.events import RunStarted, Stage, StageStarted
from advisor.runs.link import linked
from advisor.runs.preparing import directory_for, take_inventory
from advisor.runs.recording import recorded
from advisor.runs.session import NOTHING_MEASURED
from advisor.runs.trial.events import TrialEvent, TrialFinished
from advisor.runs.trial.forecasting import with_forecast
from advisor.runs.trial.kept import KeptTrial
from advisor.runs.trial.looking import Looker
from advisor.runs.trial.preparing import PreparedTrial, prepare, uncancelled
from advisor.runs.trial.putting_right import EndSide, put_right
from advisor.runs.trial.request import Consent, GuardHeard, TrialRequest
from advisor.runs.trial.restarting import looked_at_restart, planned_restart
from advisor.runs.trial.stepping import Stepping
from advisor.runs.trial.switching import Switching
from advisor.runs.trial.watcher import Watcher
from advisor.store.store import Store
from advisor.store.trial_journal import JournalEntry
from advisor.trial.deciding import verdict_of
from advisor.trial.limits import with_room
from advisor.trial.looked import trial_outcome
from advisor.trial.record import TrialEnd, TrialRecord, TrialVerdict
from advisor.trial.steps.looks import STRETCHES
from advisor.variables.sheets import SHEETS
from probes.cancel import CancelToken
from probes.errors import Cancelled, LeadlineError, MySQLError, TargetError, UsageError
from probes.events import Warned
from probes.targets.address import Prompts
from probes.trial.agent_hand import agent_hand
from probes.trial.counters import Sources
from probes.trial.ended import Break, TrialBroken
from probes.trial.guard import GuardBeat
from probes.trial.hand import Hand
from probes.trial.meter import Meter
from probes.trial.replicas import Replicas
from probes.trial.session_hand import left_to_others, session_hand
from probes.trial.settings import Side
from probes.trial.surroundings import server_directories
from probes.trial.way_back import ServerWayBack, new_lock, server_way_back


def preview(request: TrialRequest, prompts: Prompts, token: CancelToken) -> Iterator[TrialEvent]:
    """Look at the server, try the way back with what is there, and say what would be done.

    Ends with ``TrialPlanned``. Raises as ``trial`` does.
    """
    yield StageStarted(Stage.CONNECT, f"Connecting to {request.target.name}.")
    with linked(request.target, prompts, token) as link, uncancelled(link) as asking:
        if request.restart:
            yield planned_restart(asking, request)
            return
        prepared = yield from prepare(link, asking, request, token)
        yield prepared.planned


def trial(
    store: Store,
    request: TrialRequest,
    consent: Consent,
    prompts: Prompts,
    token: CancelToken,
) -> Iterator[TrialEvent]:
    """Carry out a trial; ends with ``TrialFinished``.

    Nothing is set before ``consent`` says so, and whatever ends it, the old values are back but
    where the test has kept the new ones; every pair is in the store as it comes. Raises UsageError
    for what is not tried, TrialBroken, MySQLError and TargetError, and ``Cancelled`` when ``token``
    was raised or nobody consented.
    """
    store.require_writable()
    request = with_forecast(store, request)
    yield StageStarted(Stage.CONNECT, f"Connecting to {request.target.name}.")
    with (
        linked(request.target, prompts, token) as link,
        uncancelled(link) as asking,
        ExitStack() as held,
    ):
        if request.restart:
            run_id = yield from looked_at_restart(store, request, link, asking, token)
            yield TrialFinished(run_id)
            return
        replicas = held.enter_context(_replicas(request, prompts, token))
        prepared = yield from prepare(link, asking, request, token)
        yield prepared.planned
        if not consent(prepared.planned):
            raise Cancelled("Not started: nothing was changed.")
        directory = directory_for(link, request.target)
        raw = yield from take_inventory(link, directory, 0.0, token)
        run_id = store.start_run(request.target, raw, NOTHING_MEASURED, kind=RunKind.TRIAL)
        yield RunStarted(run_id)
        with recorded(store, run_id) as recorder:
            for note in link.notes:
                recorder.keep(note)
            planned = prepared.planned
            record = TrialRecord(planned.asked, planned.design, planned.way_back, planned.limits)
            kept = KeptTrial(store, run_id, record)
            yield StageStarted(Stage.MEASURE, "Switching.")
            yield from _tried(
                store,
                JournalEntry(run_id, request.target, planned.asked.settings, _now()),
                prepared,
                kept,
                token,
                replicas=replicas,
                heard=request.heard,
            )
            kept.know(gain=trial_outcome(kept.record).gain)
            if request.persist and kept.record.verdict is TrialVerdict.KEPT:
                for warning in _persisted(prepared, kept):
                    yield recorder.keep(warning)
    yield TrialFinished(run_id)


class BesideTheGuard:
    """What is guarded beside the server, and who hears what its guard sees."""

    def __init__(self, replicas: Replicas, heard: GuardHeard) -> None:
        self._replicas, self._heard = replicas, heard
        self._last: GuardBeat | None = None

    def look(self, hand: Hand) -> None:
        """Look at replicas, and pass on what ``hand`` has seen since; raises TrialBroken."""
        self._replicas.look()
        if hand.beat is not None and hand.beat is not self._last:
            self._last = hand.beat
            self._heard(hand.beat)


@contextmanager
def _replicas(request: TrialRequest, prompts: Prompts, token: CancelToken) -> Iterator[Replicas]:
    """Sessions to the replicas that are guarded. Raises UsageError, TargetError and MySQLError."""
    with ExitStack() as held:
        sessions = {}
        for spec in request.replicas:
            link = held.enter_context(linked(spec, prompts, token))
            if link.mysql is None:
                raise UsageError(f"There is no MySQL server on {spec.name}.")
            sessions[spec.name] = link.mysql
        yield Replicas(sessions)


def _tried(
    store: Store,
    entry: JournalEntry,
    prepared: PreparedTrial,
    kept: KeptTrial,
    token: CancelToken,
    *,
    replicas: Replicas,
    heard: GuardHeard,
) -> Iterator[TrialEvent]:
    """Switch, and leave the server as the verdict has it."""
    right = EndSide()
    try:
        with put_right(store.trial_journal, entry, prepared.asking, right):
            try:
                guarded = BesideTheGuard(replicas, heard)
                yield from _switched(prepared, kept, right, guarded, token)
            except TrialBroken as fault:
                left_to_others(prepared.asking, entry.settings, fault.theirs)
                raise
    except TrialBroken as fault:
        kept.know(
            verdict=TrialVerdict.BACK,
            broken=fault.cause,
            passed=fault.passed,
            detail=fault.detail,
            stays=fault.stays if right.sure else _names(entry),
            back_ms=fault.back_ms,
        )
    except Cancelled:
        stays = () if right.sure else _names(entry)
        kept.know(verdict=TrialVerdict.UNDECIDED, ended=TrialEnd.STOPPED, stays=stays)
        raise
    except (MySQLError, TargetError) as error:
        kept.know(
            verdict=TrialVerdict.BACK,
            broken=Break.LOST,
            detail=error.sentence.rstrip("."),
            stays=() if right.sure else _names(entry),
        )


def _names(entry: JournalEntry) -> tuple[str, ...]:
    """What the server may still have, as nobody could see or set it any more."""
    return tuple(each.name for each in entry.settings if each.new)


def _switched(
    prepared: PreparedTrial,
    kept: KeptTrial,
    right: EndSide,
    guarded: BesideTheGuard,
    token: CancelToken,
) -> Iterator[TrialEvent]:
    planned = prepared.planned
    settings = planned.asked.settings
    # The way back on the server is a connection that waits there.
    standby = prepared.sources.standby + int(prepared.on_server)
    sources = replace(prepared.sources, standby=standby)
    with ExitStack() as held:
        lock = new_lock()
        hand = held.enter_context(_hand(prepared, sources, lock))
        way = None
        if prepared.on_server:
            way = held.enter_context(server_way_back(prepared.asking, settings, lock))
        # The connection that waits ends once the lock is let go: after the old values are set.
        held.callback(_gone_back, hand, right)
        kept.know(limits=with_room(planned.limits, hand.room))
        hand.allow(kept.record.limits)

        def look() -> None:
            hand.look()
            guarded.look(hand)

        meter = Meter(prepared.asking, sources, look, token)
        watcher = Watcher(prepared.asking, prepared.seen, settings, way, prepared.table_work_per_s)
        work = _work(prepared, kept, hand, meter, watcher)
        yield from work.run(time.monotonic() + planned.design.budget_s)
        verdict = verdict_of(work.end)
        if verdict is TrialVerdict.KEPT:
            _keep(hand, way)
            right.side = Side.NEW
        else:
            hand.back()
        kept.know(verdict=verdict, ended=work.end)


def _work(
    prepared: PreparedTrial, kept: KeptTrial, hand: Hand, meter: Meter, watcher: Watcher
) -> Switching | Stepping:
    """What the change is: switched, or made in steps."""
    stepped = next((each for each in prepared.planned.asked.settings if each.path), None)
    sheet = SHEETS[stepped.name].in_steps if stepped is not None else None
    if sheet is None:
        return Switching(kept, hand, meter, watcher)
    look_s = STRETCHES * prepared.planned.design.block_s
    looker = Looker(meter, sheet.follows, look_s)
    return Stepping(kept, hand, looker, watcher, asking=prepared.asking)


def _gone_back(hand: Hand, right: EndSide) -> None:
    """Set the old values, whatever ends the trial; what fails here is made sure of later."""
    if right.side is Side.OLD:
        with suppress(LeadlineError):
            hand.back()


def _hand(prepared: PreparedTrial, sources: Sources, lock: str) -> AbstractContextManager[Hand]:
    settings = prepared.planned.asked.settings
    if prepared.agent_on is not None:
        return agent_hand(
            prepared.agent_on,
            prepared.asking,
            settings,
            sources,
            lock,
            directories=server_directories(prepared.seen.variables),
        )
    return session_hand(prepared.asking, settings, sources, lock)


def _keep(hand: Hand, way: ServerWayBack | None) -> None:
    """Leave the new values: first nothing may go back any more, then they are set once more."""
    if way is not None:
        way.end()
    hand.keep()


def _persisted(prepared: PreparedTrial, kept: KeptTrial) -> Iterator[Warned]:
    """Have the server keep the new values for its next start; a warning where it does not."""
    version = prepared.asking.version
    for each in prepared.planned.asked.tried:
        if not persistable(version, each.name):
            yield Warned(
                "not_persisted",
                f"The server does not keep {each.name} itself: write it into its option file.",
            )
            return
        try:
            value = kept.record.stepped.kept if kept.record.stepped is not None else each.new
            prepared.asking.rows(set_sql("PERSIST", each.name, value).rstrip(";"))
        except LeadlineError as error:
            yield Warned("not_persisted", f"{each.name} was not persisted: {error.sentence}")
            return
    kept.know(persisted=True)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
