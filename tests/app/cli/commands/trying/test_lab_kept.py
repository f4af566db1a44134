"""A lab is a run as others: listed, shown, named, sent as a file, taken over and deleted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.lab.record import Record
from advisor.run import RunState
from advisor.store.store import Store
from tests.advisor.lab.turns import OFF, keep, record
from tests.advisor.store.builders import SPEC
from tests.app.cli.forked import Done

Leadline = Callable[..., Done]


@pytest.fixture(params=[0, 4], ids=["before any turn", "with turns"])
def kept(home: Path, request: pytest.FixtureRequest) -> Record:
    """A lab that was cut off, in the store as run 1."""
    found = record(0.2, rounds=request.param)
    with Store.open() as store:
        run_id = keep(store, SPEC, found)
        store.end_run(run_id, RunState.CANCELLED, "Stopped before its end.")
    return found


def test_a_lab_is_a_run_as_others(leadline: Leadline, kept: Record, tmp_path: Path) -> None:
    (listed,) = json.loads(leadline("runs", "--json").stdout)
    assert (listed["kind"], listed["state"]) == ("lab", "cancelled")
    shown = leadline("runs", "show", "1")
    assert shown.code == 0
    assert ("Nothing can be said" in shown.stdout) == (not kept.turns)
    assert leadline("runs", "name", "1", "before", "--notes", "at noon").code == 0
    assert leadline("runs", "project", "1", "a client").code == 0

    file = tmp_path / "lab.leadline"
    assert leadline("case", "export", "1", str(file)).code == 0
    for case in ("1", str(file)):
        advised = leadline("advise", case)
        assert advised.code == 0
        assert "is a lab" in " ".join(advised.stdout.split())
        assert "Nothing was measured" not in advised.stdout
        for form in ("md", "html", "json"):
            assert leadline("report", case, "-o", str(tmp_path / f"client.{form}")).code == 0
        assert "tried in the lab" in (tmp_path / "client.md").read_text("utf-8")

    assert leadline("import", str(file)).code == 0
    again = json.loads(leadline("runs", "show", "2", "--json").stdout)
    first = json.loads(leadline("runs", "show", "1", "--json").stdout)
    assert again | {"run": 1} == first
    assert (OFF in json.dumps(again["levels"])) == bool(kept.turns)
    assert leadline("runs", "delete", "1", "2").code == 0
    with Store.open() as store:
        assert store.runs() == []
