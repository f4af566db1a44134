"""What else was measured, mostly by other programs: one sentence for each curve of it."""

from __future__ import annotations

from collections.abc import Iterator, Set

from advisor.case import Case, explains
from advisor.wording.measured.points import limit, rate_text, says, threads, within
from probes.imports.apart import PER_TRANSACTION, statements_words
from probes.kinds.words import capital, title, unit, workers
from probes.points import Curve, EndedBy, Probe
from probes.statistics.repeats import curves

MOST = 4
"""At most this many curves of one kind are described; the table has the others."""

_KINDS = {
    "reads": "Transactions that only read",
    "writes": "Transactions that only write",
    "both": "Transactions that read and write",
}


def load_sentences(case: Case) -> Iterator[str]:
    """Writes in order, lookups and updates of another program, and whole transactions."""
    for curve in case.curves(Probe.STEADY_WRITE)[:MOST]:
        peak = curve.peak
        yield (
            f"Written in order, it takes {rate_text(peak, 'writes', curve)} at {threads(peak)}"
            f"{within(peak)}{limit(peak)}."
        )
    for probe, head in (
        (Probe.POINT_SELECT, "The server answers"),
        (Probe.PK_UPDATE, "The server makes"),
    ):
        found = [each for each in case.curves(probe) if "working_set" not in each.setting.options]
        what = "primary-key lookups" if probe is Probe.POINT_SELECT else "primary-key updates"
        for curve in found[:MOST]:
            yield f"{head} {at_most(curve, what)}."
    for curve in case.curves(Probe.OLTP)[:MOST]:
        yield f"{_transactions(curve)}: {at_most(curve, 'transactions')}."


def at_most(curve: Curve, what: str) -> str:
    """A curve's highest rate, and what is left of it where more connections asked.

    ``1,907 transactions/s at 256 connections, 95 % of them within 223 ms; 1,467 at 512``.
    """
    peak, last = curve.peak, curve.points[-1]
    text = f"{rate_text(peak, what)} at {workers(peak.setting)}{within(peak)}"
    if last is peak:
        return text
    whole = peak.rate_per_s if peak.setting.probe is Probe.OLTP else 0.0
    fewer = says("", whole)[1](last.rate_per_s)
    return f"{text}; {fewer.removesuffix('/s')} at {last.setting.threads:,}"


def any_sentences(case: Case, probes: Set[Probe]) -> Iterator[str]:
    """A plain sentence for each curve of these probes that an import has and that may be trusted.

    Imports alone don't say what ended a point.
    """
    shown = (
        point
        for point in case.points
        if point.setting.probe in probes
        and point.usable
        and point.ended_by is EndedBy.UNKNOWN
        and not explains(point.setting)
    )
    for curve in curves(shown)[:MOST]:
        peak = curve.peak
        words = title(curve.setting)
        yield f"{capital(words)}: {rate_text(peak, unit(peak.setting))} at {workers(peak.setting)}."


def _transactions(curve: Curve) -> str:
    options = curve.setting.options
    if made_of := options.get(PER_TRANSACTION, ""):
        return f"Transactions of {statements_words(made_of)}"
    return _KINDS.get(options.get("statements", ""), "Transactions")
