"""What the watch page draws, worked out: the timeline, latencies over time, the table."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from advisor.wording.watch.rows import where_time_goes
from app.presenters.charts.lanes import NOTHING
from app.presenters.charts.scales import WAITED, number
from app.presenters.watch.files import file_table
from app.presenters.watch.latencies import choices, heat_picture
from app.presenters.watch.load import load_sheets
from app.presenters.watch.page import about_watch, call_table, notes, telling, why_no_trace
from app.presenters.watch.timeline import (
    LaneMeasure,
    coloured,
    laid_on,
    measures,
    over_time,
    source_text,
)
from probes.inventory.facts import Inventory, Missing
from probes.watch.over_time import OverTime
from probes.watch.server_series import STATUS_ANSWER
from probes.watch.watched import StatusSeries, Watched
from probes.watch.words import Operation
from tests.app.window.machine import inventory
from tests.app.window.watched import SECONDS, watched
from tests.present import present


def seen() -> Inventory:
    return replace(inventory(), missing=())


def test_time_is_stacked_by_role_in_a_lane_for_each_operation() -> None:
    sheet = over_time(watched(), LaneMeasure.WAITING)
    assert [lane.title for lane in sheet.lanes] == [
        "Reads under way",
        "Writes under way",
        "Syncs under way",
    ]
    (data,) = sheet.lanes[0].traces
    assert (data.name, data.tone, data.summary, data.filled) == ("data", "series:0", "0.16", True)
    assert [spot.y for spot in data.spots] == pytest.approx([0.16] * SECONDS)
    assert sheet.lanes[0].up.high > 0.16
    redo = sheet.lanes[2].traces[0]
    assert (redo.name, redo.summary) == ("redo", "0.10")


def test_a_stack_lies_on_the_role_below_it_and_is_read_by_its_own_figure() -> None:
    lane = over_time(watched(), LaneMeasure.RATE).lanes[1]
    lower, upper = lane.traces
    assert (lower.name, upper.name) == ("redo", "data")
    assert lower.spots[0].y == pytest.approx(50)
    assert upper.spots[0].y == pytest.approx(70)
    assert upper.spots[0].text == "20.0/s"


def test_bytes_have_no_lane_of_syncs() -> None:
    sheet = over_time(watched(), LaneMeasure.BYTES)
    assert [lane.title for lane in sheet.lanes] == ["Reads, MiB/s", "Writes, MiB/s"]
    assert sheet.lanes[0].traces[0].spots[0].y == pytest.approx(200 * 16384 / 2**20)


def test_latencies_are_lines_with_the_range_of_the_mean_behind_the_first() -> None:
    lane = over_time(watched(), LaneMeasure.LATENCY).lanes[0]
    (data,) = lane.traces
    assert not data.filled
    assert data.spots[0].y == pytest.approx(math.log10(800))
    assert data.summary == "800\u202fµs"
    assert lane.band is not None
    assert lane.band[0] <= math.log10(800) <= lane.band[1]


def test_where_nobody_timed_files_devices_are_drawn() -> None:
    known = watched(trace=False, files=False)
    sheet = coloured(over_time(known, LaneMeasure.RATE))
    assert [(lane.title, lane.traces[0].name) for lane in sheet.lanes] == [
        ("Reads/s", "dm-0"),
        ("Writes/s", "dm-0"),
    ]
    assert sheet.lanes[0].traces[0].tone.startswith("series:")
    assert source_text(known) == "as the kernel counted"


def test_a_small_time_on_an_axis_is_in_a_unit_that_people_read() -> None:
    waited = [number(each, WAITED) for each in (5e-6, 5e-4, 0.002, 0.0, 3.0)]
    assert waited == ["5\u202fµs/s", "500\u202fµs/s", "0.002", "0", "3"]
    assert [number(each, "us") for each in (0.5, 5e-6, 1500)] == [
        "500\u202fns",
        "0.005\u202fns",
        "1.5\u202fms",
    ]
    assert number(5e-6, "") == "0.000005"


def test_what_any_server_counts_is_drawn_second_by_second() -> None:
    asked, stored = load_sheets(watched(trace=False, files=False))
    queries, at_work = asked.lanes
    assert {spot.text for spot in queries.traces[0].spots} == {"9.00/s"}
    assert [spot.y for spot in at_work.traces[0].spots][:3] == [3, 4, 2]
    (busy,) = stored.lanes
    assert (busy.title, busy.traces[0].name) == ("Disk busy", "dm-0")
    assert load_sheets(Watched(StatusSeries((0.0, 1.0), {}))) == (NOTHING, NOTHING)


def test_without_any_course_there_is_no_lane_and_no_choice() -> None:
    known = replace(watched(), over_time=OverTime())
    assert measures(known) == []
    assert over_time(known, LaneMeasure.RATE).lanes == ()
    assert choices(known) == []
    assert heat_picture(replace(known, over_time=None), "data read", "", 5) is None


def test_what_was_recorded_in_other_stretches_is_laid_on_the_first_ones() -> None:
    assert laid_on((0, 1, 2, 4), (4, 8, 1), (0, 2, 4)) == (6, 1)
    assert math.isnan(laid_on((0, 1), (4,), (0, 1, 2))[1])
    assert laid_on((0, 1, 2), (math.nan, 8), (0, 2)) == (8,)


def test_what_threads_wait_for_most_is_the_first_choice_and_devices_are_the_last() -> None:
    titles = [title for _, title in choices(watched())]
    assert titles == [
        "Data reads",
        "Redo syncs",
        "Data writes",
        "Redo writes",
        "dm-0 reads",
        "dm-0 writes",
        "vda reads",
    ]


def test_each_latency_has_a_cell_and_what_was_not_recorded_is_said() -> None:
    shown = heat_picture(watched(), "data read", "", 6)
    assert shown is not None
    assert len(shown.cells) == 3 * (2 * SECONDS - 1)
    assert shown.most == 79
    assert shown.blind == ((9.5, 10.0),)
    assert [name for name, _ in shown.lines] == ["p50", "p99"]
    half = dict(shown.lines)["p50"][0][1]
    assert 2**19.5 / 1e3 <= 10**half <= 2**20 / 1e3
    cell = shown.under(0.1, half)
    assert cell is not None
    assert dict(shown.hover_rows(cell))["As fast or faster"] == "99\u202f%"
    assert shown.when(cell) == "0 to 0.5\u202fs"
    assert shown.under(0.1, 5.9) is None
    assert "Traced in the kernel" in shown.note


def test_without_a_trace_the_mean_is_drawn_and_why_is_said() -> None:
    missing = (Missing("watch.trace", "only root can trace"),)
    because = why_no_trace(missing)
    shown = heat_picture(watched(trace=False), "redo sync", because, 6)
    assert shown is not None
    assert shown.cells == ()
    ((name, line),) = shown.lines
    assert name == "mean"
    assert {round(10**level) for _, level in line} == {2000}
    assert shown.note == (
        "The mean of each stretch as the server timed it: nothing was traced, "
        "because only root can trace."
    )


def test_the_table_is_by_time_waited_with_the_range_on_one_axis() -> None:
    table = call_table(watched())
    assert [row.texts[0] for row in table.rows][:2] == ["Data reads", "Redo syncs"]
    low, mean, high = table.rows[0].bounds or (0, 0, 0)
    assert mean == pytest.approx(math.log10(800))
    assert low <= mean <= high
    assert all(
        table.scale.low <= end <= table.scale.high for row in table.rows for end in row.bounds or ()
    )


def test_the_headline_says_where_the_time_goes() -> None:
    assert where_time_goes(watched()) == (
        "0.26 threads at a time are in file I/O: 61\u202f% in data reads (800\u202fµs each) and "
        "38\u202f% in redo syncs (2\u202fms)."
    )


def test_without_timed_files_the_headline_is_of_the_disk() -> None:
    known = watched(trace=False, files=False)
    assert where_time_goes(known).startswith("dm-0 is busy 30\u202f% of the time")
    bare = replace(known, machine=None)
    assert where_time_goes(bare) == "2.9 queries were at work on average, 4 at most."


def test_what_could_not_be_seen_is_said_with_its_reason() -> None:
    missing = (Missing("watch.trace", "only root can trace"), Missing("host", "of something"))
    said = list(about_watch(watched(trace=False), replace(seen(), missing=missing)))
    assert said[-1] == "Nothing was traced: only root can trace."
    assert not any("of something" in each for each in said)
    short = replace(seen(), missing=(Missing(STATUS_ANSWER, "the connection was lost"),))
    ended = "The server was not watched to the end: the connection was lost."
    assert next(iter(notes(watched(), short))) == ended
    assert ended not in about_watch(watched(), short)


def test_lines_are_broken_where_nothing_was_recorded() -> None:
    known = watched().over_time
    assert known is not None
    cells = tuple(one for one in known.latencies[0].cells if one[0] not in (4, 5))
    recorded = tuple(0.0 if at in (4, 5) else 1.0 for at in range(2 * SECONDS))
    paused = replace(known.latencies[0], cells=cells, recorded=recorded)
    seen = replace(watched(), over_time=replace(known, latencies=(paused,)))
    shown = heat_picture(seen, "data read", "", 6)
    assert shown is not None
    assert [(name, len(line)) for name, line in shown.lines] == [
        ("p50", 4),
        ("p50", 2 * SECONDS - 7),
        ("p99", 4),
        ("p99", 2 * SECONDS - 7),
    ]


def test_lines_are_broken_where_no_request_ended_for_long() -> None:
    """Not where each second's writes stand alone, in stretches of half a second."""
    known = watched().over_time
    assert known is not None
    cells = tuple(
        one for one in known.latencies[0].cells if one[0] % 2 == 0 and one[0] not in (6, 8, 12)
    )
    sparse = replace(known.latencies[0], cells=cells, recorded=(1.0,) * (2 * SECONDS))
    seen = replace(watched(), over_time=replace(known, latencies=(sparse,)))
    shown = heat_picture(seen, "data read", "", 6)
    assert shown is not None
    # From 2 to 5 s there is a gap; the one write that is missing at 6 s makes none.
    assert [(name, len(line)) for name, line in shown.lines] == [
        ("p50", 3),
        ("p50", 4),
        ("p99", 3),
        ("p99", 4),
    ]


