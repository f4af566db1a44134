"""A template chooses a report's sections; its file says what it may, or a clear sentence."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.gain import Stakes
from advisor.outcomes import Verdict
from advisor.plan.planning import make_plan
from advisor.report.document.cover import Cover, OwnWords
from advisor.report.document.sections import APPENDIX, OF_COMPARISON, OF_RUN, SECTIONS
from advisor.report.document.templates import BUILT_IN, Template, keep, kept_in, named, read
from advisor.report.report import Report
from advisor.wording.advice.decision import NO_RISK
from advisor.wording.advice.evidence_card import of_verdict
from probes.errors import UsageError
from tests.advisor.report.builders import report, to_html, to_markdown

LOOSE = 'href="#'


def made(template: Template, found: Report | None = None) -> tuple[str, str]:
    """The report as HTML and as Markdown."""
    found = found or report()
    plan = make_plan(found.case, of_verdict(found.judgement, Verdict.RECOMMEND))
    cover = template.cover(Cover(client="Example Shop", date="1 May 2026"))
    return to_html(found, plan, None, cover), to_markdown(found, plan, None, cover)


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("verdict", [Verdict.RECOMMEND, Verdict.WATCH])
@pytest.mark.parametrize("number", [1, 2])
def test_every_report_names_the_risks_to_data_first(
    name: str, verdict: Verdict, number: int
) -> None:
    found = report()
    advice = list(found.judgement.recommendations)
    for at in range(number):
        advice[at] = replace(
            advice[at],
            title=f"Torn page {at}",
            now="",
            saw=f"A cut of power tears page {at}.",
            verdict=verdict,
            stakes=Stakes.DATA,
        )
    risky = replace(found, judgement=replace(found.judgement, recommendations=tuple(advice)))
    page, text = made(BUILT_IN[name], risky)
    red = re.findall(r'<p class="risk">(.*?)</p>', page, re.DOTALL)
    for at in range(number):
        for shown in (red[at], text[: text.index("what hurts")]):
            assert f"Risk to data: Torn page {at}." in shown
            assert f"A cut of power tears page {at}." in shown
    assert page.index('class="risk"') < page.index("what hurts")
    quiet = made(BUILT_IN[name])[0]
    assert 'class="risk"' not in quiet
    assert NO_RISK in quiet


def headings(markdown: str) -> list[str]:
    return [line[3:] for line in markdown.splitlines() if line.startswith("## ")]


def test_only_the_chosen_sections_are_there_and_no_link_leads_to_another() -> None:
    page, text = made(Template(frozenset({"summary", "advice", "conditions"})))
    assert headings(text) == [SECTIONS[each] for each in ("summary", "advice", "conditions")]
    assert "Rule " not in page
    assert "Rule " in made(Template(frozenset({"advice", "evidence"})))[0]
    for other in ("published-", "point-"):
        assert f"{LOOSE}{other}" in made(BUILT_IN["everything"])[0]
        assert f"{LOOSE}{other}" not in page


def test_the_opening_stands_first_paragraph_by_paragraph() -> None:
    page, text = made(Template(opening="What we were\nasked <b>.\n\nWhat we did."))
    assert page.index("What we were asked &lt;b&gt;.") < page.index("What we did.")
    assert page.index("What we did.") < page.index('id="summary"')
    assert text.index("What we did.") < text.index("## What to decide")


def test_every_built_in_template_holds_something_of_a_run() -> None:
    for name, template in BUILT_IN.items():
        assert headings(made(template)[1]), name


def test_a_template_that_leaves_nothing_is_refused() -> None:
    told = report()
    plan = make_plan(told.case, ())
    for none in ({"roles"}, set[str]()):
        cover = Template(frozenset(none)).cover(Cover())
        for writer in (to_html, to_markdown):
            with pytest.raises(UsageError, match="would hold no section"):
                writer(told, plan, None, cover)


def test_a_kept_template_is_read_as_it_was(tmp_path: Path) -> None:
    logo = tmp_path / "roe.png"
    template = Template(
        frozenset({"plan", "summary"}),
        'Said: "so"\n\n\\n',
        "Jörg",
        str(logo),
        "Letter",
        True,
        "+49 30 1",
        "Confidential",
        (OwnWords('odd "rule"', "Two\nlines.", "Jo", "1 June"), OwnWords("redo.capacity", "One.")),
    )
    folder = tmp_path / "kept"
    assert kept_in(folder) == {}
    keep(folder, " house style ", template)
    assert list(kept_in(folder)) == ["house style"]
    assert named("house style", folder) == template
    keep(folder, "house style", Template())
    assert named("house style", folder) == Template()


def test_a_logo_is_found_beside_the_template(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text('logo = "roe.png"', encoding="utf-8")
    assert read(file).logo == str(tmp_path / "roe.png")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("parts = []", "says 'parts', which no template has"),
        ('sections = ["summery"]', "the section 'summery'"),
        ("sections = [[1]]", "the section"),
        ('sections = "summary"', "is no list of sections"),
        ("hide_names = 1", "is no true or false"),
        ("advice = 1", "is no table"),
        ('[advice]\n"a.b" = 1', "'a.b' in the template .* is no table of texts"),
        ('[advice."a.b"]\nwhen = "now"', "says 'when' of a.b"),
        ('[advice."a.b"]\nwho = "a\\u0007"', "control characters"),
        ('paper = "A5"', "the paper 'A5'"),
        ("author = ", "is no TOML"),
        ("\x00", "is no TOML"),
        (f"opening = {json.dumps('x' * 4001)}", "longer than 4,000"),
        ('opening = "\\u001b[2J"', "control characters"),
        (f"#{' ' * 70_000}", "larger than 64 KiB"),
    ],
)
def test_a_wrong_file_is_refused_in_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "a.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        named(str(file), tmp_path)


def test_names_that_are_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no template called 'mine'"):
        named("mine", tmp_path)
    with pytest.raises(UsageError, match="can't be read"):
        named(str(tmp_path / "none.toml"), tmp_path)
    for name in ("", "..", "a/b", "manager", "a\nb"):
        with pytest.raises(UsageError):
            keep(tmp_path, name, Template())


def test_a_file_s_own_cover_gives_way_to_what_is_typed() -> None:
    own = OwnWords("redo.capacity", "As agreed in March.", until="1 June")
    kept = Template(author="Roe", paper="Letter", contact="roe@example", own=(own,))
    other = replace(own, words="Not before June.")
    typed = kept.but(Template(author="Doe", hide_names=True, own=(other,)))
    assert (typed.author, typed.paper, typed.hide_names) == ("Doe", "Letter", True)
    assert typed.cover(Cover(client=" Shop  One")) == Cover(
        "Shop One", "Doe", anonymous=True, contact="roe@example", own=(other,)
    )


def test_each_kind_of_report_offers_the_sections_that_it_can_have() -> None:
    everything = set(headings(made(BUILT_IN["everything"])[1]))
    assert everything <= {SECTIONS[name] for name in OF_RUN}
    assert set(OF_RUN) | set(OF_COMPARISON) == set(SECTIONS)


def test_a_client_gets_what_he_acts_on_and_the_evidence_on_request() -> None:
    client = set(headings(made(BUILT_IN["client"])[1]))
    proof = {SECTIONS[name] for name in APPENDIX}
    assert {"What to decide", "Risks", "Changes", "Change plan", "Conditions", "Terms"} <= client
    assert client.isdisjoint(proof)
    whole = set(headings(made(BUILT_IN["client"].with_evidence)[1]))
    assert whole == client | (whole & proof) == set(headings(made(BUILT_IN["everything"])[1]))
    assert {"Evidence of each change", "Measured curves"} <= whole
    manager = set(headings(made(BUILT_IN["manager"])[1]))
    assert "Risks" in manager
    assert "Conditions" not in manager
