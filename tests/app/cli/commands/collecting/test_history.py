"""``leadline history``: looks at one server over time, and what changed between them."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.run import RunKind, RunState
from advisor.runs.collected import keeping
from advisor.runs.sample import take_sample
from advisor.store.store import Store
from probes.inventory.facts import RawInventory
from tests.app.cli.forked import Done, fork_server
from tests.servers.mariadb import MariaDB
from tests.waiting import wait_until

Leadline = Callable[..., Done]


def changed(raw: RawInventory, old: str, new: str) -> RawInventory:
    found = raw.answers["mysql.variables"]
    assert old in found
    return replace(raw, answers={**raw.answers, "mysql.variables": found.replace(old, new)})


@pytest.fixture
def looks(home: Path) -> None:
    """Two watches as the sample's server was, and one after a change, when it was faster."""
    with Store.open() as store:
        list(take_sample(store))
        slow, fast = (store.raw_inventory(run_id) for run_id in (1, 2))
        later = changed(fast, '"innodb_io_capacity": "200"', '"innodb_io_capacity": "1000"')
        for raw in (slow, slow, later):
            with keeping(store, "db7", raw):
                pass


@pytest.mark.usefixtures("looks")
def test_each_look_is_a_line_and_a_change_stands_where_it_was_found(leadline: Leadline) -> None:
    shown = leadline("history", "db7").stdout.replace("\u202f", " ")
    assert "db7: 3 looks from" in shown
    lines = [line for line in shown.splitlines() if "k/s" in line]
    assert len(lines) == 3
    assert "innodb_io_capacity 200 to 1000" in lines[2]
    assert "innodb_io_capacity" not in lines[0] + lines[1]
    assert "a query takes 18 % less time (2 looks before, 1 after, of like loads)." in " ".join(
        shown.split()
    )
    assert "no proof" in shown


@pytest.mark.usefixtures("looks")
def test_programs_get_the_same_as_values(leadline: Leadline) -> None:
    document = json.loads(leadline("history", "db7", "--json").stdout)
    assert [each["kind"] for each in document["looks"]] == ["watch"] * 3
    assert document["looks"][0]["load"]["queries_per_s"] == pytest.approx(10988, rel=0.01)
    (found,) = document["changes"]
    assert found["changed"] == [{"name": "innodb_io_capacity", "old": "200", "new": "1000"}]
    assert found["times"] == pytest.approx(0.82, abs=0.01)


def test_a_target_without_looks_says_what_makes_one(leadline: Leadline, home: Path) -> None:
    done = leadline("history", "db9")
    assert done.code == 2
    assert "`leadline watch db9` makes one." in done.stderr


def test_a_server_is_looked_at_again_and_again_until_somebody_ends_it(
    home: Path, mariadb: MariaDB
) -> None:
    words = ("watch", "local", "--mysql", f"socket={mariadb.socket},user=root")
    with fork_server().start(*words, "--seconds", "1", "--every", "2s") as program:

        def looked_twice() -> bool:
            with Store.open() as store:
                done = [run for run in store.runs() if run.state is RunState.DONE]
            return len(done) > 1

        assert wait_until(looked_twice)
        program.send_signal(signal.SIGINT)
        assert program.wait() == 4
    with Store.open() as store:
        assert {run.kind for run in store.runs()} == {RunKind.WATCH}


@pytest.mark.parametrize("every", ["1s", "8h30", "10000h"])
def test_a_pause_that_is_none_is_refused(leadline: Leadline, home: Path, every: str) -> None:
    done = leadline("watch", "local", "--seconds", "5", "--every", every)
    assert done.code == 2
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("looks")
@pytest.mark.parametrize("words", [("history", "db7", "4", "5"), ("compare", "5", "4")])
def test_two_looks_are_laid_side_by_side(leadline: Leadline, words: tuple[str, ...]) -> None:
    shown = " ".join(leadline(*words).stdout.replace("\u202f", " ").split())
    assert "Before and after: db7, run 4 of" in shown
    assert "Settings that changed: innodb_io_capacity 200 to 1000." in shown
    assert "A query takes" in shown
    assert "less time" in shown
    assert "Two looks, no proof" in shown
    for line in ("queries", "time of a query", "page reads", "commits a query"):
        assert f" {line} " in shown
    document = json.loads(leadline(*words, "--json").stdout)
    assert (document["before"]["run_id"], document["after"]["run_id"]) == (4, 5)
    came = document["times"]
    assert 0 < came["low"] < came["value"] < came["high"]
    of_waits = document["after"]["waits_us"]
    assert (
        sum(each["value"] for each in of_waits.values())
        <= 1.2 * (document["after"]["query_us"]["value"])
    )


@pytest.mark.usefixtures("looks")
def test_two_looks_at_different_servers_are_refused(leadline: Leadline) -> None:
    refused = leadline("history", "db7", "1", "4")
    assert refused.code == 2
    assert "Run 1 is of sample, run 4 of db7." in refused.stderr
    assert "Before and after are two runs" in leadline("history", "db7", "4").stderr
