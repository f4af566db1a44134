"""Whatever of a lab is killed: no process and no folder stays, and what was measured is kept."""

from __future__ import annotations

import random
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from probes.sandbox.sandbox import find_server
from probes.targets.local import LocalTarget
from tests.app.cli.forked import ended, fork_server
from tests.app.cli.running.labs import children_of, kept, killed_at, lab_below, left_below
from tests.waiting import all_ended

SEED = 37


@pytest.fixture
def lab_home() -> Iterator[Path]:
    """Where a lab's servers live: a short path on a real disk."""
    if find_server(LocalTarget()) is None:
        pytest.skip("no mariadbd or mysqld is installed")
    with TemporaryDirectory(prefix="leadline-test-", dir="/var/tmp") as short:
        yield Path(short)


@pytest.mark.parametrize("who", ["command", "guard", "load", "server"])
def test_a_part_that_is_killed_while_it_works(who: str, lab_home: Path) -> None:
    chance = random.Random(f"{SEED} {who}")
    outcome = killed_at(lab_home, who, chance.uniform(2, 25), chance)
    assert outcome.late == ()
    assert "Traceback" not in outcome.said
    assert outcome.state in {"", "done", "failed", "interrupted"}
    if who == "command" and outcome.killed:
        assert outcome.state in {"", "interrupted"}


@pytest.mark.parametrize("when", ["Making the data", "Copying", "Warming", "round 2"])
def test_ctrl_c_ends_a_lab_and_what_it_measured_is_kept(when: str, lab_home: Path) -> None:
    with lab_below(lab_home) as program:
        while when not in (line := program.stdout.readline()):
            assert line, program.stderr.read()
        below = children_of(program.pid)
        program.send_signal(signal.SIGINT)
        program.communicate()
        assert program.wait() == 4
    assert all_ended(below)
    assert left_below(lab_home) == ()
    state, rounds = kept()
    assert state in {"cancelled", "interrupted"}
    assert (rounds > 0) == when.startswith("round")


def test_a_dry_run_says_what_it_takes_and_leaves_nothing(lab_home: Path) -> None:
    words = ("lab", "--ask", "doublewrite", "--dir", str(lab_home), "--dry-run")
    plain = ended(fork_server(), *words)
    assert plain.code == 0
    for what in ("Servers: 3", r"iB of memory; \S+iB in /var/tmp", r"Takes: \S+min at most"):
        assert re.search(what, plain.stdout.replace("\N{NARROW NO-BREAK SPACE}", "")), plain.stdout
    as_json = ended(fork_server(), *words, "--json")
    assert as_json.code == 0
    assert as_json.stdout.startswith("{")
    assert list(lab_home.iterdir()) == []
    assert kept() == ("", 0)
