from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from advisor.case import Case
from advisor.gain import Stakes
from advisor.outcomes import Judgement, NotJudged, Verdict
from advisor.plan.change_plan import ChangePlan, PlanForecast
from advisor.run import RunLabel, RunState, RunSummary
from advisor.runs.events import Finished, PlanMade, Progressed, RunStarted, Stage, StageStarted
from advisor.why import Lacks
from app.controllers.run import LiveRun, together
from app.controllers.stored_runs import Shelf
from app.presenters.advice import rows as advice_rows
from app.presenters.charts import conditions
from app.presenters.charts.curves import pictures
from app.presenters.compare.candidates import candidates
from app.presenters.compare.candidates import found as candidates_with
from app.presenters.frame import headlines as sentences
from app.presenters.frame.sidebar_rows import rows as library_rows
from app.presenters.frame.sidebar_rows import with_live
from app.presenters.overview import facts as overview
from app.presenters.probe.guard import guard_text
from app.presenters.texts.groups import RuleGroup
from app.presenters.texts.times import moment
from app.presenters.texts.typesetting import quoted
from probes.errors import LeadlineError
from probes.events import (
    CanaryBeat,
    EngineReady,
    PointDone,
    PointStarted,
    Preparing,
    SampleTaken,
    Warned,
)
from probes.inventory.facts import Inventory
from probes.inventory.server_process import ServerProcess
from probes.plans.build.builtin import make_plan
from probes.plans.plan import PlanName
from probes.points import Latency, LimitedBy, Probe, Sample, Setting, Trust
from probes.statistics.ranges import Range
from probes.targets.address import SshAddress, TargetKind, TargetSpec
from tests.app.window.machine import inventory
from tests.app.window.replay import replayed
from tests.app.window.replayed_advice import judgement

NOW = datetime(2026, 3, 4, 15, 0, tzinfo=timezone(timedelta(hours=1)))
THIN = "\u202f"


def measured_run(*threads: int, state: RunState = RunState.DONE) -> LiveRun:
    run = LiveRun("local", "quick", state)
    run.points = tuple(
        replace(replayed(Setting(Probe.RANDOM_READ, n, 16384, 1, "/data")), id=n) for n in threads
    )
    return run


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2026-03-04T13:02:59+00:00", "Today 14:02"),
        ("2026-03-03T23:30:00+00:00", "Today 00:30"),
        ("2026-03-03T13:02:00", "Yesterday 14:02"),
        ("2026-01-09T13:02:00+00:00", "9 Jan 14:02"),
        ("2025-12-31T22:02:00+00:00", "31 Dec 2025 23:02"),
        ("soon", "soon"),
    ],
)
def test_moments(text: str, said: str) -> None:
    assert moment(text, NOW) == said


def test_the_overview_says_what_the_machine_is() -> None:
    said = sentences.of_inventory(inventory())
    assert said.startswith(
        f"MySQL 8.4.8 on 32 processors and 64{THIN}GiB of memory; its data lies on"
    )
    assert "2 disks (nvme0n1, nvme1n1)" in said
    granted = replace(
        inventory(), server_process=ServerProcess(7, memory_limit_bytes=8 << 30, cpu_limit=1.5)
    )
    assert sentences.of_inventory(granted).startswith(
        f"MySQL 8.4.8 on 1.5 of 32 processors and 8 of 64{THIN}GiB of memory; its data lies on"
    )
    assert granted.host is not None
    rows = {row.label: row.text for row in overview.host_rows(granted, granted.host)}
    assert rows["Granted"] == f"1.5 of the threads, 8{THIN}GiB of memory"
    assert sentences.of_inventory(Inventory("now")) == "Nothing could be read from this target."


def test_what_is_unknown_has_no_row() -> None:
    host = inventory().host
    assert host is not None
    bare = replace(host, kernel="", swap_bytes=None)
    labels = [row.label for row in overview.host_rows(inventory(), bare)]
    assert "Kernel" not in labels
    assert "Swap" not in labels
    assert "Memory" in labels


def test_settings_are_said_with_size_and_origin() -> None:
    mysql = inventory().mysql
    assert mysql is not None
    found = {row.label: (row.text, row.note) for row in overview.setting_rows(mysql)}
    assert found["innodb_buffer_pool_size"] == (f"32{THIN}GiB", "default")
    assert found["innodb_io_capacity"] == ("200", "default")


@pytest.mark.parametrize(
    ("running", "waits", "told"),
    [(1, 1, "1 thread running  ·  1 row-lock wait"), (2, 0, "2 threads running  ·  0 row-lock w")],
)
def test_the_guard_counts(running: int, waits: int, told: str) -> None:
    assert told in guard_text(CanaryBeat(200.0, 180.0, 50_180.0, running, waits))


