"""Every point with its interval, what ended it, and why it is not trusted."""

from __future__ import annotations

import math
from dataclasses import replace

from advisor.report.curve_axis import rows
from advisor.report.document.blocks import Block
from advisor.report.forms.text import page
from advisor.report.sections.measured import curves_along, every_point, reasons
from advisor.wording.measured.cells import half_width, interval_text, rate_cell, short
from probes.figures import THIN
from probes.points import EndedBy, LimitedBy, Point, Probe, Setting, Trust
from tests.advisor.report.builders import DIRECTORY, kept
from tests.advisor.store.builders import FOREIGN
from tests.recorded_load import reads

SETTING = Setting(Probe.RANDOM_READ, 8, 16384, 1, DIRECTORY)
SURE = replace(kept(SETTING, 8600, 900), ended_by=EndedBy.INTERVAL, seconds=1.4)
ODD = replace(
    kept(replace(SETTING, threads=64), 9100, 7000, Trust.DOUBTFUL, "The rate swung by 31 %."),
    ended_by=EndedBy.TIME,
    limited_by=LimitedBy.CPU,
)


def shown(part: Block) -> str:
    return page([part], 130).replace(THIN, " ")


def words(row: str) -> str:
    return " ".join(row.split())


def test_each_point_has_its_row() -> None:
    head, _, *lines = shown(every_point(rows([SURE, ODD]))).splitlines()
    assert head.split("  ")[0] == "measured"
    assert words(lines[0]) == "random read 16 KiB 8 8.60k ±2 % 0.90 1.80 2.70 1.4 interval"
    assert words(lines[1]) == "64 9.10k? ±2 % 7.00 14.0 21.0 1.0 time doubtful"


def test_what_is_unknown_is_a_dash() -> None:
    row = shown(every_point(rows([FOREIGN]))).splitlines()[2]
    assert words(row) == "random read 16 KiB 16 80.0k – – 0.41 – – –"


def test_reasons_name_the_point() -> None:
    (found,) = reasons(rows([SURE, ODD]))
    assert words(shown(found)) == (
        "• ? random read 16 KiB, 64 threads The rate swung by 31 %."
        " The CPUs were the limit, not the drive."
    )


def test_two_engines_are_told_apart() -> None:
    text = shown(every_point(rows([SURE, replace(SURE, engine="fio-3.33")])))
    assert "(fio-3.33)" in text
    assert "(leadline-agent 0.1.0)" in text


def test_two_directories_are_told_apart() -> None:
    there = replace(SURE, setting=replace(SETTING, directory="/redo"))
    assert [row.name.replace(THIN, " ") for row in rows([SURE, there])] == [
        f"random read 16 KiB in {DIRECTORY}",
        "random read 16 KiB in /redo",
    ]


def test_the_half_width_is_a_share_of_the_rate() -> None:
    assert half_width(SURE) == 0.02 * 8600 / 8600
    assert math.isnan(half_width(FOREIGN))


def test_an_interval_is_a_share_or_where_it_is_wide_its_bounds() -> None:
    assert interval_text(SURE).replace(THIN, " ") == "±2 %"
    assert interval_text(replace(SURE, ci95_per_s=(280.0, 28_083.0))) == "0.28–28k"
    assert interval_text(FOREIGN) == "–"


def test_a_rate_has_no_digit_that_its_interval_denies() -> None:
    assert rate_cell(SURE) == "8.60k"
    assert rate_cell(replace(SURE, ci95_per_s=(6_000.0, 11_000.0))) == "8.6k"
    assert rate_cell(FOREIGN) == short(FOREIGN.rate_per_s)


def test_a_mixture_runs_along_what_is_flushed() -> None:
    def part(name: str, target: str, rate: float) -> Point:
        options = {"part": name, "flush_per_s": target}
        return kept(Setting(Probe.MIXED, 4, 16384, options=options), rate, 900)

    points = [
        part("reads", "max", 1000),
        part("flush", "max", 9000),
        part("reads", "0", 4000),
        part("reads", "500", 3900),
        part("flush", "500", 500),
    ]
    head, _, *lines = shown(every_point(rows(points))).splitlines()
    assert "pages/s flushed" in head
    assert [words(line).split(" ±")[0] for line in lines] == [
        "mixed load: reads 16 KiB, 4 readers 0 4.00k",
        "500 3.90k",
        "max 1.00k",
        "mixed load: flushing 16 KiB, 4 readers 500 500",
        "max 9.00k",
    ]
    (table,) = curves_along(rows(points), latency=False)
    assert words(shown(table).splitlines()[2]) == (
        "mixed load: reads 16 KiB, 4 readers /s 4.00k 3.90k 1.00k ██▃"
    )
    both = curves_along(rows([SURE, *points]))
    assert len(list(both)) == 2


def test_a_point_beside_the_servers_load_is_marked() -> None:
    (found,) = reasons(rows([*reads("idle"), reads("busy")[0]]))
    said = words(shown(found))
    assert said.count("Measured beside the server's own load: an idle drive gives more.") == 1
