"""What a client acts on: the page to decide by, risks, what was tried, what is fine, the terms."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from advisor.fleet.history import BeforeAfter, SettingChange
from advisor.gain import Stakes
from advisor.judging.agenda import changes_asked
from advisor.outcomes import Verdict
from advisor.plan.change_plan import LateQueries, PlanForecast
from advisor.report.document.blocks import (
    Bars,
    Block,
    Document,
    Framed,
    Heading,
    Pairs,
    Paragraph,
    ParagraphRole,
    Table,
    Verbatim,
    Words,
    plain,
)
from advisor.report.document.cover import NO_COVER, Cover, OwnWords
from advisor.report.document.sections import SECTIONS
from advisor.report.document.templates import CLIENT
from advisor.report.forms.html import page
from advisor.report.report import Report
from advisor.report.sections.client.decision import MOST_CHANGES, today_and_then
from advisor.report.sections.client.glossary import glossary
from advisor.report.sections.run_report import report_document
from advisor.report.sections.servers_report import PlannedReport, servers_document
from advisor.wording.advice.evidence_card import of_verdict
from advisor.wording.advice.terms import TERMS
from probes.statistics.ranges import Range
from tests.advisor.lab.turns import record as lab_record
from tests.advisor.report.builders import report
from tests.advisor.report.client.test_client import whole_plan
from tests.advisor.trial.records import trial_record

GLOSSARY = Path(__file__).resolve().parents[4] / "docs" / "glossary.md"


def made(found: Report, cover: Cover = NO_COVER) -> Document:
    return report_document(found, whole_plan(found), None, cover)


def part(document: Document, name: str) -> list[Block]:
    """The blocks of a section."""
    inside, found = False, []
    for block in document.blocks:
        if isinstance(block, Heading) and block.level == 1:
            inside = block.anchor == name
        elif inside:
            found.append(block)
    return found


def tables(blocks: Iterable[Block]) -> list[Table]:
    return [each for each in blocks if isinstance(each, Table)]


def shown(words: Words) -> str:
    return "".join(span.text for span in words)


def test_each_change_on_the_decision_page_has_priority_effort_downtime_who_and_until() -> None:
    found = report()
    asked = changes_asked(found.judgement)
    own = OwnWords(asked[0].rule, "Not before the sale.", "Ada", "1 June")
    document = made(found, Cover(author="Jo Doe", own=(own,)))
    (table,) = tables(part(document, "summary"))
    assert table.heads == ("change", "priority", "effort", "downtime", "who", "until")
    assert len(table.rows) == min(len(asked), MOST_CHANGES)
    assert all(shown(cell) for row in table.rows for cell in row.cells)
    assert [shown(cell) for cell in table.rows[0].cells[4:]] == ["Ada", "1 June"]
    cards = [each for each in part(document, "advice") if isinstance(each, Framed)]
    assert [each.anchor for each in cards] == [one.rule for one in asked]
    notes = [
        shown(block.words)
        for block in cards[0].blocks
        if isinstance(block, Paragraph) and "sale" in shown(block.words)
    ]
    assert notes == ["Jo Doe: Not before the sale."]


def test_a_change_has_its_statements_in_place_and_its_proof_in_the_appendix() -> None:
    found = report()
    document = made(found)
    for card, one in zip(part(document, "advice"), changes_asked(found.judgement), strict=True):
        assert isinstance(card, Framed)
        typed = [block.text for block in card.blocks if isinstance(block, Verbatim)]
        assert any(one.setting in text for text in typed)
        assert sum(isinstance(block, Heading) for block in card.blocks) == 1
    proofs = {each.anchor for each in part(document, "evidence") if isinstance(each, Framed)}
    assert {f"evidence-{one.rule}" for one in changes_asked(found.judgement)} <= proofs


def test_a_risk_is_red_names_what_to_do_and_who() -> None:
    found = report()
    first, *others = found.judgement.recommendations
    risk = replace(first, title="Torn page", stakes=Stakes.DATA, verdict=Verdict.RECOMMEND)
    risky = replace(found, judgement=replace(found.judgement, recommendations=(risk, *others)))
    blocks = part(made(risky), "risks")
    (red,) = [
        each for each in blocks if isinstance(each, Paragraph) and each.role is ParagraphRole.RISK
    ]
    assert f"Risk to data: {first.setting} = {first.now}." in shown(red.words)
    (of_changes,) = tables(blocks)
    assert len(of_changes.rows) == sum(
        bool(one.risk or one.cost_of_error) for one in changes_asked(risky.judgement)
    )


def test_today_and_then_are_drawn_to_one_scale() -> None:
    forecast = PlanForecast(
        16,
        1000.0,
        Range(1500.0, 1200.0, 2000.0),
        Range(1.5, 1.2, 2.0),
        Range(0.3, 0.2, 0.5),
        p95=LateQueries(4000.0, Range(3000.0, 2000.0, 4500.0)),
    )
    queries, late = today_and_then(forecast)
    assert [(bar.low, bar.share, bar.high) for bar in queries.bars] == [
        (0.5, 0.5, 0.5),
        (0.6, 0.75, 1.0),
    ]
    assert [round(bar.high, 3) for bar in late.bars] == [0.889, 1.0]
    assert len([*today_and_then(replace(forecast, p95=None))]) == 1
    found = report()
    plan = replace(whole_plan(found), forecast=forecast)
    drawn = part(report_document(found, plan), "summary")
    assert [each for each in drawn if isinstance(each, Bars)] == [queries, late]


def test_what_was_tried_has_trials_labs_and_looks() -> None:
    found = report()
    assert part(made(found), "tried") == []
    since = BeforeAfter(
        "2026-11-03T04:00", (SettingChange("innodb_io_capacity", "200", "1000"),), 0.8, 2, 3
    )
    tried = replace(
        found,
        trials=(("2026-11-20", trial_record()),),
        labs=(("2026-11-19", lab_record(0.2)),),
        since=(since,),
    )
    blocks = part(made(tried), "tried")
    assert len([each for each in blocks if isinstance(each, Heading)]) == 3
    text = page(made(tried))
    assert not re.search(r"`?leadline [a-z]", page(made(tried, CLIENT.cover(Cover()))))
    for shown_ in ("2026-11-20", "kept", "2026-11-19", "innodb_doublewrite = OFF does", "20"):
        assert shown_ in text
    assert "Since 2026-11-03 (innodb_io_capacity 200 to 1000) a query takes 20" in text


def test_what_is_fine_is_one_table_with_each_once() -> None:
    found = report()
    (table,) = tables(part(made(found), "fine"))
    text = "\n".join(shown(row.cells[2]) for row in table.rows)
    fine = of_verdict(found.judgement, Verdict.FINE)
    assert fine
    assert all((one.setting or one.title) in text for one in fine)
    assert sum(int(shown(row.cells[1])) for row in table.rows) == len(fine)


def test_terms_that_stand_in_the_report_are_explained_and_no_others() -> None:
    words = [Paragraph(plain("The buffer pool's misses; resync is none."))]
    (found,) = glossary(words)
    assert isinstance(found, Pairs)
    assert [term for term, _ in found.rows] == ["buffer pool", "miss, misses"]
    assert list(glossary([])) == []


def test_a_report_explains_terms_as_the_glossary_does() -> None:
    page_ = GLOSSARY.read_text(encoding="utf-8").split("## Not written")[0]
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", page_, re.MULTILINE)
    documented = {term.strip(): meaning.strip() for term, meaning in rows}
    differing = {
        term for term, meaning in TERMS.items() if documented.get(term, meaning) != meaning
    }
    assert differing == set()
    assert len(set(TERMS) & set(documented)) > 20


def two_servers(cover: Cover = NO_COVER, other: str = "db8", later: str = "") -> Document:
    first = report()
    run = replace(first.run, started_at=later or first.run.started_at)
    second = replace(first, case=replace(first.case, target=other), run=run)
    both = [PlannedReport(each, whole_plan(each)) for each in (first, second)]
    return servers_document(both, cover)


def names_in(document: Document) -> list[str]:
    (table,) = tables(part(document, "summary"))
    return [shown(row.cells[0][:1]) for row in table.rows]


def test_servers_of_one_name_are_known_by_when_they_were_looked_at() -> None:
    first = report().run.started_at[:16].replace("T", " ")
    found = names_in(two_servers(other="db7", later="2026-11-29T10:51:07+00:00"))
    assert found == [f"db7, {first} UTC", "db7, 2026-11-29 10:51 UTC"]
    assert names_in(two_servers(other="db7")) == [f"db7, {first} UTC ({at})" for at in (1, 2)]


def test_several_servers_have_a_row_each_and_a_chapter_each() -> None:
    document = two_servers()
    assert names_in(document) == ["db7", "db8"]
    chapters = [each for each in document.blocks if isinstance(each, Heading) and each.level == 1]
    assert [each.text for each in chapters] == [
        SECTIONS["summary"],
        "db7",
        "db8",
        SECTIONS["glossary"],
    ]
    text = page(document)
    anchors = re.findall(r'id="([^"]+)"', text)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(anchors)
    for at in (1, 2):
        assert f"server-{at}-risks" in anchors
        assert f"server-{at}-plan" in anchors


def test_several_servers_without_their_names() -> None:
    text = page(two_servers(Cover(anonymous=True)))
    assert "server 1" in text
    assert "db7" not in text
    assert "db8" not in text