def test_a_run_takes_events() -> None:
    run = LiveRun("local", "quick", RunState.RUNNING)
    plan = make_plan(PlanName.QUICK, directory="/data")
    setting = plan.steps[0].setting
    run.take(StageStarted(Stage.CONNECT, "Connecting."))
    assert sentences.of_run(run) == "Connecting."
    run.take(PlanMade(plan, ("Plan quick.",)))
    run.take(RunStarted(7))
    run.take(EngineReady("agent", "1.0", 20, 130))
    run.take(Preparing("files", 1 << 29, 1 << 30))
    assert sentences.of_run(run) == f"Filling files: 50{THIN}%"
    run.take(PointStarted(setting, 0, 33))
    assert sentences.of_run(run).endswith("warming up.")
    run.take(SampleTaken(setting, Sample(-0.1, 1.0, 1.0, 1.0)))
    assert run.growing is not None
    assert run.growing.rate_per_s is None
    run.take(SampleTaken(setting, Sample(0.2, 9000.0, 100.0, 120.0)))
    assert f"9.00{THIN}k reads/s so far" in sentences.of_run(run)
    run.take(Progressed(0.25, 60.0))
    run.take(Warned("drift", "It drifts."))
    for event in together(iter([PointDone(replayed(setting), ())])):
        run.take(event)
    assert [run.growing, len(run.points), run.fraction] == [None, 1, 0.25]
    assert (run.engine, run.warnings, run.run_id) == ("agent 1.0", ["It drifts."], 7)
    case = Case("local", inventory(), tuple(run.points), 7)
    run.take(Finished(7, case, Judgement()))
    done = run.end(RunState.DONE)
    assert not done.running
    assert done.inventory is case.inventory
    assert (done.engine, done.run_id, done.state) == ("agent 1.0", 7, RunState.DONE)


def test_the_sentence_names_peak_and_knee() -> None:
    said = sentences.of_run(measured_run(1, 2, 4, 8, 16, 32, 64))
    run = measured_run(1, 2, 4, 8, 16, 32, 64)
    peak = max(one.rate_per_s for one in run.points)
    enough = next(one for one in run.points if one.rate_per_s >= 0.9 * peak)
    assert f"16{THIN}KiB random reads reach {peak / 1000:.1f}{THIN}k/s at 64 threads" in said
    assert f"{enough.setting.threads} threads already give" in said


def test_the_sentence_is_of_what_is_drawn_below_it() -> None:
    run = measured_run(1, 8)
    on, off = ({"doublewrite": told} for told in ("on", "off"))
    for threads in (1, 4):
        for told in (on, off):
            flush = Setting(Probe.PAGE_FLUSH, threads, 16384, options=told)
            run.points = (*run.points, replayed(flush))
    *_, flushed = pictures(run.points)
    assert "random reads reach" in sentences.of_run(run)
    said = sentences.of_run(run, flushed)
    assert said.startswith(f"16{THIN}KiB page flushes (doublewrite on) reach ")
    assert "pages/s at " in said
    assert "page cleaner" in said


def test_a_lone_point_that_is_doubtful_says_so() -> None:
    run = measured_run(1)
    run.points = (replace(run.points[0], trust=Trust.DOUBTFUL),)
    said = sentences.of_run(run)
    assert " reads/s (doubtful), p95 " in said
    run.points = (replace(run.points[0], latency=Latency(*[math.nan] * 6)),)
    assert sentences.of_run(run).endswith(" (doubtful).")


def test_a_peak_that_the_processors_held_back_is_the_least_that_the_drive_gives() -> None:
    run = measured_run(1, 2, 4)
    run.points = tuple(replace(one, limited_by=LimitedBy.CPU) for one in run.points)
    said = sentences.of_run(run)
    assert " reach at least " in said
    assert said.endswith("threads: the CPUs limited, not the drive.")


def test_a_wide_interval_proves_no_knee() -> None:
    run = measured_run(1, 2, 4, 8, 16, 32, 64)
    run.points = tuple(
        replace(one, ci95_per_s=(0.6 * one.rate_per_s, 1.4 * one.rate_per_s)) for one in run.points
    )
    assert sentences.of_run(run).endswith("there.")


def test_a_falling_curve_needs_no_knee() -> None:
    run = measured_run(1, 2)
    run.points = (run.points[0], replace(run.points[1], rate_per_s=10.0))
    assert sentences.of_run(run).endswith("there.")


def test_rejected_points_feed_no_sentence() -> None:
    run = measured_run(1, 2)
    run.points = tuple(replace(one, trust=Trust.REJECTED) for one in run.points)
    assert "reach" not in sentences.of_run(run)
    run.state = RunState.FAILED
    assert sentences.of_run(run) == "The run failed: nothing was measured that can be used."
    run.state = RunState.CANCELLED
    assert sentences.of_run(run) == "Cancelled after 2 points, which are kept."


