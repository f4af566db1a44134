"""What was tried on a target: trials, labs, and what looks found before and after a change."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.lab.looked import looked
from advisor.report.document.blocks import Block, Heading, beside, items, pairs
from advisor.report.history import NO_PROOF, change_sentence
from advisor.report.report import Report
from advisor.report.sections.trial import tried_table
from advisor.wording.measured.lab import headline


def tried(report: Report) -> Iterator[Block]:
    """Each kind below its heading; nothing where nothing was tried."""
    if report.trials:
        yield Heading(2, "On the server itself")
        yield tried_table(report.trials)
    if report.labs:
        yield Heading(2, "In the lab, on throwaway servers")
        yield from pairs((day, headline(record, looked(record))) for day, record in report.labs)
    if report.since:
        yield Heading(2, "Before and after")
        yield from items(map(change_sentence, report.since))
        yield beside(NO_PROOF)
