"""A bench's order, its names and words, and what it remembers between turns."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from advisor.run import LONGEST_NAME, RunKind, RunLabel, RunState, RunSummary, repeated
from advisor.runs.bench.places import (
    least_room_bytes,
    must_take_files,
    named,
    same_disk,
    smaller_files,
)
from advisor.runs.bench.use_case import Offered
from advisor.runs.bench.values import BenchPlace, turns
from advisor.runs.bench.words import place_of
from probes.errors import UsageError
from probes.plans.build.builtin import make_plan
from probes.plans.plan import PlanName
from probes.plans.shapes import GIB
from probes.plans.spend.space import fit_space
from probes.targets.address import TargetSpec
from tests.prompts import Answers

PLAN = make_plan(PlanName.QUICK, directory="/srv/a")
SMALL = fit_space(PLAN, free_bytes=int(2.2 * GIB), size_bytes=10 * GIB)


def place(directory: str, *drives: str, device: str = "NVMe X", small: bool = False) -> BenchPlace:
    room = int(1.2 * GIB) if small else 400 * GIB
    return BenchPlace(
        TargetSpec(), directory, device, "ext4", drives, room, SMALL if small else PLAN
    )


def test_every_second_round_goes_backwards() -> None:
    assert turns(3, 3) == [0, 1, 2, 2, 1, 0, 0, 1, 2]
    assert turns(2, 1) == [0, 1]


def test_places_are_named_by_drive_and_directory() -> None:
    assert named([place("/a"), place("/b", device="")]) == ["NVMe X, /a", "/b"]
    (long,) = named([place("/very" * 30 + "/end")])
    assert len(long) <= LONGEST_NAME
    assert long.startswith("NVMe X, …")
    assert long.endswith("/end")
    alike = named([place("/mnt/a" + "/very" * 30), place("/mnt/b" + "/very" * 30), place("/c")])
    assert len(set(alike)) == 3
    assert max(map(len, alike)) <= LONGEST_NAME
    with pytest.raises(UsageError, match="/a is named twice"):
        named([place("/a"), place("/a")])
    linked = [replace(place(where), resolved="/srv/a") for where in ("/a", "/link")]
    with pytest.raises(UsageError, match="/a and /link are the same directory"):
        named(linked)
    elsewhere = replace(linked[1], target=TargetSpec(name="db7"))
    assert len(named([linked[0], elsewhere])) == 2


def test_a_directory_without_the_right_to_write_is_refused_before_any_turn() -> None:
    def link(status: int) -> Any:
        return SimpleNamespace(target=SimpleNamespace(run=lambda _: SimpleNamespace(status=status)))

    must_take_files(link(0), TargetSpec(), "/srv/a")
    with pytest.raises(UsageError, match="No file can be written in db7:/srv/a"):
        must_take_files(link(1), TargetSpec(name="db7"), "/srv/a")


def test_each_pair_on_one_disk_is_told() -> None:
    places = [place("/a", "boot sda"), place("/b", "boot sda", "boot sdb"), place("/c", "boot sdb")]
    told = same_disk(places)
    assert [said.split(" are on")[0] for said in told] == ["/a and /b", "/b and /c"]
    assert same_disk([place("/a"), place("/b")]) == []


def test_the_tightest_place_decides_the_size_of_all_files() -> None:
    roomy, tight = place("/a"), place("/b", small=True)
    assert least_room_bytes([roomy, roomy]) == 0
    assert smaller_files([roomy, roomy]) == []
    assert least_room_bytes([roomy, tight]) == tight.room_bytes
    assert "as small everywhere as /b has room for" in smaller_files([roomy, tight])[0]


def test_places_as_they_are_written() -> None:
    saved = {"db7": TargetSpec(name="db7", directory="/var/lib/mysql")}
    assert place_of("/srv/a", saved.get) == TargetSpec(directory="/srv/a")
    assert place_of("db7", saved.get) == saved["db7"]
    assert place_of("db7:/srv/new", saved.get).directory == "/srv/new"
    assert place_of("local:/srv/new", saved.get) == TargetSpec(directory="/srv/new")
    with pytest.raises(UsageError, match="nobody here has the home directory ~no-such-account"):
        place_of("~no-such-account/a", saved.get)
    with pytest.raises(UsageError, match="no target named 'db8'"):
        place_of("db8:/srv/new", saved.get)


def test_a_password_is_offered_in_the_next_turn_and_asked_for_where_it_is_refused() -> None:
    known: dict[str, str] = {}
    asked = Answers("first", "second")
    one, other = Offered(asked, known), Offered(asked, known)
    assert one.password("ssh root@db7", "") == "first"
    assert other.password("ssh root@db7", "") == "first"
    assert other.password("ssh root@db7", "It was refused.") == "second"
    assert Offered(asked, known).password("ssh root@db7", "") == "second"


def test_runs_of_a_project_with_one_name_are_repeats() -> None:
    def run(number: int, name: str, project: str = "X", target: str = "local") -> RunSummary:
        label = RunLabel(name, project=project)
        state, kind = RunState.DONE, RunKind.PROBE
        return RunSummary(number, target, "quick", state, "", "", "", 9, kind, label=label)

    runs = [run(6, "A"), run(5, "B"), run(4, "B"), run(3, "A", "Y"), run(2, "", "X"), run(1, "A")]
    runs += [run(7, ""), run(8, "A", ""), run(9, "A", "", "db7")]
    assert repeated(runs) == [(1, 6), (2,), (3,), (4, 5), (7,), (8,), (9,)]