def test_what_no_thread_waits_for_is_no_first_choice() -> None:
    known = watched()
    reads, *others = known.files
    assert (reads.role, reads.operation) == ("data", Operation.READ)
    behind = replace(known, files=(replace(reads, queued=1.0), *others))
    assert next(title for _, title in choices(behind)) == "Redo syncs"
    assert call_table(behind).rows[0].texts[0] == "Redo syncs"


def test_a_legend_says_what_the_table_says() -> None:
    known = watched()
    for row in call_table(known).rows:
        role, _, noun = row.texts[0].rpartition(" ")
        lane = next(
            one
            for one in over_time(known, LaneMeasure.WAITING).lanes
            if one.title.startswith(noun.capitalize())
        )
        for trace in lane.traces:
            if trace.name == role.lower():
                assert trace.summary == row.texts[-2]


def test_a_layer_that_is_all_outline_has_none() -> None:
    sheet = over_time(watched(), LaneMeasure.WAITING)
    assert [(one.name, one.outlined) for one in sheet.lanes[1].traces] == [
        ("data", True),
        ("redo", True),
    ]
    known = present(watched().over_time)
    thin = tuple(
        replace(one, waiting=tuple(each / 100 for each in one.waiting))
        if (one.of, one.operation) == ("redo", Operation.WRITE)
        else one
        for one in known.files
    )
    sheet = over_time(replace(watched(), over_time=replace(known, files=thin)), LaneMeasure.WAITING)
    assert all(one.outlined for one in sheet.lanes[1].traces if one.name == "data")
    assert not [one for one in sheet.lanes[1].traces if one.name == "redo" and one.outlined]


