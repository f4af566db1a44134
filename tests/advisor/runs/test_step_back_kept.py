"""What a run leaves out for a live server's sake is in its record, and the run is done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.report.forms.text import page
from advisor.report.report import gather
from advisor.report.terminal.run import probed
from advisor.run import RunState, Voice
from advisor.runs.events import Finished
from advisor.runs.requests import ProbeRequest
from advisor.runs.session import measure
from advisor.store.store import Store
from probes.cancel import CancelToken
from probes.events import STEPPED_BACK, PointStarted, Warned
from probes.kinds.kind import Kind
from probes.plans.plan import Guard
from probes.plans.wishes import Wishes
from probes.points import Probe
from probes.targets.address import MySQLAddress, TargetSpec
from probes.targets.silent import Silent
from tests.servers.mariadb import MariaDB
from tests.servers.slowed import Slowed, slowed_by
from tests.short_plans import ENDLESS, SHORT, plan_of

GUARD = Guard(added_us=60e6, threads_running=0, row_lock_waits=1, end_s=600.0, recover_s=600.0)


@pytest.fixture
def slowed(mariadb: MariaDB) -> Iterator[Slowed]:
    mariadb.sql("CREATE DATABASE shop")
    mariadb.sql("CREATE TABLE shop.orders (id INT PRIMARY KEY, what CHAR(100)) ENGINE=InnoDB")
    mariadb.sql("INSERT INTO shop.orders SELECT seq, 'x' FROM shop.seq_1_to_20000")
    with slowed_by(mariadb, "UPDATE shop.orders SET what = 'slow' WHERE id = 7") as made:
        yield made
    mariadb.sql("DROP DATABASE shop")


def test_a_run_that_stepped_back_is_done_and_says_what_is_missing(
    store: Store, mariadb: MariaDB, slowed: Slowed, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The long write only ends by its guard; what comes before it is short."""
    plan_of(monkeypatch, replace(SHORT, steady_s=600.0, steady_bytes=1 << 50))
    spec = TargetSpec(name="local", mysql=MySQLAddress(socket=mariadb.socket), directory=str(disk))
    request = ProbeRequest(
        spec,
        frozenset({Kind.REDO, Kind.STEADY}),
        wishes=Wishes(guard=GUARD, probes=(Probe.REDO_SYNC, Probe.STEADY_WRITE)),
        table="shop.orders",
    )
    finished = None
    for finished in measure(store, request, Silent(), CancelToken()):
        if isinstance(finished, PointStarted) and finished.setting.probe is Probe.STEADY_WRITE:
            slowed.begin()
        if isinstance(finished, Warned) and finished.code == STEPPED_BACK:
            slowed.end()
    assert isinstance(finished, Finished)
    assert store.run(finished.run_id).state is RunState.DONE
    assert {point.setting.probe for point in finished.case.points} == {Probe.REDO_SYNC}
    kept = {each.code: each.message for each in store.run_warnings(finished.run_id)}
    assert "(Innodb_row_lock_current_waits)" in kept[STEPPED_BACK]
    assert kept["left_out"].startswith("1 of ")
    said = " ".join(page(probed(gather(store, Voice(finished.run_id))), 400).split())
    for message in kept.values():
        assert " ".join(message.split()) in said


def test_a_guard_that_ends_the_lookups_leaves_the_drive_measured_and_says_what_is_missing(
    store: Store, mariadb: MariaDB, slowed: Slowed, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lookups only end by their guard, beside a server that stays slow."""
    plan_of(monkeypatch, replace(ENDLESS, steady_s=0.5, steady_bytes=64 << 20))
    spec = TargetSpec(name="local", mysql=MySQLAddress(socket=mariadb.socket), directory=str(disk))
    request = ProbeRequest(
        spec,
        frozenset({Kind.STEADY, Kind.MYSQL}),
        wishes=Wishes(
            guard=replace(GUARD, recover_s=1.0), probes=(Probe.STEADY_WRITE, Probe.POINT_SELECT)
        ),
        table="shop.orders",
    )
    finished = None
    for finished in measure(store, request, Silent(), CancelToken()):
        if isinstance(finished, PointStarted) and finished.setting.probe is Probe.POINT_SELECT:
            slowed.begin()
    slowed.end()
    assert isinstance(finished, Finished)
    run = store.run(finished.run_id)
    assert run.state is RunState.DONE
    assert {point.setting.probe for point in finished.case.points} == {Probe.STEADY_WRITE}
    [said] = [each.message for each in store.run_warnings(finished.run_id) if each.code == "guard"]
    assert said.startswith("Primary-key lookups were cut short: ")
    assert "leadline probe --probe point_select measures the lookups" in said
