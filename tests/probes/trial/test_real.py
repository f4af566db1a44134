"""The way back on real servers: whatever ends a trial, the old value is there."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest

from probes.cancel import CancelToken
from probes.mysql.answers import pairs
from probes.mysql.connection import MySQLSession, connect
from probes.targets.address import MySQLAddress
from probes.targets.local import LocalTarget
from probes.targets.silent import Silent
from probes.trial.agent_hand import AgentHand, agent_hand
from probes.trial.counters import Sources, read_counters, sources_of
from probes.trial.ended import Break, GuardLimit, SteppedAside, TrialBroken
from probes.trial.guard import GuardLimits
from probes.trial.hand import Hand, values_of
from probes.trial.meter import RUNNING_SQL, Meter
from probes.trial.session_hand import left_to_others, restore, session_hand
from probes.trial.settings import Side, TriedSetting
from probes.trial.surroundings import moved, seen, unfit
from probes.trial.way_back import hold_lock, new_lock, server_way_back, works
from tests.probes.trial.one_setting import NAME, becomes, setting, value
from tests.servers.eleven import RunningServer, ServerBuild, chosen
from tests.waiting import HANG_S


@pytest.fixture(scope="module", params=chosen(), ids=lambda build: build.name)
def server(request: pytest.FixtureRequest) -> Iterator[RunningServer]:
    build: ServerBuild = request.param
    with build.start() as running:
        yield running


@pytest.fixture
def asking(server: RunningServer) -> Iterator[MySQLSession]:
    address = MySQLAddress(user="root", socket=server.socket)
    before = value(server)
    with (
        connect(
            address,
            via=LocalTarget(),
            prompts=Silent(),
            token=CancelToken(),
            password="",
            own_server=True,
        ) as session,
    ):
        yield session
    server.sql(f"SET GLOBAL {NAME} = {before}")


@contextmanager
def hand_of(kind: str, asking: MySQLSession, settings: tuple[TriedSetting, ...]) -> Iterator[Hand]:
    with ExitStack() as held:
        sources, lock = Sources(sums=False, histogram=False), new_lock()
        if kind == "agent":
            target = LocalTarget()
            held.callback(target.close)
            yield held.enter_context(agent_hand(target, asking, settings, sources, lock))
        else:
            yield held.enter_context(session_hand(asking, settings, sources, lock))


@pytest.mark.parametrize("kind", ["agent", "session"])
def test_the_connection_that_waits_is_no_work_of_the_server(
    kind: str, server: RunningServer, asking: MySQLSession
) -> None:
    """Where nothing else is asked, one thread at work would end the trial."""
    settings, lock = setting(server), new_lock()
    nothing = replace(sources_of(asking), sums=False, histogram=False)
    # MySQL 8.0 and later count the event scheduler.
    scheduler = server.sql("SELECT @@GLOBAL.event_scheduler AS runs")[0]["runs"] == "ON"
    assert nothing.standby == int(scheduler)
    sources = replace(nothing, standby=1 + nothing.standby)
    with ExitStack() as held:
        if kind == "agent":
            target = LocalTarget()
            held.callback(target.close)
            hand: Hand = held.enter_context(agent_hand(target, asking, settings, sources, lock))
        else:
            hand = held.enter_context(session_hand(asking, settings, sources, lock))
        held.enter_context(server_way_back(asking, settings, lock))
        hand.allow(GuardLimits(threads_running=0.5))
        hand.set(Side.NEW)
        Meter(asking, sources, hand.look, CancelToken()).wait(1.5)
        busy = [sources.at_work(pairs(asking.rows(RUNNING_SQL))) for _ in range(9)]
        assert median(busy) == 0
        # Else it waits for the lock as long as it is held.
        hand.back()
    assert value(server) == settings[0].old


@pytest.mark.parametrize("kind", ["agent", "session"])
def test_leaving_sets_the_old_value(kind: str, server: RunningServer, asking: MySQLSession) -> None:
    settings = setting(server)
    with hand_of(kind, asking, settings) as hand:
        hand.set(Side.NEW)
        assert value(server) == settings[0].new
        hand.set(Side.OLD)
        assert value(server) == settings[0].old
        hand.set(Side.NEW)
        hand.look()
    assert value(server) == settings[0].old


@pytest.mark.parametrize("kind", ["agent", "session"])
def test_what_is_kept_stays(kind: str, server: RunningServer, asking: MySQLSession) -> None:
    settings = setting(server)
    with hand_of(kind, asking, settings) as hand:
        hand.set(Side.OLD)
        hand.keep()
    assert value(server) == settings[0].new


@pytest.mark.parametrize("kind", ["agent", "session"])
def test_what_somebody_else_sets_stays(
    kind: str, server: RunningServer, asking: MySQLSession
) -> None:
    settings = setting(server)
    with pytest.raises(TrialBroken) as fault, hand_of(kind, asking, settings) as hand:
        hand.set(Side.NEW)
        server.sql(f"SET GLOBAL {NAME} = 700")
        hand.set(Side.OLD)
    assert fault.value.cause is Break.FOREIGN
    assert fault.value.theirs == {NAME: "700"}
    left_to_others(asking, settings, fault.value.theirs)
    assert value(server) == "700"


@pytest.mark.parametrize("kind", ["agent", "session"])
def test_a_value_that_the_server_does_not_take_as_it_is(
    kind: str, server: RunningServer, asking: MySQLSession
) -> None:
    # Cut to the least that it takes, with a warning.
    settings = (TriedSetting(NAME, value(server), "1", number=True),)
    with pytest.raises(TrialBroken) as fault, hand_of(kind, asking, settings) as hand:
        hand.set(Side.NEW)
    assert fault.value.cause is Break.CHANGED
    assert value(server) == settings[0].old


@pytest.mark.parametrize("kind", ["agent", "session"])
def test_a_limit_that_is_passed_ends_it(
    kind: str, server: RunningServer, asking: MySQLSession
) -> None:
    settings = setting(server)
    deadline = time.monotonic() + HANG_S
    with pytest.raises(TrialBroken) as fault, hand_of(kind, asking, settings) as hand:
        # Each look of the guard itself is a statement, and takes more than a nanosecond.
        hand.allow(GuardLimits(threads_running=0.5))
        hand.set(Side.NEW)
        busy = asking.writer(CancelToken(), HANG_S)
        with busy as other:
            other.begin("DO SLEEP(60)")
            while time.monotonic() < deadline:
                hand.look()
                time.sleep(0.05)
    assert fault.value.cause is Break.LIMIT
    assert value(server) == settings[0].old
    for row in server.sql("SHOW PROCESSLIST"):
        if "SLEEP" in str(row["Info"]):
            server.sql(f"KILL {row['Id']}")


def passed_beside(asking: MySQLSession, hand: Hand) -> None:
    """Look until a limit is passed, as a session of somebody else is at work."""
    deadline = time.monotonic() + HANG_S
    with asking.writer(CancelToken(), HANG_S) as other:
        other.begin("DO SLEEP(60)")
        try:
            while time.monotonic() < deadline:
                hand.look()
                time.sleep(0.05)
        finally:
            asking.rows(f"KILL {other.thread_id}")


@pytest.mark.parametrize("kind", ["agent", "session"])
def test_a_limit_that_a_neighbour_may_have_passed_sets_the_old_value_and_the_hand_goes_on(
    kind: str, server: RunningServer, asking: MySQLSession
) -> None:
    settings = setting(server)
    with hand_of(kind, asking, settings) as hand:
        hand.allow(GuardLimits(threads_running=0.5), aside=True)
        hand.set(Side.NEW)
        with pytest.raises(SteppedAside) as fault:
            passed_beside(asking, hand)
        assert fault.value.passed.limit is GuardLimit.THREADS_RUNNING
        assert value(server) == settings[0].old
        hand.allow(GuardLimits(), aside=True)
        hand.set(Side.NEW)
        assert value(server) == settings[0].new
        hand.set(Side.OLD)
        assert hand.over_old() is None
        hand.allow(GuardLimits(threads_running=0.5))
        deadline = time.monotonic() + HANG_S
        with asking.writer(CancelToken(), HANG_S) as other:
            other.begin("DO SLEEP(60)")
            while hand.over_old() is None:
                assert time.monotonic() < deadline
                hand.look()
                time.sleep(0.05)
            asking.rows(f"KILL {other.thread_id}")


@pytest.mark.parametrize("kind", ["agent", "session"])
def test_far_over_a_limit_is_no_neighbours_doing(
    kind: str, server: RunningServer, asking: MySQLSession
) -> None:
    settings = setting(server)
    with pytest.raises(TrialBroken) as fault, hand_of(kind, asking, settings) as hand:
        hand.allow(GuardLimits(threads_running=0.01), aside=True)
        hand.set(Side.NEW)
        passed_beside(asking, hand)
    assert fault.value.cause is Break.LIMIT
    assert value(server) == settings[0].old


def test_what_was_sent_before_a_limit_was_known_is_left_undone(
    server: RunningServer, asking: MySQLSession
) -> None:
    """The agent has gone back, and nobody has heard of it yet: the new value is not set again."""
    settings = setting(server)
    with hand_of("agent", asking, settings) as hand, asking.writer(CancelToken(), HANG_S) as other:
        hand.allow(GuardLimits(threads_running=0.5), aside=True)
        hand.set(Side.NEW)
        other.begin("DO SLEEP(60)")
        becomes(server, settings[0].old)
        with pytest.raises(SteppedAside):
            hand.set(Side.NEW)
        assert value(server) == settings[0].old
        asking.rows(f"KILL {other.thread_id}")


@pytest.mark.parametrize("victim", ["first", "second"])
def test_a_process_of_the_agent_is_killed(
    victim: str, server: RunningServer, asking: MySQLSession
) -> None:
    settings = setting(server)
    with pytest.raises(TrialBroken) as fault, hand_of("agent", asking, settings) as hand:
        assert isinstance(hand, AgentHand)
        hand.set(Side.NEW)
        first, second = processes()
        os.kill(first if victim == "first" else second, signal.SIGKILL)
        becomes(server, settings[0].old)
        deadline = time.monotonic() + HANG_S
        while time.monotonic() < deadline:
            hand.look()
            time.sleep(0.05)
    assert fault.value.cause is Break.LOST
    assert value(server) == settings[0].old


def processes() -> tuple[int, int]:
    """The agent of this process that holds a way back, and its second process."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if words[1:2] == [b"trial"] and parent == os.getpid():
            found["first"] = int(entry.name)
        elif words[1:2] == [b"trial-keeper"]:
            found[f"of {parent}"] = int(entry.name)
    return found["first"], found[f"of {found['first']}"]


