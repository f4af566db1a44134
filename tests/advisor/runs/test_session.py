"""The main job on this computer: a real disk, a real throwaway server, real faults."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from advisor.judging.engine import judge
from advisor.outcomes import Verdict
from advisor.run import RunState, Voice
from advisor.runs.events import (
    CheckEvent,
    Finished,
    InventoryTaken,
    PlanMade,
    Progressed,
    RunStarted,
)
from advisor.runs.requests import CheckRequest, ProbeRequest
from advisor.runs.session import look, measure, preview
from advisor.runs.session import test_connection as connection_report
from advisor.store.cases import load_case
from advisor.store.store import Store
from probes.cancel import CancelToken
from probes.errors import (
    AgentFailed,
    Cancelled,
    NotEnoughSpace,
    NothingMeasured,
    UsageError,
)
from probes.events import PointDone, SampleTaken, Warned
from probes.inventory.facts import Role
from probes.kinds.kind import Kind
from probes.points import Probe, Trust
from probes.targets.address import TargetSpec
from probes.targets.silent import Silent
from tests.advisor.runs.checks import only, processes_with, until
from tests.advisor.runs.faults.faulty import ONE_LEVEL
from tests.servers.processes import children
from tests.short_plans import plan_of


def local(directory: Path | str, *, sandbox: bool = False) -> CheckRequest:
    spec = TargetSpec(directory=str(directory))
    return CheckRequest(spec, sandbox=sandbox, window_s=0.5)


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Finished]]:
    """A run to its end and the store that holds it, to be read."""
    home = tmp_path_factory.mktemp("judged")
    with (
        pytest.MonkeyPatch.context() as patched,
        TemporaryDirectory(dir="/var/tmp") as folder,
        Store.open(home / "leadline.sqlite3") as store,
    ):
        patched.setenv("LEADLINE_HOME", str(home))
        plan_of(patched)
        yield store, until(measure(store, local(folder), Silent(), CancelToken()), Finished)


def test_the_whole_quick_job(store: Store, disk: Path, few_levels: None) -> None:
    events = list(measure(store, local(disk, sandbox=True), Silent(), CancelToken()))
    finished = events[-1]
    assert isinstance(finished, Finished)
    case = finished.case
    for size in (4096, 8192, 16384):
        settings = {
            point.setting.threads
            for point in case.points
            if point.setting.probe is Probe.RANDOM_READ and point.setting.block_size_bytes == size
        }
        # Which levels are left out depends on what is measured.
        assert {1, 4} <= settings
    assert {point.setting.probe for point in case.points} == {
        Probe.RANDOM_READ,
        Probe.RANDOM_WRITE,
        Probe.REDO_SYNC,
        Probe.PAGE_FLUSH,
        Probe.POINT_SELECT,
    }
    for point in case.points:
        if point.trust is Trust.REJECTED and not point.operations:
            continue  # So short a point may end before a batch does, where a sync takes long.
        assert point.operations > 0
        assert point.ci95_per_s[0] <= point.rate_per_s <= point.ci95_per_s[1]
        assert 0 < point.latency.p50_us <= point.latency.p95_us <= point.latency.max_us
    # How many depends on the points that this drive lets be trusted now.
    assert finished.judgement.recommendations
    assert all(outcome.why for outcome in finished.judgement.not_judged)
    assert store.run(finished.run_id).state is RunState.DONE
    assert processes_with(str(disk)) == {}

    shares = [event.fraction for event in only(events, Progressed)]
    assert all(0 <= share <= 1 for share in shares)
    assert shares == sorted(shares)
    assert shares[-1] > 0.95


def test_evidence_points_into_the_curves(judged: tuple[Store, Finished]) -> None:
    _, finished = judged
    known = {point.id for point in finished.case.points}
    pointed = {
        point_id
        for outcome in finished.judgement.recommendations
        for evidence in outcome.evidence
        for point_id in evidence.point_ids
    }
    trusted = {point.id for point in finished.case.points if point.trust is Trust.OK}
    # On a drive that others use too, there may be nothing to trust.
    assert pointed or len(trusted) < len(known) / 2
    assert pointed <= known
    assert all(
        outcome.evidence
        for outcome in finished.judgement.recommendations
        if outcome.verdict is Verdict.RECOMMEND
    )


def test_a_stored_run_is_judged_again_to_the_same_end(judged: tuple[Store, Finished]) -> None:
    store, finished = judged
    assert load_case(store, Voice(finished.run_id)) == finished.case


def test_cancel_ends_at_once_and_keeps_what_has_arrived(
    store: Store, disk: Path, unhurried_plan: None
) -> None:
    token = CancelToken()
    events = measure(store, local(disk), Silent(), token)
    run_id = until(events, RunStarted).run_id
    until(events, PointDone)
    until(events, SampleTaken)
    token.cancel()
    with pytest.raises(Cancelled):
        list(events)
    assert store.run(run_id).state is RunState.CANCELLED
    assert len(store.points(run_id)) == 1


def test_cancel_while_the_throwaway_server_is_filled(
    store: Store, disk: Path, unhurried_plan: None
) -> None:
    token = CancelToken()
    request = ProbeRequest(local(disk).target, frozenset({Kind.MYSQL}), sandbox=True)
    events = measure(store, request, Silent(), token)
    for event in events:
        if getattr(event, "what", "").startswith("table"):
            break
    token.cancel()
    with pytest.raises(Cancelled):
        list(events)
    assert processes_with(str(disk)) == {}


def test_a_closed_generator_cancels_the_run(store: Store, disk: Path, unhurried_plan: None) -> None:
    events = measure(store, local(disk), Silent(), CancelToken())
    run_id = until(events, RunStarted).run_id
    until(events, PointDone)
    events.close()  # type: ignore[attr-defined]
    assert store.run(run_id).state is RunState.CANCELLED


def test_a_killed_agent_fails_the_run_and_keeps_its_points(
    store: Store, disk: Path, unhurried_plan: None
) -> None:
    events = measure(store, local(disk), Silent(), CancelToken())
    run_id = until(events, RunStarted).run_id
    until(events, PointDone)
    for pid in set(processes_with("leadline-agent")) & set(children(os.getpid())):
        os.kill(pid, signal.SIGKILL)
    with pytest.raises(AgentFailed) as fault:
        list(events)
    assert "signal 9" in fault.value.sentence
    summary = store.run(run_id)
    assert summary.state is RunState.FAILED
    assert summary.reason == fault.value.sentence
    assert summary.points >= 1


def test_a_missing_directory_is_named(store: Store) -> None:
    with pytest.raises(UsageError) as fault:
        list(measure(store, local("/no/such place"), Silent(), CancelToken()))
    assert "/no/such place is not a directory" in fault.value.sentence
    assert store.runs() == []


def test_memory_is_no_drive(store: Store, short_plan: None) -> None:
    events: list[CheckEvent] = []
    with pytest.raises(NothingMeasured, match="points were rejected") as nothing:
        request = replace(local("/dev/shm"), wishes=ONE_LEVEL)
        events.extend(measure(store, request, Silent(), CancelToken()))
    assert "lives in memory: no drive was measured." in nothing.value.sentence
    points = [event.point for event in only(events, PointDone)]
    # What else happens on the machine may have one rejected.
    assert Trust.OK not in {point.trust for point in points}
    assert any(event.code == "buffered" for event in only(events, Warned))
    (run,) = store.runs()
    assert (run.state, run.points) == (RunState.FAILED, len(points))
    judgement = judge(load_case(store, Voice(run.id)))
    assert all(not outcome.proposed for outcome in judgement.recommendations)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small filesystem")
def test_a_nearly_full_disk_is_refused_with_figures(store: Store, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    assert os.system(f"mount -t tmpfs -o size=300m none '{small}'") == 0
    try:
        with pytest.raises(NotEnoughSpace) as fault:
            list(measure(store, local(small), Silent(), CancelToken()))
    finally:
        os.system(f"umount '{small}'")
    assert "GiB must stay free" in fault.value.sentence


def test_a_preview_measures_nothing(disk: Path) -> None:
    events = list(preview(local(disk), Silent(), CancelToken()))
    assert isinstance(events[-1], PlanMade)
    assert events[-1].lines[0].startswith("Plan quick")


def test_a_look_tells_the_drive_under_the_directory(disk: Path) -> None:
    taken = until(look(TargetSpec(directory=str(disk)), Silent(), CancelToken()), InventoryTaken)
    storage = taken.inventory.role(Role.PROBE)
    assert storage is not None
    assert storage.filesystem
    assert storage.free_bytes


def test_a_connection_report_names_what_was_found(disk: Path) -> None:
    report = connection_report(TargetSpec(directory=str(disk)), Silent(), CancelToken())
    assert "the agent runs there" in report.lines[0]
