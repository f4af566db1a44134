"""Variants that can't work are left out with the reason, and the others go on."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.lab.asked import AGAIN
from advisor.run import RunState
from advisor.runs.events import RunStarted
from advisor.runs.lab.events import LabDropped, LabEvent, LabFinished, StartBegun, TurnDone
from advisor.store.store import Store
from probes.errors import DirectoryUnusable, LeadlineError, NothingMeasured
from probes.lab.variant import TableEngine, Variant
from probes.sandbox.binaries import ServerBinary, find_binary
from probes.targets.local import LocalTarget
from probes.version import Flavour
from tests.advisor.runs.lab.small_labs import (
    asked,
    events_of,
    left_out,
    question_of,
    request,
    turns,
)
from tests.present import present


@pytest.fixture
def server() -> ServerBinary:
    """A server program of this computer."""
    return present(find_binary(LocalTarget()))


def failed(store: Store, events: Iterator[LabEvent]) -> tuple[list[LabEvent], LeadlineError]:
    """The events of a lab that ends with a fault, and that."""
    seen: list[LabEvent] = []
    with pytest.raises(LeadlineError) as fault:
        seen.extend(events)
    assert store.runs()[0].state is RunState.FAILED
    assert store.runs()[0].reason == fault.value.sentence
    return seen, fault.value


def test_a_value_that_keeps_a_server_from_starting(store: Store, home: Path) -> None:
    question = asked("innodb_flush_method=O_DIRECT,fsync,nonsense")
    events = list(events_of(store, request(question, home)))
    assert isinstance(events[-1], LabFinished)
    [(name, because)] = left_out(events).items()
    assert name == "innodb_flush_method = nonsense"
    assert "nonsense" in because
    assert {each.turn.variant for each in turns(events)} == {
        each.name for each in question.entrants if each.name != name
    }
    record = store.lab(events[-1].run_id)
    assert record.dropped == {name: because}
    assert record.turns == tuple(each.turn for each in turns(events))


def test_an_option_that_no_server_has_ends_the_lab_before_any_turn(
    store: Store, home: Path
) -> None:
    question = asked("innodb_no_such=1,2", budget_s=300)
    seen, fault = failed(store, events_of(store, request(question, home)))
    assert isinstance(fault, NothingMeasured)
    assert "ends early" in fault.sentence
    assert "innodb-no-such" in fault.sentence.replace("_", "-")
    assert not turns(seen)
    assert len([each for each in seen if isinstance(each, StartBegun)]) == 1


def test_with_the_base_alone_the_lab_ends(store: Store, home: Path) -> None:
    question = asked("innodb_flush_method=O_DIRECT,nonsense", budget_s=300)
    seen, fault = failed(store, events_of(store, request(question, home)))
    assert "only innodb_flush_method = O_DIRECT works" in fault.sentence
    assert list(left_out(seen)) == ["innodb_flush_method = nonsense"]


def test_a_program_that_crashes_on_its_start(
    store: Store, home: Path, tmp_path: Path, server: ServerBinary
) -> None:
    real = shlex.join(server.command)
    crashing = tmp_path / "mysqld"
    crashing.write_text(
        f'#!/bin/sh\ncase "$*" in *--version*|*--help*) exec {real} "$@";; esac\n'
        "echo '0 [ERROR] I will not.' >&2\nkill -SEGV $$\n"
    )
    crashing.chmod(0o755)
    programs = (
        server.command,
        (str(crashing),),
        (*server.command, "--loose-nothing=1"),
    )
    question = question_of(
        *(Variant(name, server=server) for name, server in zip("abc", programs, strict=True))
    )
    events = list(events_of(store, request(question, home, servers=programs)))
    assert isinstance(events[-1], LabFinished)
    [(name, because)] = left_out(events).items()
    assert name == "b"
    assert "signal 11" in because
    assert "I will not." in because


def test_an_engine_that_the_server_refuses(store: Store, home: Path, server: ServerBinary) -> None:
    if server.version.flavour is not Flavour.MARIADB:
        pytest.skip("MySQL has no enforce_storage_engine")
    program = (*server.command, "--enforce-storage-engine=InnoDB")
    question = question_of(
        Variant("plain", server=program),
        Variant("MyISAM", engine=TableEngine.MYISAM, server=program),
        Variant("more", {"innodb_io_capacity": "500"}, server=program),
    )
    events = list(events_of(store, request(question, home, servers=(program,))))
    assert isinstance(events[-1], LabFinished)
    [(name, because)] = left_out(events).items()
    assert name == "MyISAM"
    assert "engine" in because.lower()


def test_a_directory_in_which_nothing_can_be_made(store: Store, home: Path) -> None:
    first, second, file = home / "1", home / "2", home / "file"
    first.mkdir()
    second.mkdir()
    file.write_text("")
    places = (first, file, second)
    question = question_of(*(Variant(each.name, directory=str(each)) for each in places))
    events = list(events_of(store, request(question, *places)))
    assert isinstance(events[-1], LabFinished)
    [(name, because)] = left_out(events).items()
    assert name == "file"
    assert str(file) in because
    assert {each.turn.variant for each in turns(events)} == {"1", "2", "1" + AGAIN}
    with pytest.raises(DirectoryUnusable):
        list(events_of(store, request(asked("innodb_doublewrite=ON,OFF"), file)))
    for each in (first, second):
        each.rmdir()
    file.unlink()


def test_a_path_that_is_too_long_for_a_socket(store: Store, home: Path) -> None:
    deep = home / ("d" * 100)
    deep.mkdir()
    events = list(events_of(store, request(asked("innodb_doublewrite=ON,OFF"), deep)))
    assert isinstance(events[-1], LabFinished)
    assert not left_out(events)
    deep.rmdir()


def test_a_server_that_is_killed_is_left_out_and_the_others_go_on(store: Store, home: Path) -> None:
    question = asked("innodb_doublewrite=ON,OFF", "innodb_io_capacity=200,400")
    victim = question.variants[2].name
    killed = False
    seen = []
    for event in events_of(store, request(question, home)):
        seen.append(event)
        if isinstance(event, TurnDone) and event.turn.variant == victim and not killed:
            killed = True
            kill_servers(home, "--innodb-doublewrite=OFF", "--innodb-io-capacity=200")
    assert isinstance(seen[-1], LabFinished)
    [(name, because)] = left_out(seen).items()
    assert name == victim
    assert "killed (signal 9)" in because
    at = next(number for number, each in enumerate(seen) if isinstance(each, LabDropped))
    after = {each.turn.variant for each in turns(seen[at:])}
    assert after
    assert victim not in after
    # What it had done until then is kept.
    assert victim in {each.variant for each in store.lab(seen[-1].run_id).turns}


def test_a_base_that_is_killed_ends_the_lab_and_its_turns_are_kept(
    store: Store, home: Path
) -> None:
    question = asked("innodb_doublewrite=ON,OFF", budget_s=300)

    def deadly() -> Iterator[LabEvent]:
        rounds = set()
        for event in events_of(store, request(question, home)):
            yield event
            if isinstance(event, TurnDone):
                rounds.add(event.turn.round)
                if len(rounds) == 3:
                    kill_servers(home, "--innodb-doublewrite=ON")

    seen, fault = failed(store, deadly())
    assert "which was left out" in fault.sentence
    run_id = next(each.run_id for each in seen if isinstance(each, RunStarted))
    assert len(store.lab(run_id).turns) == len(turns(seen)) >= 6


def kill_servers(home: Path, *words: str) -> None:
    """Kill the servers below ``home`` that were started with these words."""
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = line.read_bytes().decode("utf-8", "replace").split("\0")
        except OSError:
            continue
        mine = any(word.startswith(f"--datadir={home}") for word in command)
        if mine and "guard" not in command[:2] and set(words) <= set(command):
            subprocess.run(["kill", "-9", line.parent.name], check=True)