def test_the_server_itself_goes_back_when_both_clients_are_gone(
    server: RunningServer, asking: MySQLSession
) -> None:
    settings, lock = setting(server), new_lock()
    assert works(asking, settings)
    with asking.writer(CancelToken(), HANG_S) as holding:
        hold_lock(holding, lock)
        with server_way_back(asking, settings, lock) as way:
            asking.rows(settings[0].statement(Side.NEW))
            assert way.stands()
            asking.rows(f"KILL {holding.thread_id}")
            becomes(server, settings[0].old)
            assert not way.stands()


def test_a_way_back_that_is_ended_sets_nothing_later(
    server: RunningServer, asking: MySQLSession
) -> None:
    settings, lock = setting(server), new_lock()
    with asking.writer(CancelToken(), HANG_S) as holding:
        hold_lock(holding, lock)
        with server_way_back(asking, settings, lock) as way:
            way.end()
            asking.rows(settings[0].statement(Side.NEW))
        holding.rows(f"DO RELEASE_LOCK('{lock}')")
    assert value(server) == settings[0].new


def test_restoring_leaves_what_others_have_set(server: RunningServer, asking: MySQLSession) -> None:
    settings = setting(server)
    server.sql(f"SET GLOBAL {NAME} = 700")
    assert restore(asking, settings) == (NAME,)
    assert value(server) == "700"
    server.sql(f"SET GLOBAL {NAME} = {settings[0].new}")
    assert restore(asking, settings) == ()
    assert values_of(asking, settings) == {NAME: settings[0].old}