@pytest.mark.parametrize(
    ("state", "points", "said"),
    [
        (RunState.CANCELLED, (1, 2), "Cancelled after 2 points, which are kept."),
        (RunState.CANCELLED, (), "Cancelled before the first point."),
        (RunState.INTERRUPTED, (1,), "Interrupted after 1 point, which is kept."),
        (RunState.FAILED, (1, 2), "The run failed after 2 points. "),
        (RunState.FAILED, (), "The run failed: nothing was measured that can be used."),
    ],
)
def test_a_run_cut_short_says_what_it_kept(
    state: RunState, points: tuple[int, ...], said: str
) -> None:
    assert sentences.of_run(measured_run(*points, state=state)).startswith(said)


def test_conditions_tell_in_what_memory_blocks_lay() -> None:
    run = measured_run(1, 2)
    run.points = tuple(replace(point, details={"buffers": "ordinary"}) for point in run.points)
    made = make_plan(PlanName.QUICK, directory="/data")
    run.plan = replace(made, buffers_because="a reason")
    assert dict(conditions.rows(run, NOW))["Buffers"] == "ordinary pages: a reason"


def test_conditions_count_doubtful_points() -> None:
    run = measured_run(1, 2)
    first, *others = run.points
    run.points = (replace(first, trust=Trust.DOUBTFUL, direct=False), *others)
    found = dict(conditions.rows(run, NOW))
    assert found["Points"] == "2 points, 1 doubtful"
    assert found["I/O"] == "through the page cache"
    assert found["Directory"] == "/data"


def test_advice_is_listed_by_verdict() -> None:
    judged = judgement(Case("local", inventory(), tuple(measured_run(1, 8).points)))
    found = advice_rows.rows(judged, {})
    listed = advice_rows.listed(found, {RuleGroup.FINE})
    headings = [row.title for row in listed if isinstance(row, advice_rows.GroupHeading)]
    assert headings == [
        "Changes",
        "Keep an eye on",
        "Open",
        "Fine",
        "Not judged",
        "Not applicable",
    ]
    assert listed[6] == advice_rows.GroupHeading(RuleGroup.FINE, 1, folded=True)
    assert listed[7] == advice_rows.GroupHeading(RuleGroup.NOT_JUDGED, 1)
    first = found[0]
    assert (first.title, first.detail) == (
        "innodb_io_capacity",
        "200 → 2000 · saves 35 to 70\u202f%",
    )
    assert advice_rows.marked(first.outcome) == {1, 8}
    case = Case("local", inventory(), tuple(measured_run(1).points))
    said = sentences.of_judgement(judged, case, RunState.DONE)
    set_it = "set innodb_io_capacity to 2000 (saves 35 to 70\u202f% of query time). "
    assert said.startswith(f"1 change: {set_it}")
    saves = Range(0.3, 0.2, 0.4)
    forecast = PlanForecast(8, 100.0, Range(148.0, 120.0, 190.0), Range(1.48, 1.2, 1.9), saves)
    plan = ChangePlan("local", forecast=forecast)
    said = sentences.of_judgement(judged, case, RunState.DONE, plan)
    assert said.startswith(f"+48\u202f% queries with 1 change: {set_it}")
    assert [row.rule for row in found if row.choosable] == ["flushing.io-capacity"]
    watched = replace(judged.recommendations[1], stakes=Stakes.DATA)
    risky = replace(judged, recommendations=(judged.recommendations[0], watched))
    said = sentences.of_judgement(risky, case, RunState.DONE)
    assert said.startswith("1 risk to data. 1 change: ")


def test_what_is_not_judged_stands_under_its_reasons_the_commonest_first() -> None:
    became = (
        Lacks("mysql.version", "no account was named"),
        Lacks("volume.request_limits", "the rates swing too much"),
        Lacks("host.kernel", "the kernel does not report it"),
        Lacks("volume.throughput_limits", "the rates swing too much"),
    )
    outcomes = tuple(NotJudged(f"a.rule-{at}", f"Rule {at}", why) for at, why in enumerate(became))
    listed = advice_rows.listed(advice_rows.rows(Judgement((), outcomes), {}), set())
    heading, swing, *limits, alone, first, second = listed
    assert heading == advice_rows.GroupHeading(RuleGroup.NOT_JUDGED, 4)
    assert swing == advice_rows.SilentReason("The rates swing too much", 2)
    assert [one.rule for one in limits if isinstance(one, advice_rows.AdviceRow)] == [
        "a.rule-1",
        "a.rule-3",
    ]
    assert alone == advice_rows.SilentReason("Other reasons", 2)
    for row, rule in ((first, "a.rule-0"), (second, "a.rule-2")):
        assert isinstance(row, advice_rows.AdviceRow)
        assert row.rule == rule
    lone = advice_rows.rows(Judgement((), outcomes[:1]), {})
    assert len(advice_rows.listed(lone, set())) == 2


