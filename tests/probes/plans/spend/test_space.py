"""The free-space floor holds for every disk."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.errors import NotEnoughSpace
from probes.plans.build.builtin import GIB, MIB, make_plan
from probes.plans.plan import Plan, PlanName
from probes.plans.spend.space import SANDBOX_EXTRA_BYTES, fit_space, floor_bytes, space_bytes
from probes.points import Probe


@cache
def plan(name: PlanName = PlanName.QUICK, *, sandbox: bool = True) -> Plan:
    return make_plan(name, directory="/srv/data", working_sets=("cached",), sandbox=sandbox)


def test_a_roomy_disk_changes_nothing() -> None:
    assert fit_space(plan(), free_bytes=500 * GIB, size_bytes=1000 * GIB) == plan()


def test_a_tight_disk_gets_smaller_files_and_a_warning() -> None:
    fitted = fit_space(plan(), free_bytes=int(2.2 * GIB), size_bytes=10 * GIB)
    assert fitted.file_bytes < plan().file_bytes
    assert "Smaller files" in fitted.warnings[0]
    assert fitted.seconds < plan().seconds


def test_files_are_as_small_as_another_drive_has_room_for() -> None:
    tight = fit_space(plan(), free_bytes=int(2.2 * GIB), size_bytes=10 * GIB)
    roomy = fit_space(
        plan(), free_bytes=500 * GIB, size_bytes=1000 * GIB, wished_bytes=int(1.2 * GIB)
    )
    assert roomy.file_sets == tight.file_sets
    assert "as there is room for on every drive" in roomy.warnings[0]
    # Room that is wished for is none that there is.
    wished = fit_space(
        plan(), free_bytes=int(2.2 * GIB), size_bytes=10 * GIB, wished_bytes=100 * GIB
    )
    assert wished == tight


def test_a_full_disk_is_refused_with_figures() -> None:
    with pytest.raises(NotEnoughSpace) as refusal:
        fit_space(plan(), free_bytes=int(1.1 * GIB), size_bytes=4 * GIB)
    assert "1.10\u202fGiB are free and 1\u202fGiB must stay free" in refusal.value.sentence


def test_a_sparse_file_takes_no_space_and_logs_do() -> None:
    usual = plan(sandbox=False)
    sets = tuple(each for each in usual.file_sets if each.content != "sparse")
    assert space_bytes(usual) == space_bytes(replace(usual, file_sets=sets))
    steps = tuple(step for step in usual.steps if step.setting.probe is not Probe.REDO_SYNC)
    assert space_bytes(usual) - space_bytes(replace(usual, steps=steps)) == 3 * 64 * MIB


@given(
    free=st.integers(0, 4000 * GIB),
    size=st.integers(GIB, 16000 * GIB),
    name=st.sampled_from(list(PlanName)),
    sandbox=st.booleans(),
)
def test_the_floor_is_never_broken(free: int, size: int, name: PlanName, sandbox: bool) -> None:
    try:
        fitted = fit_space(plan(name, sandbox=sandbox), free_bytes=free, size_bytes=size)
    except NotEnoughSpace:
        return
    sparse = sum(files.total_bytes for files in fitted.file_sets if files.content == "sparse")
    # Three logs (usual, growing, binlog) and a batch of each of four cleaners lie beside the sets.
    beside = 3 * 64 * MIB + 4 * 2 * MIB + (SANDBOX_EXTRA_BYTES if sandbox else 0)
    assert free - (fitted.file_bytes - sparse + beside) >= floor_bytes(size) >= GIB
    for files, wanted in zip(fitted.file_sets, plan(name, sandbox=sandbox).file_sets, strict=True):
        assert files.bytes_per_file % 65536 == 0
        assert 64 * MIB <= files.total_bytes <= wanted.total_bytes
        assert (files.name, files.content, files.settle) == (
            wanted.name,
            wanted.content,
            wanted.settle,
        )
