"""The report of one run that was no check: a lab's, or a trial's."""

from __future__ import annotations

from collections.abc import Iterable

from advisor.report.document.blocks import Block, Document, beside
from advisor.report.document.cover import Cover
from advisor.report.document.hiding import redaction, telling, without_names
from advisor.run import RunState, RunSummary
from probes._version import __version__


def document_of_run(
    title: str, run: RunSummary, blocks: Iterable[Block], cover: Cover, last: str = ""
) -> Document:
    """The report for a client; ``last`` follows who reckoned it."""
    early = "" if run.state is RunState.DONE else f"{run.state.value.capitalize()}. {run.reason}"
    document = Document(
        title=title,
        cover=cover,
        facts=(("run", f"{run.id}, {run.started_at[:10]}"), redaction(cover)),
        notice=early.strip(),
        blocks=tuple(blocks),
        last=f"Reckoned by Leadline {__version__}. {last}".rstrip(),
    )
    names = telling({run.target: "server"})
    return without_names(document, names) if cover.anonymous else document


def shown_again(run_id: int) -> Block:
    """The way back to a run, below what a terminal shows of it."""
    return beside(f"Run {run_id}: `leadline runs show {run_id}` shows it again.")
