"""Documents to be laid out: a whole report, and one of given blocks."""

from __future__ import annotations

from advisor.outcomes import Verdict
from advisor.plan.planning import make_plan
from advisor.report.document.blocks import Document
from advisor.report.document.cover import NO_COVER, Cover
from advisor.report.sections.run_report import report_document
from advisor.wording.advice.evidence_card import of_verdict
from tests.advisor.report.builders import report


def real() -> Document:
    told = report()
    return report_document(
        told, make_plan(told.case, of_verdict(told.judgement, Verdict.RECOMMEND))
    )


def made(*blocks: object, cover: Cover = NO_COVER) -> Document:
    return Document("A title", cover, (), "", blocks, "The end.")  # type: ignore[arg-type]
