"""What a client is told of a server at work, and how what was measured is measured again."""

from __future__ import annotations

from dataclasses import replace

from advisor.gain import QueryTime, Wait
from advisor.report.client.document import Bars
from advisor.report.client.of_report import report_document
from advisor.report.client.reproducing import commands
from advisor.run import RunKind
from probes.ranges import Range
from tests.advisor.report.builders import report
from tests.advisor.report.test_client import Page, flat, html, whole_plan


def test_where_the_time_goes_is_the_picture_of_a_server_at_work() -> None:
    told = report()
    waits = {Wait.PAGE_READS: Range(5.0, 4.0, 6.0), Wait.COMMITS: Range.exact(1.0)}
    time = QueryTime(Range.exact(10.0), waits)
    at_work = replace(told, judgement=replace(told.judgement, time=time))
    blocks = report_document(at_work, whole_plan(at_work)).blocks
    (bars,) = (each for each in blocks if isinstance(each, Bars))
    assert [(bar.name, round(bar.share, 6)) for bar in bars.bars] == [
        ("page reads", 0.5),
        ("syncs at commit", 0.1),
    ]
    assert bars.bars[0].low < 0.5 < bars.bars[0].high
    first = flat(Page(html(at_work)).text)
    assert "Limited now by page reads" in first
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
