"""A log that commits sync: what people call it, and how it moves to a drive of its own."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.watched.watch import CallTime
from advisor.rulekit import Answer, At, Facts
from probes.figures import duration_us
from probes.watch.words import FileRole

FAST_US = 200
"""A drive of its own that brings less than this for each commit is not worth a move. Our choice."""

MEASURE_FIRST = (
    "Measure the other drive first: its syncs must be at least as fast and as safe. One that a "
    "cloud lends with the machine, and empties when that stops, is not."
)


@dataclass(frozen=True, slots=True)
class Log:
    """What one kind of log has of its own; texts are whole sentences.

    ``name`` is what people call it, ``role`` what a watch calls its files. ``useless`` says that a
    drive of its own would not make commits faster, ``risk`` and ``side_effects`` what moving it
    means. ``steps`` move it, ``undo`` moves it back, ``verify`` shows where it lies.
    ``apart_brings`` is what a drive of its own brings beside speed.
    """

    name: str
    role: FileRole
    useless: str
    risk: str
    side_effects: str
    steps: tuple[str, ...]
    undo: tuple[str, ...]
    verify: str
    apart_brings: str = ""


def takes(log: Log, own: CallTime, least_us: float) -> At:
    """Ask whether the server's own syncs of a log take so long."""
    return At(f"mean sync of the {log.name}", own.latency_us, least=least_us, say=duration_us)


def fast(own: CallTime) -> bool:
    """Whether syncs are so fast under the server's own load that a move brings nothing."""
    return own.latency_us.value < FAST_US


def judge_apart(facts: Facts, log: Log) -> Answer:
    """Judge a log that lies on another drive than the data."""
    return facts.card(
        f"The {log.name} and the data lie on different drives.",
        formula=f"drives under {log.name} and data: none in common",
        because="Both were traced to the drives that this machine sees; whether virtual drives "
        "share hardware is not known.",
        valid="As long as both keep their drives.",
        flips_when="both move to one drive",
    ).fine(f"Flushed pages do not delay its syncs. {log.apart_brings}".strip())
