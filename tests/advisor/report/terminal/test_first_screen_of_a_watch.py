"""A watch's first screen says which files the time goes to, and what the watch took itself."""

from __future__ import annotations

from dataclasses import replace

from advisor.judging.over_draws import judge
from advisor.run import RunKind
from probes.figures import THIN
from probes.watch.by_file import ByFile, FileWork
from probes.watch.over_time import Amounts
from probes.watch.own_cost import OwnCost, Tracing
from probes.watch.words import FileRole
from tests.advisor.forecasts.live_servers import READS_16K, on_a_slow_drive
from tests.advisor.report.builders import render, report
from tests.advisor.report.terminal.test_first_screen import fits, flat, lines


def test_a_watch_says_first_which_files_its_time_goes_to() -> None:
    case = on_a_slow_drive(reads_16k=READS_16K)
    assert case.inventory.watched is not None
    reads, none = Amounts(900.0, 900 * 16384.0, 90_000.0), Amounts(0.0, 0.0, 0.0)
    table = FileWork(
        "/data/shop/a.ibd", "innodb/innodb_data_file", FileRole.DATA, reads, none, none
    )
    watched = replace(case.inventory.watched, by_file=ByFile(10.0, "/data/", (table,)))
    case = replace(case, inventory=replace(case.inventory, watched=watched))
    told = replace(report(), case=case, judgement=judge(case))
    looked = replace(told, run=replace(told.run, kind=RunKind.WATCH))
    said = "Of the time in files most goes to shop/a.ibd (100 %)."
    assert said in flat("\n".join(lines(looked))).replace(THIN, " ")
    assert fits(lines(looked))
    whole = flat(render(told)).replace(THIN, " ")
    assert "shop/a.ibd data 90" in whole


def test_a_watch_says_what_it_took_itself_and_what_it_lost() -> None:
    case = on_a_slow_drive(reads_16k=READS_16K)
    assert case.inventory.watched is not None
    cost = OwnCost(0.016, Tracing(30.0, 0.9, 939_000, 1_000))
    watched = replace(case.inventory.watched, own_cost=cost)
    case = replace(case, inventory=replace(case.inventory, watched=watched))
    told = replace(report(), case=case, judgement=judge(case))
    looked = replace(told, run=replace(told.run, kind=RunKind.WATCH))
    text = flat("\n".join(lines(looked))).replace(THIN, " ")
    assert "Watching took 1.6 % of one processor" in text
    assert "1,000 events (0.1 %) found no room and were lost" in text
    assert "Watching took" not in "\n".join(lines(told))
    assert fits(lines(looked))
