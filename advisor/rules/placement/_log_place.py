"""Where a log lies that commits sync, judged by how much flushing slows commits down."""

from __future__ import annotations

from advisor.facts.watched.watch import CallTime
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Card, Facts, Needs, Relief, Wait, by_hand, per_s
from advisor.rules.placement._commit_neighbours import WORDS, Neighbours
from advisor.rules.placement._log import Log, fast
from advisor.rules.placement._watched_log import judge_watched
from advisor.workload.commit_waits import shorter
from probes.figures import percent, rate, times

PAGES = per_s("pages")


def judge_place(
    facts: Facts, log: Log, neighbours: Neighbours | None, own: CallTime | None, *, synced: bool
) -> Answer:
    """Judge the place of a log that shares the data's drive, by what its syncs take there.

    ``neighbours`` is what was measured beside flushing, ``own`` what the server's own syncs of it
    take; ``synced`` is whether commits wait for them.
    """
    if not synced or neighbours is None or (own is not None and fast(own)):
        return judge_watched(facts, log, own, synced=synced)
    shared = f"The {log.name} and the data share a drive"
    card = facts.card(
        f"{shared}.",
        formula=neighbours.slowing.formula,
        because="Commits and flushing were measured together on this drive.",
        valid="For this drive and page size.",
    )
    harmful = neighbours.harmful_per_s
    if harmful is None:
        return _harmless(log, card, shared, neighbours)
    if neighbours.slower is None or neighbours.written_per_s is None:
        return _somewhere(card, shared, neighbours, harmful)
    figure, ratio = neighbours.slower
    card = card.but(relieves=(shorter(facts, log.role, ratio.value, 1.0),))
    return _move(log, card, neighbours, WORDS[figure], ratio.value)


def _harmless(log: Log, card: Card, shared: str, neighbours: Neighbours) -> Answer:
    most = neighbours.mixture.levels[-1].flushed_per_s
    return card.fine(
        log.useless,
        saw=f"{shared}, and up to {rate(most, 'flushed pages')} do not slow commits down.",
        confidence=Confidence.HIGH,
        valid=f"For flushing up to {PAGES(most)}.",
        flips_when="flushing slows commits down by a quarter",
    )


def _somewhere(card: Card, shared: str, neighbours: Neighbours, harmful: float) -> Answer:
    written = neighbours.written_per_s
    saw = f"{shared}, and {rate(harmful, 'flushed pages')} slow commits down."
    reached = At("server's rate of flushing", written or 0.0, least=harmful, say=PAGES)
    if written is not None and reached:
        return card.watch(
            "One of the two measurements was disturbed: measure commits beside flushing again.",
            saw=f"{saw} The server's own rate does not.",
            confidence=Confidence.LOW,
            flips_when="the server's own rate slows commits down by a quarter, too",
        )
    if written is not None:
        return card.fine(
            "A drive of its own pays off only where the server has to flush so much.",
            saw=f"{saw} The server flushes less than that.",
            flips_when=reached.turn,
        )
    return card.watch(
        "Keep innodb_io_capacity below that rate. A drive of its own pays off only when the server "
        "has to flush more.",
        saw=f"{saw} The server's own rate of flushing is not known.",
        flips_when=reached.turn,
        relieves=() if written is None else (Relief.up_to(Wait.COMMITS, 0.0),),
    )


def _move(log: Log, card: Card, neighbours: Neighbours, word: str, ratio: float) -> Answer:
    written, level = neighbours.written_per_s or 0.0, neighbours.level.flushed_per_s
    reached = At("server's rate of flushing", written, least=level, say=PAGES)
    return card.recommend(
        by_hand(
            f"a drive of its own for the {log.name}",
            f"Move the {log.name} to a drive of its own",
            log.steps,
            log.undo,
            Needs.MONEY,
        ),
        saw=f"{card.says['saw']} The server flushes {PAGES(written)}; {rate(level)} make the "
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
    )
