"""Where a log lies that commits sync, judged by how much flushing slows commits down."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Card, Facts, by_hand, per_s
from advisor.rules.placement._commit_neighbours import WORDS, Neighbours
from probes.figures import percent, rate, times

PAGES = per_s("pages")


@dataclass(frozen=True, slots=True)
class Log:
    """What one kind of log has of its own; texts are whole sentences.

    ``name`` is what people call it. ``useless`` says that a drive of its own would not make commits
    faster, ``risk`` and ``side_effects`` what moving it means. ``steps`` move it, ``undo`` moves
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


def judge_place(
    facts: Facts, log: Log, neighbours: Neighbours, *, apart: bool, synced: bool = True
) -> Answer:
    """Judge a log's place by its neighbours; ``synced`` is whether commits wait for its syncs."""
    if apart:
        return facts.card(
            f"The {log.name} and the data lie on different drives.",
            formula=f"drives under {log.name} and data: none in common",
            because="Both were traced to the drives that this machine sees; whether virtual drives "
            "share hardware is not known.",
            valid="As long as both keep their drives.",
            flips_when="both move to one drive",
        ).fine(f"Flushed pages do not delay its syncs. {log.apart_brings}".strip())
    shared = f"The {log.name} and the data share a drive"
    card = facts.card(
        f"{shared}.",
        formula=neighbours.slowing.formula,
        because="Commits and flushing were measured together on this drive.",
        valid="For this drive and page size.",
    )
    harmful = neighbours.harmful_per_s
    if harmful is None or not synced:
        return _harmless(log, card, shared, neighbours, synced=synced)
    if neighbours.slower is None or neighbours.written_per_s is None:
        return _somewhere(card, shared, neighbours, harmful)
    figure, ratio = neighbours.slower
    return _move(log, card, neighbours, WORDS[figure], ratio.value)


def _harmless(log: Log, card: Card, shared: str, neighbours: Neighbours, *, synced: bool) -> Answer:
    most = neighbours.mixture.levels[-1].flushed_per_s
    why = (
        f"up to {rate(most, 'flushed pages')} do not slow commits down"
        if synced
        else f"commits do not sync the {log.name}"
    )
    return card.fine(
        log.useless,
        saw=f"{shared}, and {why}.",
        confidence=Confidence.HIGH,
        valid=f"For flushing up to {PAGES(most)}.",
        flips_when="flushing slows commits down by a quarter"
        + ("" if synced else f", and commits sync the {log.name}"),
    )


def _somewhere(card: Card, shared: str, neighbours: Neighbours, harmful: float) -> Answer:
    written = neighbours.written_per_s
    saw = f"{shared}, and {rate(harmful, 'flushed pages')} slow commits down."
    reached = At("the server's rate of flushing", written or 0.0, least=harmful, say=PAGES)
    if written is not None and reached:
        return card.watch(
            "One of the two measurements was disturbed: measure commits beside flushing again.",
            saw=f"{saw} The server's own rate does not.",
            confidence=Confidence.LOW,
            flips_when="the server's own rate slows commits down by a quarter, too",
            gain=0.1,
        )
    known = "The server's own rate of flushing is not known."
    return card.watch(
        "Keep innodb_io_capacity below that rate. A drive of its own pays off only when the server "
        "has to flush more.",
        saw=f"{saw} {known if written is None else 'The server flushes less than that.'}",
        flips_when=reached.turn,
        gain=0.15,
    )


def _move(log: Log, card: Card, neighbours: Neighbours, word: str, ratio: float) -> Answer:
    written, level = neighbours.written_per_s or 0.0, neighbours.level.flushed_per_s
    reached = At("the server's rate of flushing", written, least=level, say=PAGES)
    return card.recommend(
        by_hand(
            f"a drive of its own for the {log.name}",
            f"Move the {log.name} to a drive of its own",
            log.steps,
            log.undo,
        ),
        saw=f"{card.said['saw']} The server flushes {PAGES(written)}; {rate(level)} make the "
        f"{word} of a sync {times(ratio)} that without flushing.",
        setting=f"place of the {log.name}",
        now="on the data's drive",
        effect="Its syncs no longer wait for flushed pages: on a drive like this one their "
        f"{word} falls to {percent(1 / ratio)} of the present value. {log.apart_brings}".strip(),
        because="Commits and flushing were measured together on this drive, the other drive was "
        "not measured.",
        valid="For this drive and this rate of flushing.",
        flips_when=reached.turn,
        risk=log.risk,
        cost_of_error="A restart, and a drive with little benefit.",
        side_effects=log.side_effects,
        verify=log.verify,
        gain=log.gain,
    )
