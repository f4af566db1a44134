"""What a client is told of a server at work, and how what was measured is measured again."""

from __future__ import annotations

import re
from dataclasses import replace

from advisor.gain import QueryTime, Wait
from advisor.report.document.blocks import Bars, Heading
from advisor.report.sections.conditions import commands
from advisor.report.sections.run_report import report_document
from advisor.run import RunKind
from probes.figures import THIN
from probes.statistics.ranges import Range
from probes.watch.own_cost import OwnCost
from probes.watch.watched import Watched
from tests.advisor.report.builders import report
from tests.advisor.report.client.test_client import Page, flat, html, markdown, whole_plan
from tests.advisor.wording.test_watch_rows import READS, STATUS, SYNCS


def test_where_the_time_goes_is_the_picture_of_a_server_at_work() -> None:
    told = report()
    waits = {Wait.PAGE_READS: Range(5.0, 4.0, 6.0), Wait.COMMITS: Range.exact(1.0)}
    time = QueryTime(Range.exact(10.0), waits | {Wait.PROCESSORS: Range.exact(0.0)})
    at_work = replace(told, judgement=replace(told.judgement, time=time))
    blocks = report_document(at_work, whole_plan(at_work)).blocks
    (bars,) = (each for each in blocks if isinstance(each, Bars))
    assert [(bar.name, round(bar.share, 6)) for bar in bars.bars] == [
        ("page reads", 0.5),
        ("syncs at commit", 0.1),
    ]
    assert bars.bars[0].low < 0.5 < bars.bars[0].high
    first = flat(Page(html(at_work)).text)
    assert "Queries spend 40 to 60 % of their time reading pages" in first.replace(THIN, " ")
    idle = report_document(told, whole_plan(told)).blocks
    assert not [each for each in idle if isinstance(each, Bars)]


def test_how_to_measure_it_again_is_said_as_commands() -> None:
    told = report()
    text = Page(html(told)).text
    assert "leadline check db7 --plan quick" in text
    assert f"leadline case export {told.run.id} run-{told.run.id}.leadline" in text
    again = dict(commands(replace(told, case=replace(told.case, target="a b; rm -rf"))))
    assert again["measure again"].startswith("leadline check 'a b; rm -rf' --plan quick")
    watch = replace(told, run=replace(told.run, kind=RunKind.WATCH))
    assert dict(commands(watch))["measure again"] == "leadline watch db7"
    imported = replace(told, plan=None, run=replace(told.run, kind=RunKind.IMPORT))
    assert "measure again" not in dict(commands(imported))


def test_what_a_watch_saw_of_each_operation_is_there_in_both_forms() -> None:
    told = report()
    bare = report_document(told, whole_plan(told)).blocks
    assert not [each for each in bare if isinstance(each, Heading) and each.anchor == "work"]
    seen = Watched(STATUS, (READS, SYNCS), own_cost=OwnCost(0.016, None))
    watched = replace(told.case.inventory, watched=seen)
    told = replace(told, case=replace(told.case, inventory=watched))
    first = flat(Page(html(told)).text).replace(THIN, " ")
    assert "These figures are of 20 s. 1.2 threads at a time are in file I/O" in first
    assert re.search(r"redo\s*sync\s*200/s", first)
    assert "Watching took 1.6 % of one processor." in first
    lines = markdown(told).replace(THIN, " ").splitlines()
    row = next(each for each in lines if each.startswith("| redo | sync | 200/s |"))
    assert row.endswith("| 0.80 |  |")
    assert "- Watching took 1.6 % of one processor." in lines


def test_todays_bars_without_a_forecast_are_called_so() -> None:
    told = report()
    time = QueryTime(Range.exact(10.0), {Wait.PROCESSORS: Range.exact(8.0)})
    at_work = replace(told, judgement=replace(told.judgement, time=time))
    document = report_document(at_work, whole_plan(at_work))
    headings = [each for each in document.blocks if isinstance(each, Heading)]
    (today,) = [each for each in headings if each.anchor == "forecast"]
    assert today.text == "Today"