def test_what_else_changes_is_seen(server: RunningServer, asking: MySQLSession) -> None:
    before = seen(asking)
    assert unfit(asking, before.variables) == ""
    assert "read_only" in unfit(asking, dict(before.variables) | {"read_only": "ON"})
    server.sql("SET GLOBAL innodb_flushing_avg_loops = 31")
    try:
        assert moved(before, seen(asking)) == {"innodb_flushing_avg_loops": ("30", "31")}
    finally:
        server.sql("SET GLOBAL innodb_flushing_avg_loops = 30")


def test_a_setting_that_adapts_is_changed_by_nobody(
    server: RunningServer, asking: MySQLSession
) -> None:
    before = seen(asking)
    adapted = {**before.variables, "innodb_thread_sleep_delay": "0"}
    assert moved(before, replace(before, variables=adapted)) == {}


def test_statements_are_counted(server: RunningServer, asking: MySQLSession) -> None:
    sources = sources_of(asking)
    assert sources.sums is not server.version.is_mariadb
    before = read_counters(asking, sources)
    for _ in range(50):
        asking.rows("SELECT 1")
    after = read_counters(asking, sources)
    kind = "select" if sources.sums else "statements"
    assert after.kinds[kind].count - before.kinds[kind].count >= 50
    assert not sources.histogram or sum(after.buckets.values()) > sum(before.buckets.values())
