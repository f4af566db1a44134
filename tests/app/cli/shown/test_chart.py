"""The curve in the terminal stands where its figures are."""

from __future__ import annotations

import math
from itertools import pairwise

from app.cli.shown.chart import chart, timeline
from probes.points import Probe, Sample, Setting, Trust
from tests.advisor.compare.contenders import rated, reads

RATES = {1: 1000.0, 2: 2000.0, 4: 4000.0, 8: 8000.0}
PLANNED = [each.setting for each in reads(dict.fromkeys((1, 2, 4, 8, 16, 32), 1.0))]


def drawn(*args: object) -> list[str]:
    return chart(*args).plain.split("\n")  # type: ignore[arg-type]


def dots(lines: list[str], mark: str = "o") -> list[tuple[int, int]]:
    """Column and row of each point, from the left."""
    found = [
        (column, row)
        for row, line in enumerate(lines)
        for column, sign in enumerate(line)
        if sign == mark and "│" in line
    ]
    return sorted(found)


def test_points_rise_to_the_right_and_fit() -> None:
    lines = drawn(reads(RATES, within=0.001), PLANNED, 80, 20)
    assert len(lines) <= 20
    assert max(map(len, lines)) <= 80
    places = dots(lines)
    assert len(places) == 4
    rows = [row for _, row in places]
    assert rows == sorted(rows, reverse=True)
    assert len(set(rows)) == 4
    steps = [after[0] - before[0] for before, after in pairwise(places)]
    assert max(steps) - min(steps) <= 1, "one doubling is as wide as another"


def test_the_axis_reaches_over_all_that_is_planned() -> None:
    lines = drawn(reads({1: 1000.0}), PLANNED, 80, 20)
    (below,) = [line for line in lines if line.endswith("threads")]
    assert below.split() == ["1", "2", "4", "8", "16", "32", "threads"]
    assert lines[0].strip() == "reads/s"


def test_intervals_are_drawn_as_bars() -> None:
    def height(within: float) -> int:
        lines = drawn(reads({1: 1000.0, 2: 1000.0}, within), PLANNED, 80, 30)
        column = dots(lines)[0][0]
        return sum(line[column] not in " ⠀" for line in lines if "│" in line)

    assert height(0.3) > height(0.01) + 3
    assert height(math.nan) == 1


def test_doubtful_points_are_marked_and_rejected_ones_left_out() -> None:
    odd = rated(Probe.RANDOM_READ, 4, 3000, trust=Trust.DOUBTFUL)
    wrong = rated(Probe.RANDOM_READ, 8, 9e9, trust=Trust.REJECTED)
    lines = drawn([*reads({1: 1000.0}), odd, wrong], PLANNED, 80, 20)
    assert len(dots(lines, "?")) == 1
    assert len(dots(lines)) == 1
    assert "G" not in "".join(lines)
    assert drawn([wrong], PLANNED, 80, 20) == [""]


def test_only_curves_of_the_probe_at_work_are_drawn() -> None:
    points = [*reads(RATES), rated(Probe.REDO_SYNC, 1, 700, block=4096, sync="fsync")]
    text = "\n".join(drawn(points, [], 80, 20))
    assert "redo sync" in text
    assert "random read" not in text
    assert "commits/s" in text
    assert "committer" in text


def test_a_mixture_is_drawn_over_its_flushing() -> None:
    points = [
        rated(Probe.MIXED, 16, rate, part="reads", flush_per_s=target)
        for target, rate in (("0", 9000), ("1000", 8000), ("max", 2000))
    ]
    lines = drawn(points, [each.setting for each in points], 90, 20)
    assert lines[-2].split() == ["0", "1000", "max", "pages/s", "flushed"]
    assert len(dots(lines)) == 3
    assert lines[-1].endswith("reads 16\u202fKiB, 16 readers")


def test_without_room_there_is_no_chart() -> None:
    assert drawn(reads(RATES), PLANNED, 30, 20) == [""]
    assert drawn(reads(RATES), PLANNED, 80, 5) == [""]
    assert drawn([], PLANNED, 80, 20) == [""]


def test_a_long_write_is_drawn_over_time() -> None:
    samples = [Sample(each * 0.2, 1000.0 if each < 50 else 200.0, 1, 1) for each in range(-5, 100)]
    setting = Setting(Probe.STEADY_WRITE, 2, 1 << 20)
    lines = timeline(setting, samples, 80, 16).plain.split("\n")
    assert "writes/s" in lines[0]
    assert "time" in lines[-2]
    assert "20" in lines[-2]
    inked = [row for row, line in enumerate(lines) if "│" in line and set(line[10:]) - {"⠀", " "}]
    assert inked[-1] - inked[0] >= 5, "the fall is seen"
    assert timeline(setting, samples[:6], 80, 16).plain == ""
