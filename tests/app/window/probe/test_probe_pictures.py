"""Each probe has the axis, the unit and the names that it needs."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from app.presenters.charts.axes import Along
from app.presenters.charts.curves import Picture, pictures
from app.presenters.charts.point_text import point_rows, remarks
from app.presenters.charts.readout import point_texts, trust_key
from app.presenters.charts.scene import SceneOptions, latency_scene, rate_scene
from app.views.charts.markers import dash_of, sides_of
from probes.kinds.kind import Kind
from probes.kinds.words import setting_line
from probes.plans.build.builtin import make_plan
from probes.plans.plan import PlanName
from probes.points import EndedBy, LimitedBy, Point, Probe, Setting, Trust
from tests.app.window.replay import PARTS, replayed
from tests.points import doubted

THIN = "\u202f"


def planned(*kinds: Kind) -> list[Setting]:
    plan = make_plan(
        PlanName.QUICK,
        directory="/data",
        kinds=frozenset(kinds),
        working_sets=("cached",),
        sandbox=True,
    )
    return [step.setting for step in plan.steps]


def measured(settings: list[Setting]) -> list[Point]:
    made = []
    for setting in settings:
        parts = PARTS if setting.probe is Probe.MIXED else ("",)
        for part in parts:
            options = {**setting.options, "part": part} if part else setting.options
            made.append(replayed(replace(setting, options=options)))
    return made


def of(probe: Probe, found: list[Picture]) -> list[Picture]:
    return [picture for picture in found if picture.probe is probe]


def test_redo_lies_along_sizes_and_along_committers() -> None:
    by_size, by_committers = of(Probe.REDO_SYNC, pictures(measured(planned(Kind.REDO))))
    assert (by_size.axis.title, by_size.aspect) == ("Block size", "By block size")
    assert (by_committers.axis.title, by_committers.aspect) == ("Committers", "By committers")
    assert by_committers.unit == "commits"
    assert by_committers.axis.where(4.0) == "At 16 committers"
    assert {point.setting.threads for point in by_size.points} == {1}
    assert all(len(series.points) > 1 for series in by_committers.series)
    names = [series.name for series in by_size.series]
    assert "fsync" in names
    assert any("growing log" in name for name in names)
    assert len(names) == len(set(names))


def test_page_flush_counts_cleaners_and_pages() -> None:
    (picture,) = of(Probe.PAGE_FLUSH, pictures(measured(planned(Kind.FLUSH))))
    assert (picture.axis.title, picture.unit) == ("Page cleaners", "pages")
    assert picture.latency_of == "Latency of a batch"
    assert [series.name for series in picture.series] == [
        f"doublewrite off, 16{THIN}KiB",
        f"doublewrite on, 16{THIN}KiB",
        f"pre-8.0.20 doublewrite, 16{THIN}KiB",
    ]


def test_mixed_lies_along_what_is_flushed_part_by_part() -> None:
    found = of(Probe.MIXED, pictures(measured(planned(Kind.MIXED))))
    assert [picture.aspect for picture in found] == ["Reads", "Redo", "Flushing"]
    assert [picture.unit for picture in found] == ["reads", "commits", "pages"]
    reads = found[0]
    assert reads.axis.along is Along.FLUSH_RATE
    assert reads.axis.title == "Flushing asked for, pages/s"
    texts = [text for _, text in rate_scene(reads, None, SceneOptions()).across.ticks]
    assert texts[:3] == ["none", "250", "500"]
    assert texts[3] == f"1{THIN}k"
    assert texts[-1] == "max"
    assert reads.axis.where(reads.positions[0]) == "Without flushing"
    assert reads.axis.where(reads.positions[-1]) == "Flushing at full speed"
    assert reads.series[0].name == "1 reader"
    places = [reads.axis.place(one.setting) for one in reads.series[0].points]
    assert places == sorted(places)
    assert len(set(places)) == len(places)


def test_a_plan_of_mixed_promises_all_its_parts() -> None:
    found = of(Probe.MIXED, pictures([], planned(Kind.MIXED)))
    assert [picture.part for picture in found] == ["reads", "redo", "flush"]
    assert all(not picture.series and len(picture.planned) > 5 for picture in found)


def test_a_second_engine_has_curves_of_its_own() -> None:
    own = [replayed(Setting(Probe.RANDOM_READ, n, 16384, 1, "/data")) for n in (1, 16)]
    other = [replace(one, engine="fio", rate_per_s=one.rate_per_s * 1.1) for one in own]
    (picture,) = pictures([*own, *other])
    assert [series.name for series in picture.series] == [
        f"16{THIN}KiB, replay 1",
        f"16{THIN}KiB, fio",
    ]


def test_an_adaptive_run_that_is_over_reaches_as_far_as_it_was_measured() -> None:
    coming = [Setting(Probe.RANDOM_READ, 2**n, 16384, 1, "/data") for n in range(9)]
    few = [replayed(coming[0]), replayed(coming[3])]
    (growing,) = pictures(few, coming)
    (over,) = pictures(few, coming, over=True)
    assert max(growing.planned) == 8.0
    assert over.planned == (0.0, 3.0)


def test_more_than_six_curves_still_differ_in_drawing() -> None:
    looks = {(index % 6, dash_of(index), sides_of(index)) for index in range(36)}
    assert len(looks) == 36


@pytest.fixture
def bare() -> Point:
    """A point as a published table gives it."""
    unknown = math.nan
    known = replayed(Setting(Probe.RANDOM_READ, 8, 16384))
    return replace(
        known,
        ci95_per_s=(unknown, unknown),
        latency=replace(known.latency, p50_us=unknown, p95_us=unknown, p99_us=unknown),
        cpu_user_us_per_op=unknown,
        histogram="",
        operations=0,
        ended_by=EndedBy.UNKNOWN,
    )


def test_unknown_figures_are_dashes_and_no_marks(bare: Point) -> None:
    rows = dict(point_rows(bare))
    assert rows["p95"] == "–"
    assert "±" not in rows["Rate"]
    assert "CPU per operation" not in rows
    assert "Measured" not in rows
    (picture,) = pictures([bare])
    texts = [text for text, _ in point_texts(picture.series[0], bare, picture)]
    assert texts[2:4] == ["–", "–"]
    (mark,) = rate_scene(picture, None, SceneOptions()).traces[0].marks
    assert mark.low == mark.high == mark.y
    (mark,) = latency_scene(picture, None, SceneOptions()).traces[0].marks
    assert math.isnan(mark.y)


def test_an_interval_that_knows_nothing_leaves_the_axis_alone() -> None:
    one = replayed(Setting(Probe.RANDOM_READ, 8, 16384))
    wild = replace(one, ci95_per_s=(-one.rate_per_s * 9, one.rate_per_s * 11))
    (picture,) = pictures([wild])
    assert rate_scene(picture, None, SceneOptions()).up.high < 2 * one.rate_per_s


def test_what_ended_and_limited_a_point_is_said() -> None:
    one = replayed(Setting(Probe.RANDOM_READ, 8, 16384))
    assert remarks(one).startswith("Within ±")
    slow = replace(
        one,
        ended_by=EndedBy.TIME,
        limited_by=LimitedBy.PROBER,
        trust=Trust.REJECTED,
        doubts=doubted("faster than its bus"),
    )
    assert "Its time was up" in remarks(slow)
    assert "The prober itself was the limit" in remarks(slow)
    assert remarks(slow).startswith("Rejected: Faster than its bus.")
    (picture,) = pictures(
        [
            replace(slow, trust=Trust.DOUBTFUL),
            replace(slow, setting=Setting(Probe.RANDOM_READ, 16, 16384)),
        ]
    )
    assert trust_key(picture, SceneOptions()) == "○ 1 doubtful  × 1 rejected, hidden"
    assert trust_key(picture, SceneOptions(show_rejected=True)).endswith("1 rejected")


def test_what_a_group_of_commits_and_a_batch_are_made_of() -> None:
    redo = replayed(Setting(Probe.REDO_SYNC, 16, 512, options={"sync": "fdatasync"}))
    rows = dict(point_rows(replace(redo, details={"commits_per_sync": 7.25})))
    assert rows["Commits per sync"] == "7.25"
    flush = replayed(Setting(Probe.PAGE_FLUSH, 1, 16384, options={"doublewrite": "on"}))
    parts = {"doublewrite_us": 2000.0, "pages_us": 9000.0, "sync_us": 400.0}
    assert dict(point_rows(replace(flush, details=parts)))["A batch"].startswith("doublewrite 2")


def test_mixed_in_words() -> None:
    options = {"part": "redo", "flush_per_s": "2000", "sync": "fdatasync", "doublewrite": "on"}
    said = setting_line(Setting(Probe.MIXED, 16, 16384, options=options))
    assert said == (
        f"mixed load: redo 16{THIN}KiB, fdatasync, doublewrite on, 2,000 pages/s flushed, "
        "16 readers"
    )
