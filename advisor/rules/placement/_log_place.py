"""Where a log lies that commits sync, judged by how commits bear the flushing beside them."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.model.ratio import Ratio
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Judged
from advisor.rules.placement._commit_neighbours import WORDS, Neighbours
from advisor.steps import Needs, Procedure
from probes import figures

VALID = "For this drive and page size."
BECAUSE = "commits and flushing were measured together on this drive"


@dataclass(frozen=True, slots=True)
class Log:
    """What one kind of log has of its own; texts are whole sentences.

    ``name`` is what people call it. ``useless`` says that a drive of its own would bring commits
    nothing, ``risk`` and ``side_effects`` what moving it means. ``steps`` move it, ``undo`` moves
    it back, ``verify`` shows where it lies. ``apart_brings`` is what a drive of its own brings
    beside speed.
    """

    name: str
    useless: str
    risk: str
    side_effects: str
    steps: tuple[str, ...]
    undo: tuple[str, ...]
    verify: str
    gain: float
    apart_brings: str = ""


def judge_place(log: Log, neighbours: Neighbours, *, apart: bool, synced: bool = True) -> Judged:
    """Judge a log's place by its neighbours; ``synced`` is whether commits wait for its syncs."""
    if apart:
        return _apart(log)
    harmful = neighbours.harmful_per_s
    if harmful is None or not synced:
        return _harmless(log, neighbours, synced=synced)
    found, written = neighbours.slower, neighbours.written_per_s
    if found is None or written is None:
        return _somewhere(log, neighbours, harmful)
    return _move(log, neighbours, written, found[1], WORDS[found[0]])


def _apart(log: Log) -> Judged:
    return Judged(
        Verdict.FINE,
        f"The {log.name} and the data lie on different drives.",
        effect=f"Flushed pages do not stand in the way of its syncs. {log.apart_brings}".strip(),
        confidence=Confidence.MEDIUM,
        flips_when="both move to one drive",
        formula=f"drives under {log.name} and data: none in common",
        because="both were followed down to the drives that this machine sees; what virtual drives "
        "share further down is not told",
        valid="As long as both keep their drives.",
    )


def _harmless(log: Log, neighbours: Neighbours, *, synced: bool) -> Judged:
    most = neighbours.mixture.levels[-1].flushed_per_s
    why = (
        f"commits do not get slower beside up to {figures.rate(most, 'flushed pages')}"
        if synced
        else f"the {log.name} is not synced at commits"
    )
    return Judged(
        Verdict.FINE,
        f"The {log.name} and the data share a drive, and {why}.",
        effect=log.useless,
        confidence=Confidence.HIGH,
        flips_when="commits get slower by a quarter beside flushing"
        + ("" if synced else f", and the {log.name} is synced at commits"),
        formula=neighbours.formula,
        because=BECAUSE,
        valid=f"For flushing up to {figures.rate(most, 'pages')}.",
    )


def _somewhere(log: Log, neighbours: Neighbours, harmful: float) -> Judged:
    written = neighbours.written_per_s
    below = written is None or written < harmful
    if written is None:
        known = "The server's own rate of flushing is not known."
    elif below:
        known = "The server flushes less than that."
    else:
        known = "Beside the server's own rate they do not."
    return Judged(
        Verdict.WATCH,
        f"The {log.name} and the data share a drive, and commits get slower beside "
        f"{figures.rate(harmful, 'flushed pages')}. {known}",
        effect="Keep innodb_io_capacity below that rate. A drive of its own is worth its price "
        "only when the server has to flush more."
        if below
        else "One of the two measurements was disturbed: measure commits beside flushing again.",
        confidence=Confidence.MEDIUM if below else Confidence.LOW,
        flips_when=f"the server flushes {figures.rate(harmful, 'pages')} or more"
        if below
        else "commits get slower by a quarter beside the server's own rate, too",
        gain=0.15 if below else 0.1,
        formula=neighbours.formula,
        because=BECAUSE,
        valid=VALID,
        cost_of_error="None: nothing is changed.",
    )


def _move(log: Log, neighbours: Neighbours, written: float, ratio: Ratio, word: str) -> Judged:
    what = f"Move the {log.name} to a drive of its own"
    beside = neighbours.level.flushed_per_s
    return Judged(
        Verdict.RECOMMEND,
        f"The {log.name} and the data share a drive. The server flushes "
        f"{figures.rate(written, 'pages')}; beside {figures.rate(beside)} the {word} of a sync is "
        f"{figures.times(ratio.value)} what it is without flushing.",
        setting=f"place of the {log.name}",
        now="on the data's drive",
        proposed=f"a drive of its own for the {log.name}",
        effect=(
            "Its syncs no longer wait behind flushed pages: on a drive like this one their "
            f"{word} falls to {figures.percent(1 / ratio.value)} of what it is. {log.apart_brings}"
        ).strip(),
        confidence=Confidence.MEDIUM,
        risk=log.risk,
        needs=Needs.OS,
        flips_when=f"the server flushes less than {figures.rate(beside, 'pages')}",
        gain=log.gain,
        formula=neighbours.formula,
        because="commits and flushing were measured together here, the other drive was not",
        valid="For this drive and this rate of flushing.",
        cost_of_error="A restart, and a drive that brings little.",
        side_effects=log.side_effects,
        verify=log.verify,
        steps=(Procedure(what, log.steps, log.undo, Needs.OS),),
    )
