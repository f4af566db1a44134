"""The machine's script, run for real: what it changes, it takes back."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from advisor.plan.change_plan import ChangePlan
from advisor.plan.export import shell
from advisor.plan.planning import make_plan
from tests.plan.builders import MYSQL80, advice, case_of, command

LINE = 'vm.swappiness = 1 # it\'s "mine" $HOME `id`'


def run(script: str) -> str:
    done = subprocess.run(["sh", "-s"], input=script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def plan_of(folder: Path, keep: Path) -> ChangePlan:
    state = folder / "state"
    first = command("One", f"echo new >{state}", f"echo old >{state}", (str(keep), LINE))
    second = command("Two", f"echo two >>{state}", f"echo -- >>{state}")
    case = case_of(MYSQL80, {})
    return make_plan(case, [advice("a.one", first, gain=0.9), advice("b.two", second)])


@pytest.mark.parametrize("before", [None, "kernel.x = 1\n\nkernel.y = 2\n", "without an end"])
def test_apply_twice_and_take_back(tmp_path: Path, before: str | None) -> None:
    keep = tmp_path / "sysctl.d" / "90 leadline.conf"
    if before is not None:
        keep.parent.mkdir()
        keep.write_text(before)
    plan = plan_of(tmp_path, keep)

    run(shell.apply(plan))
    run(shell.apply(plan))
    assert (tmp_path / "state").read_text() == "new\ntwo\n"
    assert keep.read_text().splitlines().count(LINE) == 1
    assert keep.read_text().startswith(before or LINE)

    run(shell.undo(plan))
    assert (tmp_path / "state").read_text() == "old\n"
    if before is None:
        assert not keep.exists()
    else:
        assert keep.read_text().rstrip("\n") == before.rstrip("\n")


def test_a_failing_step_stops_the_rest(tmp_path: Path) -> None:
    chosen = [
        advice("a.one", command("One", "false"), gain=0.9),
        advice("b.two", command("Two", f"touch {tmp_path / 'late'}")),
    ]
    script = shell.apply(make_plan(case_of(MYSQL80, {}), chosen))
    done = subprocess.run(["sh", "-s"], input=script, text=True, check=False)
    assert done.returncode != 0
    assert not (tmp_path / "late").exists()
