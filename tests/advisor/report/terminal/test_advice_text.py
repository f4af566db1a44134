"""The evidence card as text: all of it, in words, for every kind of step."""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.catalogue import CATALOGUE
from advisor.outcomes import Recommendation, Verdict
from advisor.plan.change_plan import Action, ChangePlan, LeftOut
from advisor.plan.change_plan import Group as PlanGroup
from advisor.report.forms.text import page
from advisor.report.sections.plan import plan_in_short
from advisor.report.terminal.run import advice_blocks
from advisor.rulekit.card import FINE, NOTHING_DONE
from advisor.steps import Needs, SetVariable
from advisor.variables.standing import Standing
from advisor.wording.advice.evidence_card import change_of, doing, grounds
from advisor.wording.advice.plan import headline, what
from tests.advisor.report import cards
from tests.advisor.report.builders import report

PLAIN = Recommendation(Verdict.FINE, "All is well.", rule="a.b", title="Title", topic="Topic")


def flat(text: str) -> str:
    return " ".join(text.split())


def said() -> str:
    return flat(page(advice_blocks(replace(report(), judgement=cards.judged()))))


def test_the_whole_card_is_told() -> None:
    text, card = said(), cards.card()
    for part in (
        card.saw,
        card.effect,
        card.formula,
        card.valid,
        card.because,
        card.cost_of_error,
        card.side_effects,
        card.flips_when,
        card.verify,
        card.undo,
        card.apply.sql,
        card.apply.cnf,
        cards.CITED.statement,
        cards.CITED.source,
        "innodb_io_capacity: 200 → 2000",
    ):
        assert flat(part) in text, part


def test_work_by_hand_is_listed() -> None:
    rows = dict(doing(cards.card()))
    assert rows["by hand"].splitlines() == [
        "Rebuild with 8 KiB pages",
        "1. Dump every schema.",
        "2. Start an empty data directory.",
        "3. Load the dump.",
    ]


def test_what_is_not_said_takes_no_row() -> None:
    assert list(grounds(PLAIN)) == []
    assert list(doing(PLAIN)) == []


def test_a_fine_card_gives_its_reason_and_nothing_that_the_verdict_says_already() -> None:
    bare = replace(PLAIN, effect=FINE, cost_of_error=NOTHING_DONE, because="It was counted.")
    assert list(grounds(bare)) == [("confidence", "Medium. It was counted.")]
    explained = replace(bare, effect="Fine as it is: the pool hardly misses.")
    assert dict(grounds(explained))["verdict"] == "Fine as it is: the pool hardly misses."


def test_a_reason_is_told_once_with_the_rules_that_it_silences() -> None:
    text = said()
    assert text.count("None were made.") == 1
    reads = CATALOGUE[cards.READS].meaning
    assert f"• None were made. unknown: {reads} (storage.page-size, storage.layers)" in text
    assert "It is about MySQL; the server is MariaDB. redo.writers" in text


def test_a_plan_is_told_by_group_with_what_was_left_out() -> None:
    actions = (
        Action(PlanGroup.MACHINE, cards.COMMAND, ("block.scheduler",)),
        Action(PlanGroup.ONLINE, cards.SET, ("flushing.io-capacity",), "2000", ("Mind it.",)),
        Action(PlanGroup.RESTART, cards.REMOVE, ("lines.removed",)),
        Action(PlanGroup.REBUILD, cards.REBUILD, ("storage.page-size",)),
    )
    plan = ChangePlan("db7", None, actions, (LeftOut("redo.capacity", "redo", "Refused."),))
    text = flat(page(plan_in_short(plan)))
    assert text.startswith(
        "Change plan 4 steps: 1 on the machine, 1 while the server runs, "
        "1 with a restart, 1 with a new data directory. On the machine 1. Use the none scheduler"
    )
    assert "2. innodb_io_capacity: 200 → 2000 (flushing.io-capacity) Mind it." in text
    assert "3. Delete innodb_file_format = Barracuda from /etc/my.cnf" in text
    assert "2. Start an empty data directory." in text
    assert "Left out of the plan • redo (redo.capacity) Refused." in text
    assert headline(ChangePlan("db7")).startswith("The plan is empty")


def test_sizes_are_said_with_their_prefix() -> None:
    pool = replace(
        cards.card(), setting="innodb_buffer_pool_size", now="134217728", proposed="17179869184"
    )
    assert flat(change_of(pool)) == "innodb_buffer_pool_size: 128 MiB → 16 GiB"
    assert change_of(replace(pool, setting="tmpdir", now="/tmp", proposed="/data")) == (
        "tmpdir: /tmp → /data"
    )
    standing = Standing("innodb_buffer_pool_size", "134217728")
    kept = Action(PlanGroup.ONLINE, SetVariable(standing, "134217728", Needs.DYNAMIC), ())
    assert flat(what(kept)) == "innodb_buffer_pool_size stays 128 MiB"
