"""A risk that may be meant so is one thing in table, plan, statements and terms."""

from __future__ import annotations

import re
from dataclasses import replace

from advisor.judging.agenda import agenda, changes_asked, to_decide
from advisor.judging.engine import judge
from advisor.plan.change_plan import ChangePlan
from advisor.plan.export.sql import apply
from advisor.ranking import is_offered
from advisor.report.document.blocks import (
    Document,
    Framed,
    Heading,
    Pairs,
    Paragraph,
    ParagraphRole,
    Verbatim,
)
from advisor.report.document.cover import Cover
from advisor.report.document.templates import CLIENT
from advisor.report.forms.markdown import page
from advisor.report.report import Report
from advisor.report.sections.run_report import report_document
from advisor.report.sections.servers_report import PlannedReport, servers_document
from advisor.target_config.configuration import configure, planned_of
from tests.advisor.report.builders import report
from tests.advisor.report.client.test_client_pages import part, shown, tables
from tests.rules.casework import build

RISKY = {
    "version": "8.0.33",
    "variables": {
        "innodb_flush_log_at_trx_commit": "2",
        "sync_binlog": "0",
        "log_bin": "ON",
        "innodb_doublewrite": "OFF",
    },
    "storage": {"filesystem": "ext4"},
}
COMMITS, BINLOG = "durability.flush-log-at-trx-commit", "durability.sync-binlog"


def risky() -> Report:
    case = build(RISKY)
    return replace(report(), case=case, judgement=judge(case))


def planned(found: Report, *chosen: str) -> ChangePlan:
    judgement = found.judgement
    asked = [each for each in judgement.recommendations if each.rule in chosen]
    return configure(found.case, judgement, [*changes_asked(judgement), *asked]).plan


def answers(document: Document) -> dict[str, str]:
    (pairs,) = (each for each in part(document, "summary") if isinstance(each, Pairs))
    return dict(pairs.rows)


def reds(document: Document) -> list[str]:
    return [
        shown(each.words)
        for each in part(document, "summary")
        if isinstance(each, Paragraph) and each.role is ParagraphRole.RISK
    ]


def test_what_a_risk_asks_to_be_set_is_in_the_table_the_plan_and_the_statements() -> None:
    found = risky()
    plan = planned(found)
    document = report_document(found, plan, None, CLIENT.cover(Cover()))
    (table,) = tables(part(document, "summary"))
    named = [shown(row.cells[0]) for row in table.rows]
    for setting in ("innodb_flush_log_at_trx_commit: 2 → 1", "sync_binlog: 0 → 1"):
        (row,) = [each for each in named if setting in each]
        assert "yours to decide" in row
        assert any(f"Yours to decide: {setting} (DBA, at once)." in red for red in reds(document))
        assert setting in answers(document)["what to do"]
        assert f"-- Yours to decide: {setting}." in apply(plan)
    assert "-- SET PERSIST sync_binlog = 1;" in apply(plan)
    assert "\nSET PERSIST sync_binlog" not in apply(plan)
    typed = {
        one.rule: [block.text for block in card.blocks if isinstance(block, Verbatim)]
        for card in part(document, "advice")
        if isinstance(card, Framed)
        for one in found.judgement.recommendations
        if one.rule == card.anchor
    }
    assert "SET PERSIST innodb_flush_log_at_trx_commit = 1;" in typed[COMMITS]
    headings = [each.text for each in part(document, "plan") if isinstance(each, Heading)]
    assert "Yours to decide" in headings


def test_risks_lead_what_hurts_and_decisions_are_counted_with_their_term() -> None:
    found = risky()
    said = answers(report_document(found, planned(found)))
    risks = agenda(found.judgement).risks
    assert said["what hurts"].startswith(f"{len(risks)} risks to data, in red. ")
    assert said["what to do"].startswith("Decide on 2 risks to data: ")
    assert said["by when"].startswith("At once, both decisions.")
    assert said["what can go wrong"].startswith("Until the risks in red end, data can be lost.")


def test_what_was_decided_is_a_step_like_others() -> None:
    found = risky()
    plan = planned(found, COMMITS, BINLOG)
    assert plan.offered == ()
    assert "\nSET PERSIST sync_binlog = 1;" in apply(plan)
    document = report_document(found, plan)
    assert "Decide" not in answers(document)["what to do"]
    assert not any("ours to decide" in red for red in reds(document))
    (table,) = tables(part(document, "summary"))
    assert not any("ours to decide" in shown(row.cells[0]) for row in table.rows)


def test_nothing_is_offered_that_is_left_out_or_beside_a_plan_of_one_rule() -> None:
    found = risky()
    judgement, case = found.judgement, found.case
    offered = {each.rule for each in judgement.recommendations if is_offered(each)}
    assert offered == {COMMITS, BINLOG}
    assert offered.isdisjoint(each.rule for each in planned_of(judgement))
    assert offered <= {each.rule for each in to_decide(judgement)}
    without = configure(case, judgement, changes_asked(judgement), without=(BINLOG,)).plan
    assert [each.rule for each in without.offered] == [COMMITS]
    alone = configure(case, judgement, changes_asked(judgement)[:1], alone=True).plan
    assert alone.offered == ()


def test_a_client_reads_no_rules_and_no_commands() -> None:
    found = risky()
    rules = [each.rule for each in found.judgement.recommendations]
    text = page(report_document(found, planned(found), None, CLIENT.cover(Cover())))
    assert not [rule for rule in rules if rule in text]
    assert not re.search(r"`?leadline [a-z]", text)


def test_the_first_page_of_several_servers_is_enough_to_decide() -> None:
    found = risky()
    both = [PlannedReport(each, planned(each)) for each in (found, report())]
    document = servers_document(both, Cover())
    (table,) = tables(part(document, "summary"))
    assert table.heads == (
        "what hurts",
        "what to do first",
        "what it brings",
        "priority",
        "who, until",
    )
    assert all(shown(cell) for row in table.rows for cell in row.cells)
    first = to_decide(found.judgement)[0]
    assert first.setting in shown(table.rows[0].cells[1])
    assert f"If it is wrong: {first.cost_of_error}" in shown(table.rows[0].cells[1])
    assert len(reds(document)) == len(agenda(found.judgement).risks)
