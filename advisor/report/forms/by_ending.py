"""The forms of a client's report, by the ending of the file's name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from advisor.plan.change_plan import ChangePlan
from advisor.report.document.blocks import Document
from advisor.report.document.cover import Cover
from advisor.report.document.endings import HTML, JSON, MARKDOWN
from advisor.report.forms import html, markdown
from advisor.report.json.report import to_json
from advisor.report.report import Report
from advisor.upgrade.lens import LensReport
from probes.errors import UsageError

Writer = Callable[[Report, ChangePlan, LensReport | None, Cover], str]
"""Makes a file's text of a report, a plan, what another version would change, and a cover."""

FORMS: dict[str, Writer] = {
    HTML: html.to_html,
    MARKDOWN: markdown.to_markdown,
    JSON: lambda report, plan, seen, _cover: to_json(report, plan, seen),
}


PAGES: dict[str, Callable[[Document], str]] = {HTML: html.page, MARKDOWN: markdown.page}
"""Makes a file's text of a document."""


def writer(path: Path) -> Writer:
    """What makes the text of such a file; raises UsageError for an ending that is none of them."""
    found = FORMS.get(path.suffix.lower())
    if found is None:
        raise UsageError(
            f"{path} is none of the forms of a report.",
            "End its name in .html, .pdf, .md or .json.",
        )
    return found
