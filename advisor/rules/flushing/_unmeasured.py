"""innodb_io_capacity where the drive was not measured: the server's own page writes alone."""

from __future__ import annotations

import math

from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Is, Relief, Wait
from advisor.rules.flushing._stated_volume import MAX, above_stated, within_stated
from advisor.workload.flushing.checkpoint import flushing_behind
from advisor.workload.flushing.load import (
    AMPLE,
    CALM,
    PAGES,
    QUIET,
    WRITES,
    flush_ways,
    goes_beyond,
    most_ever_useful,
    pages_written,
    reached_by_none,
)
from advisor.workload.flushing.settings import round_setting, with_limit
from probes.figures import rate


def by_writes_alone(facts: Facts) -> Answer:
    """Judge what no drive decides: far more than is written, or less while flushing is behind.

    What a server writes already, its drive surely gives.
    """
    if (above := above_stated(facts)) is not None:
        return above
    now, ways, written = facts.now, flush_ways(facts), pages_written(facts)
    if written is None or written.value < QUIET:
        return within_stated(facts)
    planned, behind = now.number * ways, flushing_behind(facts)
    ample = most_ever_useful(facts.version)
    late = Is(bool(behind), "flushing falls behind", "flushing keeps up")
    unneeded = At(WRITES, written, below=planned / 4, say=PAGES)
    short = At(WRITES, written, above=planned, say=PAGES)
    saw = (
        f"InnoDB plans {rate(planned, 'pages')}, and the server writes "
        f"{rate(written.value, 'pages')}."
    )
    card = facts.card(saw, because="The server's own page writes; the drive was not measured.")
    if planned > ample and unneeded and not late:
        value = round_setting(max(CALM, 2 * written.value) / ways)
        return card.recommend(
            facts.to(str(value)),
            saw=f"{saw} That is over four times what it writes.",
            condition=unneeded & ~late,
            effect="Fewer, fuller page writes and smaller latency peaks.",
            confidence=Confidence.LOW,
            risk="Low: if dirty pages or the checkpoint age grow under load, raise it again.",
            cost_of_error="More dirty pages and a higher checkpoint age, until it is raised again.",
            side_effects="Idle flushing and merges of the change buffer are slower.",
            slight=reached_by_none(facts, math.inf),
        )
    value = round_setting(min(1.1 * written.value, AMPLE * ways) / ways)
    if goes_beyond(facts.version) and late and short and value > 1.1 * now.number:
        most = facts.find(MAX)
        # Whether the drive takes more than either is not known.
        first = with_limit(most, value, max(most.number if most else 0, value))
        return card.recommend(
            facts.to(str(value), first=first),
            saw=f"{saw} Flushing is behind: {behind}.",
            condition=late & short,
            effect="Background flushing may write what the server writes already, before writers "
            "have to wait.",
            confidence=Confidence.LOW,
            relieves=(Relief.up_to(Wait.CHECKPOINTS, 1.0),),
            risk="Low: more page writes, hence more wear.",
            cost_of_error="Pages that are written before they have collected their changes.",
            side_effects="Reads and commits share the drive with more page writes.",
        )
    return within_stated(facts)
