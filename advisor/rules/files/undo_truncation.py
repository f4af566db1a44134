"""The truncation of undo tablespaces.

## What it checks
Whether InnoDB truncates undo tablespaces that have grown, and whether it does so all the time
because innodb_max_undo_log_size is small.

## Why it matters
One long transaction can make the undo tablespaces grow by many GiB, and without truncation they
keep that size until the data directory is rebuilt. A truncation empties a tablespace and syncs it;
where the size that triggers it is small, as MariaDB's 10 MiB, a busy server truncates again and
again.

## How it is judged
- ON, and fewer than 12 truncations per minute (our choice) or no count of them: fine. That is two
  in the usual status window of ten seconds; a single one does not show how often it happens.
- ON with more: innodb_max_undo_log_size of 1 GiB, MySQL's default, is proposed; with 1 GiB or more
  already it is watched.
- OFF with a history list length of a million or more (our choice): watched, the files are large,
  and they grow where the history was seen to.
- OFF otherwise: fine, as MariaDB ships it.
- Fewer than two undo tablespaces, the default of MySQL 5.7 and of MariaDB before 11.0: as OFF, for
  all undo is in the system tablespace then, which never shrinks.

## How to check by hand
`SELECT @@innodb_undo_log_truncate, @@innodb_max_undo_log_size;`, the sizes of the undo files, and
on MariaDB `Innodb_undo_truncations`.

## Risk and undo
Low: changed at run time and back; the files may grow to the new size.

## When it is wrong
When the drive is nearly full: then frequent truncations are the lesser evil.

## References
- MySQL reference manual, "Undo Tablespaces", section on truncation
- MariaDB documentation, innodb_max_undo_log_size, Innodb_undo_truncations
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.facts.watched.purge import PURGE_GROWTH, PURGE_HISTORY
from advisor.rulekit import (
    Answer,
    At,
    Facts,
    Judged,
    Knowledge,
    Unjudged,
    change,
    mariadb,
    mysql,
    number,
    rule,
)  # fmt: skip
from probes.figures import count, size

SIZE = "innodb_max_undo_log_size"
SPACES, ENOUGH_SPACES = "innodb_undo_tablespaces", 2
"""With fewer tablespaces none can be empty while another one takes the new undo."""

OFTEN = 12
"""Truncations per minute."""

USUAL_BYTES = 1 << 30
LONG = 1_000_000


@rule(
    topic="Files",
    do="See how far the undo tablespaces grow",
    setting="innodb_undo_log_truncate",
    uses=(
        variable(SIZE),
        variable(SPACES),
        status("Innodb_undo_truncations"),
        PURGE_GROWTH,
        PURGE_HISTORY,
    ),
    settings=(SIZE,),
    applies_to=(mysql("5.7"), mariadb("10.2")),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Judge how often it truncates, or what it does without."""
    spaces = facts.find(variable(SPACES))
    inside = spaces is not None and spaces.number < ENOUGH_SPACES
    if inside or not facts.now.on:
        return _off(facts, inside=inside)
    limit = facts.find(variable(SIZE))
    if limit is None:
        return Unjudged(f"Undo tablespaces are truncated; {SIZE} is not known.")
    saw = f"Undo tablespaces are truncated at {size(limit.number)}"
    card = facts.card(f"{saw}.", setting=SIZE, now=limit.now)
    per_s = facts.find(status("Innodb_undo_truncations"))
    if per_s is None:
        return card.but(saw=f"{saw}; how often is not counted.").fine(
            flips_when=f"{OFTEN} are truncated per minute"
        )
    per_minute = round(60 * per_s, 6)
    often = At("rate of truncations", per_minute, least=OFTEN, say="{:.1f}/min".format)
    card = card.but(
        saw=f"{saw}, {per_minute:.1f} times a minute.",
        condition=often,
        because="Truncations were counted over the status window; the files' sizes are not known.",
    )
    if not often:
        return card.fine()
    if limit.number >= USUAL_BYTES:
        return card.watch(
            "Undo grows that much every few seconds: find the statements that change many rows.",
        )
    return card.recommend(
        change(facts.version, limit, str(USUAL_BYTES)),
        effect=f"A tablespace is truncated and synced at {size(USUAL_BYTES)}, far less often.",
        risk="Low: changed at run time; the files may grow to the new size.",
        cost_of_error=f"Up to {size(USUAL_BYTES)} of the drive for each undo tablespace.",
        side_effects="The undo files are larger.",
    )


def _off(facts: Facts, *, inside: bool) -> Judged:
    history = facts.find(PURGE_HISTORY)
    card = facts.card(
        "Undo is in the system tablespace, which never shrinks."
        if inside
        else "Undo tablespaces never shrink.",
    )
    if history is None:
        return card.fine(
            "Fine as it is while no transaction stays open for long.",
            flips_when=f"the history list length reaches {count(LONG)}",
        )
    long = At("history list length", history, least=LONG, say=number())
    card = card.but(condition=long)
    if not long:
        return card.fine("Fine as it is while no transaction stays open for long.")
    cure = (
        "only a new data directory with undo tablespaces of its own helps"
        if inside
        else "switch truncation on once the history is short again"
    )
    per_s = facts.find(PURGE_GROWTH)
    grows = per_s is not None and per_s >= 1
    how = "is growing" if grows else "has grown"
    return card.watch(
        f"It {how}: {count(history)} transactions wait to be purged, and it will not shrink: "
        f"{cure}.",
    )
