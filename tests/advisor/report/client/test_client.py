"""What a client gets: it tells all, stands alone, and takes nothing foreign at its word."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from markupsafe import escape

from advisor.judging.agenda import agenda
from advisor.outcomes import NotJudged, Verdict
from advisor.plan.change_plan import ChangePlan, LeftOut
from advisor.plan.planning import make_plan
from advisor.report.curve_axis import rows
from advisor.report.document.plot import BOTTOM, HEIGHT, LEFT, TOP, WIDTH
from advisor.report.forms.by_ending import form_of
from advisor.report.forms.markdown import escaped
from advisor.report.report import Report
from advisor.report.sections.advice import AdviceCard, asking, card_of, finding_numbers
from advisor.report.sections.client.changes import place_of, steps_of
from advisor.report.sections.client.decision import MOST_CHANGES
from advisor.report.sections.conditions import condition_rows, reliability
from advisor.report.sections.curves import MOST_LINES, figures
from advisor.run import RunState
from advisor.upgrade.lens import as_version, lens
from advisor.variables.naming import version_named
from advisor.wording.advice.evidence_card import change_of, deed, of_verdict
from advisor.wording.advice.limiting import limiting
from advisor.wording.advice.published import MOST_CITED, cited, sentence
from probes.errors import UsageError
from probes.events import Warned
from probes.points import Latency, Point, Probe, Setting, Trust
from tests.advisor.report.builders import kept, report, to_html, to_markdown
from tests.points import doubted

VOID = {"meta", "br"}
HOSTILE = (
    "</title><script>alert(1)</script><img src=x onerror=alert(2)>"
    "\" onload='alert(3)' {{ 7*7 }} {% raw %} javascript:x \x00\x1b[31m\u202eevil ``` | [a](b) <!--"
)


class Page(HTMLParser):
    """Collects what a page is made of; a tag that is not closed where it should be fails."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.names: set[str] = set()
        self.addresses: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.names |= {name for name, _ in attrs}
        self.addresses += [value or "" for name, value in attrs if name in {"href", "src"}]
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def whole_plan(told: Report) -> ChangePlan:
    return make_plan(told.case, of_verdict(told.judgement, Verdict.RECOMMEND))


def html(told: Report) -> str:
    return to_html(told, whole_plan(told))


def markdown(told: Report) -> str:
    return to_markdown(told, whole_plan(told))


def flat(text: str) -> str:
    return " ".join(text.split())


def test_all_is_told() -> None:
    told = report()
    text = flat(Page(html(told)).text)
    for advice in of_verdict(told.judgement, Verdict.RECOMMEND):
        for said in (deed(advice), advice.saw, advice.formula, advice.flips_when, advice.rule):
            assert flat(said) in text
        for line in (*advice.undo.splitlines(), *advice.apply.sql.splitlines()):
            assert line.startswith("#") or flat(line) in text
    for each in told.judgement.not_judged:
        assert each.rule in text
    for part in ("MariaDB 10.11.6", "Change plan", "the way back", "What was not judged, and why"):
        assert part in text
    for warning in told.warnings:
        assert warning.message in text


def cards(told: Report) -> list[AdviceCard]:
    """The cards of a report, changes first."""
    asked = asking(told.judgement)
    return [card_of(each, finding_numbers(asked)) for each in asked]


def test_markdown_tells_the_same() -> None:
    told = report()
    text = markdown(told)
    for advice in of_verdict(told.judgement, Verdict.RECOMMEND):
        assert f"Rule `{advice.rule}`." in text
        for line in advice.undo.splitlines():
            assert line.startswith("#") or line in text
    for each in told.judgement.not_judged:
        assert each.rule in text
    assert text.index("## Changes") < text.index("## Change plan") < text.index("## Measured")
    assert "| random read 16 KiB, 16 threads | 9.00k |" in text.replace("\u202f", " ")


def test_the_first_page_says_what_to_decide() -> None:
    told = report()
    proposed = of_verdict(told.judgement, Verdict.RECOMMEND)
    page, text = flat(Page(html(told)).text), markdown(told)
    page = page[page.index("what hurts") :]
    first = page[: page.index("To data, as things are")]
    text = text[text.index("## What to decide") : text.index("## Risks")]
    for answer in ("what hurts", "what to do", "what it brings", "by when", "what can go wrong"):
        assert answer in first
        assert f"- {answer}: " in text
    for number, advice in enumerate(proposed, 1):
        shown = number <= MOST_CHANGES
        assert (f"{number}. {flat(change_of(advice))}" in first) is shown
        assert (flat(advice.cost_of_error) in first) is shown or not advice.cost_of_error
        assert flat(advice.effect) in page[page.index("To data, as things are") :]
    assert flat(limiting(told.judgement, told.case)) in first
    for advice in agenda(told.judgement).watch:
        assert f"### {escaped(deed(advice))}" in markdown(told)


def test_how_far_it_can_be_relied_on_stands_with_the_conditions() -> None:
    told = report()
    *_, last = reliability(told)
    assert last == (
        f"1 of {len(told.case.points)} points is doubtful, with a wide range: advice stands where "
        "it holds for nearly all of it."
    )
    assert last in dict(condition_rows(told))["how sure"]


