"""The forms of a client's report, by the ending of the file's name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from advisor.outcomes import Verdict
from advisor.plan.change_plan import ChangePlan
from advisor.plan.planning import make_plan
from advisor.report.advice_text import of_verdict
from advisor.report.client.html import to_html
from advisor.report.client.markdown import to_markdown
from advisor.report.document import to_json
from advisor.report.report import Report
from probes.errors import UsageError

FORMS: dict[str, Callable[[Report, ChangePlan], str]] = {
    ".html": to_html,
    ".md": to_markdown,
    ".json": to_json,
}


def writer(path: Path) -> Callable[[Report, ChangePlan], str]:
    """What makes the text of such a file; raises UsageError for an ending that is none of them."""
    found = FORMS.get(path.suffix.lower())
    if found is None:
        raise UsageError(
            f"{path} is none of the forms of a report.", "End its name in .html, .md or .json."
        )
    return found


def whole_plan(report: Report) -> ChangePlan:
    """The plan of everything that is recommended."""
    return make_plan(report.case, of_verdict(report.judgement, Verdict.RECOMMEND))
