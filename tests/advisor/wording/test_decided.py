"""What is said where nothing asks for a change: only as much as was judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from advisor.case import Case
from advisor.facts.catalogue import CATALOGUE
from advisor.judging.decided import decided
from advisor.judging.doubted import mostly_doubted
from advisor.judging.engine import judge
from advisor.outcomes import Judgement, NotApplicable, NotJudged, Recommendation, Verdict
from advisor.plan.planning import make_plan
from advisor.report.forms.text import page
from advisor.report.json.report import document
from advisor.report.report import Report
from advisor.report.terminal.first_screen import first_screen
from advisor.run import RunState
from advisor.undecided import Doubted
from advisor.why import Lacks
from advisor.wording.advice.decided import doubted
from advisor.wording.advice.nothing_to_change import nothing_to_change
from probes.doubts import DoubtKind, doubt
from probes.figures import THIN
from probes.points import Trust
from tests.advisor.report.builders import inventory, points, render, report, to_html, to_markdown


def fine(number: int, verdict: Verdict = Verdict.FINE) -> tuple[Recommendation, ...]:
    return tuple(
        Recommendation(
            verdict, "All is well.", rule=f"a.fine-{at}", title="Title", topic="Topic", major=True
        )
        for at in range(number)
    )


def open_(number: int, because: str = "its status counters were not read") -> tuple[NotJudged, ...]:
    return tuple(
        NotJudged(f"a.open-{at}", "Title", Lacks(fact, because))
        for at, fact in zip(range(number), CATALOGUE, strict=False)
    )


def case(trusted: bool = True) -> Case:
    found = points()
    if not trusted:
        found = tuple(
            replace(
                one,
                trust=Trust.DOUBTFUL,
                doubts=(doubt(DoubtKind.STOLEN_TIME, share=0.3 + at / 100),),
            )
            for at, one in enumerate(found)
        )
    return Case("db7", inventory(), found, 12, {})


@pytest.mark.parametrize(("judged", "left", "enough"), [(66, 34, False), (67, 33, True)])
def test_two_thirds_are_enough(judged: int, left: int, *, enough: bool) -> None:
    judgement = Judgement(fine(judged), open_(left), (NotApplicable("b.c", "T", "Elsewhere."),))
    found = decided(judgement, case())
    assert (found.judged, found.applicable, found.enough) == (judged, 100, enough)
    said = nothing_to_change(judgement, case())
    assert ("nothing needs a change" in said) is enough
    assert f"{judged} of the 100 rules that apply" in said
    assert "its status counters were not read" in said


def test_the_main_reason_is_told() -> None:
    judgement = Judgement(fine(3), (*open_(4), *open_(2, "nobody measured it")))
    assert nothing_to_change(judgement, case()) == (
        "Only 3 of the 9 rules that apply could be judged: for 4 of the 6 others, its status "
        "counters were not read."
    )


@pytest.mark.parametrize("name", ["Amazon RDS for MySQL 8.0.39", "Aurora's own storage", "MySQL"])
def test_a_reason_that_begins_with_a_name_keeps_its_capital(name: str) -> None:
    judgement = Judgement(fine(3), open_(4, f"{name} does not report it"))
    assert f"could be judged: {name} does not report it." in nothing_to_change(judgement, case())


def test_doubtful_points_are_the_reason_with_the_worst_figure() -> None:
    number = len(points())
    judgement = Judgement(fine(1, Verdict.WATCH), open_(4))
    assert nothing_to_change(judgement, case(trusted=False)) == (
        f"Only 1 of the 5 rules that apply could be judged: {number} of {number} points are "
        f"doubtful, at worst because the host gave {29 + number}{THIN}% of the processors' time to "
        "others (steal). 1 thing to keep an eye on."
    )


def test_a_disturbed_run_says_so_before_its_figures() -> None:
    disturbed = case(trusted=False)
    number = len(disturbed.points)
    told = replace(report(), case=disturbed, judgement=Judgement(fine(1)))
    said = (
        f"{number} of {number} points are doubtful, at worst because the host gave "
        f"{29 + number}{THIN}% of the processors' time to others (steal); ranges are wider for it."
    )
    for text in (page(first_screen(told)), render(told)):
        assert " ".join(text.split("\n")[1:3]).strip().startswith(said)
    early = replace(told, run=replace(told.run, state=RunState.CANCELLED, reason="Ctrl-C."))
    assert render(early).splitlines()[1] == "Cancelled. Ctrl-C."
    assert "are doubtful" not in render(report())
    # Which of them are left out is told apart.
    first, *others = disturbed.points
    rejected = (replace(first, trust=Trust.REJECTED), *others)
    found = mostly_doubted(rejected)
    assert isinstance(found, Doubted)
    assert found.rejected == 1
    assert " are doubtful or can't be trusted (1), at worst " in doubted(found)
    half = (*disturbed.points[: number // 2], *points()[: number // 2 + 1])
    assert mostly_doubted(half) is None


def test_an_early_end_is_the_reason() -> None:
    judgement = Judgement((), open_(4))
    assert nothing_to_change(judgement, case(trusted=False), RunState.CANCELLED) == (
        "None of the 4 rules that apply could be judged: the run was cancelled after "
        f"{len(points())} points."
    )


def test_rules_about_a_server_do_not_apply_where_there_is_none() -> None:
    without = replace(case(), inventory=replace(inventory(), mysql=None, missing=()))
    judgement = judge(without)
    found = decided(judgement, without)
    assert len(judgement.not_judged) > 100
    assert found.applicable < 50
    asked = replace(case(), inventory=inventory())
    assert decided(judge(asked), asked).applicable > 100


def _html(told: Report) -> str:
    return to_html(told, make_plan(told.case, []))


def _markdown(told: Report) -> str:
    return to_markdown(told, make_plan(told.case, []))


def _json(told: Report) -> str:
    decided_ = document(told)["decided"]
    assert (decided_["judged"], decided_["applicable"]) == (1, 5)
    return str(decided_["because"])


@pytest.mark.parametrize(
    "form",
    [render, _html, _markdown, _json, lambda told: page(first_screen(told))],
    ids=["text", "html", "markdown", "json", "first screen"],
)
def test_every_form_says_it(form: Callable[[Report], str]) -> None:
    told = replace(report(), case=case(trusted=False), judgement=Judgement(fine(1), open_(4)))
    said = " ".join(form(told).split())
    assert "19 of 19 points are doubtful, at worst because the host gave 48 %" in said
    assert "Nothing to change" not in said
    assert "needs a change" not in said


@pytest.mark.parametrize("form", [render, lambda told: page(first_screen(told))])
def test_a_text_says_once_why_its_points_are_doubtful(form: Callable[[Report], str]) -> None:
    """It stands in the second line; where nothing is to be changed it is the reason, too."""
    told = replace(report(), case=case(trusted=False), judgement=Judgement(fine(1), open_(4)))
    said = " ".join(form(told).split())
    assert said.count("at worst because") == 1
    assert (
        "Only 1 of the 5 rules that apply could be judged: the points are doubtful, as said above."
    ) in said
