"""Servers that memory does not hold beside each other are started one at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.lab.looked import looked
from advisor.runs.lab import preparing
from advisor.runs.lab.events import LabFinished, LabPlanned, TurnDone
from advisor.store.store import Store
from tests.advisor.runs.lab.small_labs import MIB, asked, events_of, request
from tests.probes.sandbox.traces import commands_with


def test_one_server_at_a_time(store: Store, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "available_bytes", lambda _: 800 * MIB)
    question = asked("innodb_doublewrite=ON,OFF", budget_s=15)
    at_once, order = set(), []
    run_id = 0
    for event in events_of(store, request(question, home)):
        if isinstance(event, LabPlanned):
            assert not event.design.beside
            assert any("one at a time" in text for _, text in event.lines)
        if isinstance(event, TurnDone):
            servers = commands_with(f"--datadir={home}").values()
            at_once.add(sum("guard" not in command[1:2] for command in servers))
            order.append((event.turn.start, event.turn.variant))
        if isinstance(event, LabFinished):
            run_id = event.run_id
    assert at_once == {1}
    record = store.lab(run_id)
    starts = {start for start, _ in order}
    # A start is one of each, with all of its rounds.
    assert {(start, each.name) for start in starts for each in question.entrants} == set(order)
    (level,) = looked(record).levels
    (effect,) = level.effects
    assert effect.times is not None
    assert 0 < effect.times.low < effect.times.high
    assert level.resolution is not None
