"""What a client's manager reads: each thing once, nothing empty, names that say what they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.judging.agenda import changes_asked
from advisor.outcomes import Judgement, Verdict
from advisor.plan.planning import make_plan
from advisor.report.document.blocks import Document, Heading, Table
from advisor.report.document.cover import Cover
from advisor.report.document.templates import CLIENT, Paper
from advisor.report.forms.markdown import page
from advisor.report.forms.pdf import to_pdf
from advisor.report.report import Report, gather
from advisor.report.sections.run_report import report_document
from advisor.run import voice_of
from advisor.runs.sample import take_sample
from advisor.store.store import Store
from advisor.target_config.configuration import configure
from advisor.target_names import SAMPLE
from advisor.trial.record import TrialVerdict
from advisor.wording.advice.decision import can_fail, parts_of, to_do
from advisor.wording.advice.evidence_card import of_verdict
from tests.advisor.report.builders import report
from tests.advisor.report.client.test_to_decide import planned, risky
from tests.advisor.report.forms.pdf_reading import Pdf
from tests.advisor.trial.records import trial_record
from tests.present import present


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Report]:
    with Store.open(tmp_path_factory.mktemp("sample") / "runs.sqlite3") as store:
        list(take_sample(store))
        yield gather(store, present(voice_of(store.runs(SAMPLE))), past=True)


def document(found: Report, cover: Cover | None = None) -> Document:
    judgement = found.judgement
    plan = configure(found.case, judgement, list(changes_asked(judgement))).plan
    return report_document(found, plan, cover=cover or Cover(sections=CLIENT.sections))


def headings(found: Document) -> list[str]:
    return [each.text for each in found.blocks if isinstance(each, Heading) and each.level == 1]


def test_the_sample_has_eight_pages_and_says_its_forecast_once(sample: Report) -> None:
    whole = document(sample, Cover(client="Example Shop", sections=CLIENT.sections))
    pdf = Pdf(to_pdf(whole, Paper.A4))
    assert len(pdf.pages) == 8
    assert len(pdf.lines(8)) > 20
    text = page(whole)
    for once in ("queries would be done within", "One measurement alone may show nothing"):
        assert text.count(once) == 1


def test_a_report_says_when_it_watched_and_when_it_measured(sample: Report) -> None:
    facts = dict(document(sample).facts)
    watched, measured = facts["measured"].split("; its drive ")
    assert watched.startswith("2026-11-25 22:00")
    assert measured.startswith("2026-11-25 22:00")
    assert watched.count("22:00") == 1


def test_what_is_to_be_done_is_counted_once(sample: Report) -> None:
    judgement = sample.judgement
    chosen = list(changes_asked(judgement))
    plan = configure(sample.case, judgement, chosen).plan
    asked = parts_of(chosen, plan)
    said = to_do(judgement, sample.case, asked, plan)
    assert said.startswith("Make 4 changes: 3 while the server runs, 1 with a restart; then watch")
    assert "1 change takes the server down for a while." in can_fail(judgement, asked, plan)
    alive = parts_of(chosen[:1], replace(plan, actions=plan.actions[:1]))
    first = replace(plan, actions=plan.actions[:1])
    assert to_do(judgement, sample.case, alive, first).startswith(
        "Make 1 change, while the server runs."
    )


def test_a_plan_of_decisions_alone_says_that_they_come_first() -> None:
    found = risky()
    plan = replace(planned(found), actions=())
    assert plan.offered
    assert "Nothing is changed before you decide." in page(report_document(found, plan))


def test_a_risk_of_a_setting_is_named_by_its_value() -> None:
    found = risky()
    red = page(report_document(found, planned(found)))
    assert "Risk to data: sync_binlog = 0." in red
    assert "Risk to data: innodb_doublewrite = OFF." in red


def test_what_the_first_page_says_no_empty_section_says_again() -> None:
    told = report()
    bare = replace(told, judgement=Judgement((), told.judgement.open))
    plan = make_plan(told.case, of_verdict(bare.judgement, Verdict.RECOMMEND))
    shown = headings(report_document(bare, plan, cover=Cover(sections=CLIENT.sections)))
    assert "What to decide" in shown
    assert not {"Risks", "Changes", "Change plan"} & set(shown)
    alone = Cover(sections=frozenset({"risks", "advice", "plan"}))
    assert {"Changes", "Change plan"} <= set(headings(report_document(bare, plan, cover=alone)))


def test_a_trial_has_its_verdict_and_the_cover_says_what_it_changed(tmp_path: Path) -> None:
    told = report()
    plan = make_plan(told.case, ())
    for verdict, shown, changed in (
        (TrialVerdict.BACK, "taken back", "switched what they tried for some minutes"),
        (TrialVerdict.KEPT, "kept", "but what its trials have kept"),
    ):
        record = replace(trial_record(), verdict=verdict)
        found = replace(told, trials=(("2026-11-28", record),))
        made = report_document(found, plan, cover=Cover(sections=CLIENT.sections))
        tried = next(
            each for each in made.blocks if isinstance(each, Table) and "tried" in each.heads
        )
        assert all(tried.heads)
        cells = ["".join(span.text for span in cell) for cell in tried.rows[0].cells]
        assert cells[tried.heads.index("verdict")] == shown
        assert cells[-1].endswith(".")
        assert ("Next start: " in cells[-1]) == (verdict is TrialVerdict.KEPT)
        assert "%" in cells[tried.heads.index("time of a statement")]
        assert changed in made.last