def finer(known: OverTime) -> OverTime:
    """The same, the syncs in stretches half as long, the first of which is not known."""
    (syncs,) = (one for one in known.files if one.operation is Operation.SYNC)
    rest = tuple(one for one in known.files if one is not syncs)
    edges = tuple(at / 2 for at in range(2 * SECONDS + 1))
    double = [
        (math.nan, *(value for value in values for _ in range(2)))[: 2 * SECONDS]
        for values in (syncs.per_s, syncs.bytes_per_s, syncs.latency_us, syncs.waiting)
    ]
    per_s, size, latency, waiting = double
    again = replace(
        syncs, edges_s=edges, per_s=per_s, bytes_per_s=size, latency_us=latency, waiting=waiting
    )
    return replace(known, files=(*rest, again))


def test_stretches_of_another_length_do_not_change_what_comes_first() -> None:
    known = watched().over_time
    assert known is not None
    seen = replace(watched(), over_time=finer(known))
    assert [title for _, title in choices(seen)][:2] == ["Data reads", "Redo syncs"]
    syncs = over_time(seen, LaneMeasure.WAITING).lanes[2].traces[0]
    assert syncs.summary == "0.10"


def test_a_stack_ends_where_one_of_its_parts_is_not_known() -> None:
    known = watched().over_time
    assert known is not None
    courses = tuple(
        replace(one, per_s=(math.nan, *one.per_s[1:])) if one.of == "redo" else one
        for one in known.files
    )
    seen = replace(watched(), over_time=replace(known, files=courses))
    lower, upper = over_time(seen, LaneMeasure.RATE).lanes[1].traces
    assert [spot.x for spot in lower.spots] == [spot.x for spot in upper.spots]
    assert len(lower.spots) == SECONDS - 1


def test_files_stand_in_the_colours_of_their_roles_the_others_in_one_row() -> None:
    table = file_table(watched())
    assert [(row.texts[0], row.texts[1], row.tone) for row in table] == [
        ("shop/orders.ibd", "data", "series:0"),
        ("#innodb_redo/#ib_redo7", "redo", "series:1"),
        ("/mnt/old/shop/archive.ibd", "data", "series:0"),
        ("2 other files", "", "growing"),
    ]
    assert [row.path for row in table][0::3] == ["/data/shop/orders.ibd", ""]
    assert table[0].texts[2].replace("\u202f", " ") == "150/s"
    assert table[0].texts[-1] == "0.12"
    assert file_table(watched(files=False)) == ()


def test_files_outside_of_the_data_directory_are_told_of() -> None:
    said = " ".join(notes(watched(), seen())).replace("\u202f", " ")
    assert "Tables' files outside of the data directory take 25 % of the reads" in said


def test_what_takes_next_to_no_time_is_listed_on_demand() -> None:
    whole = call_table(watched())
    rows = tuple(replace(each, weighty=at == 0) for at, each in enumerate(whole.rows * 4))
    assert telling(replace(whole, rows=rows)).rows == rows[:1]
    # A button for a row or two takes as much room as they do, and a table is not emptied.
    assert telling(replace(whole, rows=rows[:2])).rows == rows[:2]
    assert telling(replace(whole, rows=rows[1:])).rows == rows[1:]
