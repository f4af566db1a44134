"""A watch's first screen says which files the time goes to, what it took itself, and a forecast."""

from __future__ import annotations

import re
from dataclasses import replace

from advisor.judging.agenda import changes_asked
from advisor.judging.over_draws import judge
from advisor.run import RunKind
from advisor.target_config.configuration import target_plan
from advisor.wording.advice.plan import expected
from probes.figures import THIN
from probes.watch.by_file import ByFile, FileWork
from probes.watch.over_time import Amounts
from probes.watch.own_cost import OwnCost, Tracing
from probes.watch.words import FileRole
from tests.advisor.forecasts.live_servers import READS_16K, on_a_slow_drive
from tests.advisor.report.builders import render, report
from tests.advisor.report.terminal.test_first_screen import fits, flat, lines, production


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


def test_the_whole_plan_is_forecast_where_the_server_was_watched() -> None:
    case = on_a_slow_drive(reads_16k=READS_16K)
    judgement = judge(case)
    plan = target_plan(case, judgement, changes_asked(judgement))
    said = expected(plan)
    assert said.startswith("Forecast of the plan: ")
    told = "\n".join(lines(replace(report(), case=case, judgement=judgement)))
    assert said in told.replace("\n", " ")


def test_one_restart_for_several_changes_is_said_and_a_queue_is_said_once() -> None:
    said = flat(" ".join(lines(production("queues_behind_purge"))))
    assert "One restart is enough for the 2 that need it." in said
    assert "11.9 of 16 processors are busy, hardly a queue" in said
    assert "wait for a processor" not in said
    assert "The server keeps 11.9 processors busy" not in said
    assert "One restart" not in flat(" ".join(lines(production("mirror_of_nvme"))))


def test_the_name_of_a_machine_is_cut_at_a_word_and_says_so() -> None:
    (machine,) = [line for line in lines(production("mirror_of_nvme")) if "CPU threads" in line]
    assert re.search(r"Dell Inc\.( PowerEdge)? …$", machine)