def test_a_change_has_the_statements_of_its_step_in_the_plan() -> None:
    told = report()
    chosen, *others = of_verdict(told.judgement, Verdict.RECOMMEND)
    plan = make_plan(told.case, [chosen])
    numbers, steps = steps_of(chosen, plan)
    assert (numbers, steps) == ([1], (plan.actions[0].step,))
    assert place_of(chosen, numbers, plan) == ("Step 1 of the change plan, which has the way back.")
    for one in others:
        assert steps_of(one, plan) == ([], ())
        assert place_of(one, [], plan) == "Not chosen for the change plan."
    refused = replace(plan, actions=(), left_out=(LeftOut(chosen.rule, "x", "It does not fit."),))
    assert place_of(chosen, [], refused).endswith("plan: It does not fit.")


def test_a_finding_is_told_once_and_cited_by_its_number() -> None:
    told = report()
    ids = list(finding_numbers(asking(told.judgement)))
    published = [sentence(each) for each in cited(ids)]
    assert len(set(published)) == len(published) > 2
    for card in cards(told):
        named = [published[number - 1] for number in card.published]
        assert named == [sentence(each) for each in cited(card.advice.findings[:MOST_CITED])]
    text = html(told)
    assert text.count(str(escape(published[0]))) == 1


def test_another_version_is_seen_first() -> None:
    told = report()
    seen = lens(told.case, version_named("mariadb-11.8"))
    other = replace(told, judgement=seen.judgement)
    plan = make_plan(as_version(told.case, seen.after), ())
    for write in (to_html, to_markdown):
        text = write(other, plan, seen)
        assert "Seen as MariaDB 11.8" in text
        assert f"{seen.after} (it is MariaDB 10.11.6)" in text.replace("\\", "")
        assert text.index("Seen as MariaDB 11.8") < text.index("Conditions")
        for each in seen.moved:
            assert each.name in text
    assert "Seen as" not in html(told)


def test_conditions_say_nothing_twice() -> None:
    told = report()
    conditions = {"directory": "/d", "kernel": "6.1", "file_bytes": "2147483648", "odd": "x"}
    told = replace(told, case=replace(told.case, conditions=conditions | {"fill_share": "0.73"}))
    rows = dict(condition_rows(told))
    assert {"directory", "kernel"}.isdisjoint(rows)
    assert rows["size of what was read"].split() == ["2", "GiB"]
    assert rows["file system full to"].split() == ["73", "%"]
    assert rows["odd"] == "x"


def test_the_page_stands_alone() -> None:
    text = html(report())
    page = Page(text)
    assert not {"script", "link", "img", "iframe", "object", "form", "base"} & set(page.tags)
    assert "default-src 'none'" in text
    assert "url(" not in text
    assert "@import" not in text
    assert page.addresses
    anchors = set(re.findall(r'id="([^"]+)"', text))
    assert all(address.removeprefix("#") in anchors for address in page.addresses)
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def hostile() -> Report:
    """A report in which everything that comes from outside is an attack."""
    told = report(RunState.FAILED, HOSTILE)
    host = told.case.inventory.host
    assert host is not None
    inventory = replace(told.case.inventory, host=replace(host, hostname=HOSTILE))
    bad = [
        replace(
            kept(Setting(Probe.RANDOM_READ, threads, 16384, 1, HOSTILE, {"x": HOSTILE}), 10.0, 9),
            trust=Trust.DOUBTFUL,
            doubts=doubted(HOSTILE),
            engine=HOSTILE,
        )
        for threads in (1, 2)
    ]
    judged = told.judgement
    attacked = tuple(
        replace(
            advice,
            title=HOSTILE,
            saw=HOSTILE,
            now=HOSTILE,
            undo=HOSTILE,
            verify=HOSTILE,
            evidence=tuple(replace(each, text=HOSTILE) for each in advice.evidence),
        )
        for advice in judged.recommendations
    )
    return replace(
        told,
        case=replace(
            told.case,
            target=HOSTILE,
            inventory=inventory,
            points=(*told.case.points, *bad),
            conditions={HOSTILE: HOSTILE},
        ),
        judgement=replace(
            judged,
            recommendations=attacked,
            not_judged=(NotJudged(HOSTILE, HOSTILE, HOSTILE),),
        ),
        warnings=(Warned("x", HOSTILE),),
    )


def test_nothing_foreign_becomes_markup() -> None:
    text = html(hostile())
    page, harmless = Page(text), Page(html(report()))
    assert set(page.tags) <= set(harmless.tags) | {"p"}
    assert page.names == harmless.names
    assert all(re.fullmatch(r"#[a-z0-9.-]+", address) for address in page.addresses)
    assert text.count("<!--") == 0
    assert "{{ 7*7 }}" in page.text
    assert page.text.count("<script>alert(1)</script>") > 10
    for char in ("\x00", "\x1b", "\u202e"):
        assert char not in text


