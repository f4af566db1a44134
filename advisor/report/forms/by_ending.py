"""The forms of a client's report, by the ending of the file's name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from advisor.fleet.server_row import ServerRow
from advisor.lab.record import Record
from advisor.plan.change_plan import ChangePlan
from advisor.report.document.blocks import Document
from advisor.report.document.cover import Cover
from advisor.report.document.endings import CSV, HTML, JSON, MARKDOWN, PDF
from advisor.report.document.templates import Paper
from advisor.report.fleet import fleet_csv, fleet_document, fleet_rows
from advisor.report.forms import html, markdown
from advisor.report.forms.pdf import to_pdf
from advisor.report.json.lab import to_json as lab_json
from advisor.report.json.report import to_json
from advisor.report.json.trial import to_json as trial_json
from advisor.report.json.written import written as written_json
from advisor.report.report import Report
from advisor.report.sections.lab import lab_answer, lab_document
from advisor.report.sections.run_report import report_document
from advisor.report.sections.servers_report import PlannedReport, servers_document
from advisor.report.sections.trial import trial_answer, trial_document
from advisor.run import RunKind, RunSummary
from advisor.store.store import Store
from advisor.trial.record import TrialRecord
from advisor.upgrade.lens import LensReport
from probes.errors import UsageError

PAGES: dict[str, Callable[[Document, Paper], str | bytes]] = {
    HTML: lambda document, _paper: html.page(document),
    MARKDOWN: lambda document, _paper: markdown.page(document),
    PDF: to_pdf,
}
"""Makes a file's content of a document."""

FLEET_FORMS = (*PAGES, CSV, JSON)
"""The endings of files that many servers are written to."""


def form_of(path: Path) -> str:
    """The ending of a report's file; raises UsageError for one that is none of the forms."""
    ending = path.suffix.lower()
    if ending != JSON and ending not in PAGES:
        raise UsageError(
            f"{path} is none of the forms of a report.",
            "End its name in .html, .pdf, .md or .json.",
        )
    return ending


def written(
    form: str,
    report: Report,
    plan: ChangePlan,
    seen: LensReport | None,
    *,
    cover: Cover,
    paper: Paper,
) -> str | bytes:
    """A file's content: the report, the plan, what another version would change, and a cover.

    Raises UsageError where the cover's logo can't be drawn.
    """
    if form == JSON:
        return to_json(report, plan, seen)
    return PAGES[form](report_document(report, plan, seen, cover), paper)


def written_servers(
    form: str, found: Sequence[PlannedReport], *, cover: Cover, paper: Paper
) -> str | bytes:
    """A file's content for several servers; raises UsageError as ``written`` does."""
    if form == JSON:
        raise UsageError(
            "A JSON document is of one run.", "Write one for each, or .html, .pdf or .md for all."
        )
    return PAGES[form](servers_document(found, cover), paper)


def written_lab(
    form: str, record: Record, run: RunSummary, *, cover: Cover, paper: Paper
) -> str | bytes:
    """A file's content for what came of a lab; raises UsageError as ``written`` does."""
    if form == JSON:
        return lab_json(record, run.id)
    return PAGES[form](lab_document(record, run, cover), paper)


def written_trial(
    form: str, record: TrialRecord, run: RunSummary, *, cover: Cover, paper: Paper
) -> str | bytes:
    """A file's content for what came of a trial; raises UsageError as ``written`` does."""
    if form == JSON:
        return trial_json(record, run.id)
    return PAGES[form](trial_document(record, run, cover), paper)


def shown_answer(store: Store, run: RunSummary) -> str:
    """What came of a lab or a trial, as Markdown; "" of other runs. Raises StoreError."""
    match run.kind:
        case RunKind.LAB:
            return markdown.untitled(lab_answer(store.lab(run.id)))
        case RunKind.TRIAL:
            return markdown.untitled(trial_answer(store.trial(run.id)))
    return ""


def written_fleet(form: str, rows: Sequence[ServerRow], paper: Paper) -> str | bytes:
    """A file's content for many servers; ``form`` is one of ``FLEET_FORMS``."""
    if form == JSON:
        return written_json(fleet_rows(rows))
    return fleet_csv(rows) if form == CSV else PAGES[form](fleet_document(rows), paper)