def test_nothing_to_change_is_an_answer() -> None:
    case = Case("local", inventory(), tuple(measured_run(1).points))
    judged = judgement(case)
    fine = tuple(one for one in judged.recommendations if one.verdict is Verdict.FINE)
    said = sentences.of_judgement(Judgement(fine), case, RunState.DONE)
    assert said == "1 of the 1 rules that apply were judged, and nothing needs a change."


def summary(run_id: int, target: str, state: RunState = RunState.DONE) -> RunSummary:
    return RunSummary(run_id, target, "quick", state, "", "2026-03-04T13:02:00+00:00", "", 12)


@pytest.mark.parametrize(
    ("doubted", "icon", "tone"),
    [(0, "circle-check", "good"), (4, "triangle-alert", "warn"), (9, "triangle-alert", "bad")],
)
def test_a_run_that_ended_has_the_verdict_on_its_points(doubted: int, icon: str, tone: str) -> None:
    run = replace(summary(1, "local"), doubted=doubted)
    now = datetime.now(UTC)
    [listed] = library_rows(Shelf((TargetSpec(),), (run,)), "", now)
    assert (listed.runs[0].icon, listed.runs[0].tone) == (icon, tone)
    assert (f"12 points, {doubted} doubtful." in listed.runs[0].tip) == bool(doubted)
    [row] = candidates(Shelf((TargetSpec(),), (run,)), [], now)
    assert (f"{doubted} doubtful" in row.detail) == bool(doubted)


def test_what_can_be_compared_is_told_apart_by_target_drive_and_directory() -> None:
    run = replace(summary(1, "db7"), drive="virtio vda", directory="/srv/mysql")
    fast = replace(run, id=2, drive="NVMe nvme0n1", label=RunLabel(project="Purchase"))
    there, here = candidates(Shelf((TargetSpec(),), (fast, run)), [], datetime.now(UTC))
    assert (there.group, there.place) == ("Purchase", "db7, NVMe nvme0n1, /srv/mysql")
    # The heading says the target already.
    assert (here.group, here.place) == ("db7", "virtio vda, /srv/mysql")
    assert [row.name for row in candidates_with([there, here], "nvme0n1")] == [there.name]


def test_the_sidebar_lists_targets_with_their_runs() -> None:
    db7 = TargetSpec(TargetKind.SSH, "db7", SshAddress("db7.example", 2222, "root"))
    shelf = Shelf((TargetSpec(), db7), (summary(2, "db7"), summary(1, "local", RunState.FAILED)))
    here, there = library_rows(shelf, "", NOW)
    assert (here.title, here.removable) == ("This computer", False)
    assert (there.detail, there.removable) == ("root@db7.example:2222", True)
    assert (here.runs[0].tone, there.runs[0].title) == ("bad", "Today 14:02")
    assert [row.name for row in library_rows(shelf, "DB7", NOW)] == ["db7"]
    assert library_rows(shelf, "nothing of it", NOW) == []


def test_many_runs_stand_under_their_months() -> None:
    days = [replace(summary(1, "local"), started_at=f"2026-03-0{day}T10:00:00") for day in (4, 3)]
    older = [
        replace(summary(1, "local"), started_at=f"2025-12-{day}T10:00:00") for day in range(11, 22)
    ]
    found = [replace(one, id=at) for at, one in enumerate([*days, *reversed(older)])]
    (few,) = library_rows(Shelf((TargetSpec(),), tuple(found[:12])), "", NOW)
    assert {row.month for row in few.runs} == {""}
    (many,) = library_rows(Shelf((TargetSpec(),), tuple(found)), "", NOW)
    assert Counter(row.month for row in many.runs) == {"": 2, "December 2025": 11}


def test_a_command_in_a_sentence_stands_in_quotation_marks() -> None:
    said = "It is not known. `leadline probe storage` measures it."
    assert quoted(said) == "It is not known. “leadline probe storage” measures it."
    assert quoted("A ` alone stays.") == "A ` alone stays."


def test_a_running_run_shows_how_far_it_is() -> None:
    shelf = Shelf((TargetSpec(),), (summary(3, "local", RunState.RUNNING),))
    run = LiveRun("local", "quick", RunState.RUNNING, run_id=3, fraction=0.4)
    (row,) = with_live(library_rows(shelf, "", NOW), shelf, (run,), NOW)
    assert row.runs[0].share == 0.4


def test_an_error_in_a_run_is_kept() -> None:
    run = measured_run(1, state=RunState.RUNNING)
    run.end(RunState.FAILED, LeadlineError("The disk is full.", "Free some space."))
    assert run.reason == "The disk is full."
    assert sentences.of_run(run).startswith("The run failed after 1 point.")