def test_nothing_foreign_becomes_markup_in_markdown() -> None:
    text = markdown(hostile())
    outside, fence = [], ""
    for line in text.splitlines():
        mark = re.match(r"(`{3,})[^`]*$", line)
        if mark and not fence:
            fence = mark[1]
        elif fence:
            fence = "" if line == fence else fence
        else:
            outside.append(line)
    assert fence == ""
    spoken = re.sub(r"(?<!\\)(`+)(?!`).*?(?<!`)\1(?!`)", "", "\n".join(outside))
    assert "alert" in spoken
    assert "<script" not in spoken
    assert "[a](" not in spoken
    for char in ("\x00", "\x1b", "\u202e"):
        assert char not in text


def test_every_graphic_is_whole_and_inside_its_frame() -> None:
    drawn = re.findall(r"<svg.*?</svg>", html(hostile()), re.DOTALL)
    assert len(drawn) > 4
    for graphic in drawn:
        ElementTree.fromstring(graphic)
    for figure in figures(rows(report().case.points)):
        for plot in figure.plots:
            for mark in (mark for line in plot.lines for mark in line.marks):
                assert LEFT <= mark.x <= WIDTH
                assert TOP - 0.01 <= mark.y <= HEIGHT - BOTTOM + 0.01


def test_curves_stand_where_their_figures_are() -> None:
    (reads, *_) = figures(rows(report().case.points))
    rate, latency = reads.plots
    line = rate.lines[0]
    assert [mark.x for mark in line.marks] == sorted(mark.x for mark in line.marks)
    zero, top = rate.up[0], rate.up[-1]
    assert (zero.label, top.label) == ("0", "10k")
    read = (zero.at - line.marks[0].y) / (zero.at - top.at) * 10_000
    assert math.isclose(read, 1500, rel_tol=1e-6)
    assert latency.up[0].label == "1\u202fms"
    assert latency.lines[0].marks[-1].y < latency.lines[0].marks[0].y


def curve(files: int, rates: dict[int, float], trust: Trust = Trust.OK) -> list[Point]:
    return [
        kept(Setting(Probe.RANDOM_READ, threads, 16384, files), rate, 100.0, trust)
        for threads, rate in rates.items()
    ]


def test_an_interval_is_drawn_where_it_is_seen_and_never_flattens_the_curves() -> None:
    first, second, third = curve(1, {1: 1000.0, 2: 2000.0, 4: 4000.0})
    sure, wide, unknown = (
        replace(first, ci95_per_s=(999.0, 1001.0)),
        replace(second, ci95_per_s=(1000.0, 90_000.0)),
        replace(third, ci95_per_s=(math.nan, math.nan)),
    )
    rate, latency = figures(rows([sure, wide, unknown]))[0].plots
    by_place = [mark.reach for mark in rate.lines[0].marks]
    assert by_place[0] is by_place[2] is None
    top, bottom = by_place[1] or (0.0, 0.0)
    assert TOP - 0.01 <= top < rate.lines[0].marks[1].y < bottom <= HEIGHT - BOTTOM
    assert math.isclose(bottom, rate.lines[0].marks[0].y)
    assert rate.up[-1].label == "8k"
    assert not any(mark.reach for mark in latency.lines[0].marks)


def test_many_curves_are_told_apart_in_several_figures() -> None:
    points = [each for files in range(1, 9) for each in curve(files, {1: 10.0, 2: 20.0})]
    found = figures(rows(points))
    assert [len(figure.names) for figure in found] == [MOST_LINES, 2]


def test_what_is_not_trusted_is_not_drawn_as_if_it_were() -> None:
    rejected = curve(1, {1: 10.0, 2: 20.0}, Trust.REJECTED)
    assert figures(rows(rejected))[0].plots == ()
    doubtful = figures(rows(curve(1, {1: 10.0, 2: 20.0}, Trust.DOUBTFUL)))[0]
    assert not any(mark.sure for mark in doubtful.plots[0].lines[0].marks)


@pytest.mark.parametrize("rate", [0.0, 0.004, 3.0, 9e9])
def test_odd_figures_are_drawn(rate: float) -> None:
    unknown = replace(
        curve(1, {4: rate})[0],
        latency=Latency(math.nan, math.nan, math.nan, math.nan, math.nan, math.nan),
    )
    figure = figures(rows([*curve(1, {1: rate, 2: rate}), unknown]))[0]
    assert [len(plot.lines[0].marks) for plot in figure.plots] == [3, 2]
    assert all(math.isfinite(mark.y) for plot in figure.plots for mark in plot.lines[0].marks)


def test_a_run_without_advice_or_points() -> None:
    told = report()
    bare = replace(told, case=replace(told.case, points=()), judgement=type(told.judgement)())
    assert "No rule applies to what was looked at." in Page(html(bare)).text
    assert "No rule applies to what was looked at." in markdown(bare)
    assert "Measured curves" not in markdown(bare)


def test_the_ending_decides_the_form() -> None:
    assert form_of(Path("A.HTML")) == ".html"
    with pytest.raises(UsageError, match=r"End its name in \.html, \.pdf, \.md or"):
        form_of(Path("report.doc"))
