from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from advisor.runs.requests import CheckRequest, ProbeRequest
from app.presenters.probe_form import UNTIL_DECIDED, ProbeForm
from probes.errors import UsageError
from probes.plans.kinds import CHECK_KINDS, Kind
from probes.plans.plan import Budget, Guard
from probes.plans.wishes import Wishes
from probes.targets.address import MySQLAddress, TargetKind, TargetSpec

HERE = TargetSpec()
SERVER_ALONE = TargetSpec(TargetKind.MYSQL, "db7", mysql=MySQLAddress(host="db7"))


def test_an_untouched_form_is_a_check_as_it_ships() -> None:
    request = ProbeForm(directory=" /data ").request(HERE)
    assert isinstance(request, CheckRequest)
    assert request.wishes == Wishes()
    assert request.target.directory == "/data"


def test_until_decided_is_a_check_of_what_is_open_within_the_longest_time() -> None:
    request = ProbeForm(plan=UNTIL_DECIDED, most_time="90 s").request(HERE)
    assert isinstance(request, CheckRequest)
    assert request.wishes.deciding
    assert request.wishes.budget == Budget(90.0)
    with pytest.raises(UsageError, match="Chosen probes measure a whole plan"):
        ProbeForm(plan=UNTIL_DECIDED, whole=False).request(HERE)


def test_chosen_probes_carry_limits_and_details() -> None:
    form = ProbeForm(
        whole=False,
        kinds=frozenset({Kind.FLUSH, Kind.REDO}),
        threads="1 16",
        block_sizes=frozenset({16384, 4096}),
        within="2.5",
        engine="fio",
        cross_engine="agent",
        io_priority="idle",
        added_ms="12",
        most_time="3 min",
        most_written="2 GiB",
        most_wear="0,5",
        every_level=True,
    )
    request = form.request(HERE)
    assert isinstance(request, ProbeRequest)
    assert request.kinds == {Kind.FLUSH, Kind.REDO}
    assert not request.own_schema
    wishes = request.wishes
    assert (wishes.threads, wishes.block_sizes) == ((1, 16), (4096, 16384))
    assert wishes.within == pytest.approx(0.025)
    assert wishes.budget == Budget(180.0, 0, 2 << 30, 0.005)
    assert wishes.guard == Guard(added_us=12_000.0)
    assert (wishes.engine, wishes.cross_engine, wishes.io_priority) == ("fio", "agent", "idle")
    assert wishes.every_level


def test_without_a_guard_nothing_is_watched() -> None:
    assert ProbeForm(guarded=False, added_ms="nonsense").request(HERE).wishes.guard is None


@pytest.mark.parametrize(
    ("sandbox", "own_schema"), [(True, False), (False, True)], ids=["throwaway", "live"]
)
def test_updates_need_a_place_of_their_own(sandbox: bool, own_schema: bool) -> None:
    form = ProbeForm(whole=False, kinds=frozenset({Kind.MYSQL}), update=True, sandbox=sandbox)
    request = form.request(HERE)
    assert isinstance(request, ProbeRequest)
    assert (request.sandbox, request.own_schema) == (sandbox, own_schema)
    assert request.wishes.update


def test_a_check_never_writes_to_a_server() -> None:
    request = ProbeForm(whole=True, update=True).request(HERE)
    assert not request.own_schema
    assert not request.wishes.update


def test_a_server_without_its_machine_has_no_drive_to_probe() -> None:
    form = ProbeForm(whole=False, kinds=CHECK_KINDS)
    request = form.request(SERVER_ALONE)
    assert request.kinds == {Kind.MYSQL}
    with pytest.raises(UsageError, match="Nothing is chosen"):
        replace(form, kinds=frozenset({Kind.STORAGE})).request(SERVER_ALONE)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("threads", "1 2048", "'2048' is not a valid number of threads: write 1 to 1,024"),
        ("threads", "many", "Threads: 'many' is not a valid"),
        ("within", "0.1", "a number from 0.5 to 50"),
        ("within", "nan", "a number from 0.5 to 50"),
        ("most_time", "soon", "The longest time: 'soon' is not a valid time"),
        ("most_written", "5 parsecs", "'5 parsecs' is not a valid size"),
        ("added_ms", "0", "added latency"),
        ("most_wear", "150", "The most wear: '150' is not a valid percentage"),
        ("cross_engine", "agent", "can't check itself"),
        ("protocols", frozenset(), "No protocol"),
    ],
)
def test_what_makes_no_sense_is_said(field: str, value: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        replace(ProbeForm(), **{field: value}).request(HERE)
