"""Whether flushing keeps up: the checkpoint age against its limit, and dirty pages."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.facts.watched.redo import (
    REDO_CAPACITY,
    REDO_CHECKPOINT_AGE,
    REDO_GROWTH,
    REDO_RESIZING,
)
from advisor.model.server.redo_log import LIMITS, LIMITS_SINCE_8_0_30, RedoLimits, RedoLog
from advisor.rulekit import At, Facts
from advisor.variables.catalogue import MYSQL
from probes.figures import THIN, percent, size
from probes.statistics.ranges import Range

LIMIT = status("Innodb_checkpoint_max_age")
REDO = (REDO_CHECKPOINT_AGE, REDO_CAPACITY, LIMIT)
BEYOND = (REDO_CHECKPOINT_AGE, REDO_CAPACITY, REDO_RESIZING)
DIRTY, PAGES = status("Innodb_buffer_pool_pages_dirty"), status("Innodb_buffer_pool_pages_total")
MOST_DIRTY = variable("innodb_max_dirty_pages_pct")
BEHIND = (*REDO, DIRTY, PAGES, MOST_DIRTY)

NEARLY = 0.9
"""From this share of innodb_max_dirty_pages_pct on."""

AT_END = 0.95
"""From this share of its limit on the age is held there by writers that wait (our choice, above
15/16, where MySQL makes them flush)."""

MOSTLY = 2 / 3
"""At the log's end at least this part of those in no wait that was timed waits for its room:
queries queue where a server is full (our choice)."""


@dataclass(frozen=True, slots=True)
class CheckpointAge:
    """The age and its limit, in bytes; ``reported`` is whether the server reports the limit.

    From ``late_from`` of the limit on the server flushes for the log alone.
    """

    age: float
    limit: float
    reported: bool
    late_from: float

    @property
    def share(self) -> float:
        """The age as a share of its limit (0..1, or above)."""
        return self.age / self.limit

    @property
    def text(self) -> str:
        """It in a whole sentence."""
        return f"Checkpoint age is {of_limit(self.share)}."

    @property
    def late(self) -> At:
        """Whether the server flushes for the log alone."""
        return self.at_least(self.late_from)

    def at_least(self, share: float) -> At:
        """Whether it has reached a share of its limit."""
        of = f"{size(self.age)} / {size(self.limit)}"
        return At("checkpoint age", self.share, of=of, least=share, say=of_limit)


def redo_limits(facts: Facts) -> RedoLimits:
    """Where this server's redo log ends."""
    version = facts.known_version
    since_8_0_30 = version is not None and version.at_least(MYSQL, 8, 0, 30)
    return LIMITS_SINCE_8_0_30 if since_8_0_30 else LIMITS


def checkpoint_age(facts: Facts) -> CheckpointAge | None:
    """Read the age and its limit, None where either is not known; the rule declares ``REDO``."""
    age, reported, capacity = (
        facts.find(each) for each in (REDO_CHECKPOINT_AGE, LIMIT, REDO_CAPACITY)
    )
    limits = redo_limits(facts)
    limit = reported or limits.usable * (capacity or 0.0)
    if age is None or not limit:
        return None
    return CheckpointAge(age, limit, bool(reported), limits.late)


def redo_log(facts: Facts, capacity: float) -> RedoLog | None:
    """The server's redo log if it has this many bytes; None where it is not known to grow.

    The rule declares ``REDO_GROWTH`` and ``REDO_CHECKPOINT_AGE``.
    """
    growth = facts.find(REDO_GROWTH)
    if growth is None or growth.per_s <= 0:
        return None
    age = facts.find(REDO_CHECKPOINT_AGE)
    return RedoLog(capacity, growth, age, capacity, redo_limits(facts))


def waiting_for_room(facts: Facts, left: float, *, others_timed: bool) -> Range | None:
    """Queries that wait for the redo log's room, of those ``left`` that no other wait explains.

    Nobody counts them. While the checkpoint is on time there are none; when it is late, they are at
    most those that neither wait for anything else nor use a processor. At the log's end it is most
    of them, where the ``others_timed`` are the other waits that it may be. None where the age is
    not known; the rule declares ``REDO``.
    """
    age = checkpoint_age(facts)
    if age is None:
        return None
    if not age.late:
        return Range.exact(0.0)
    least = MOSTLY * left if others_timed and age.share >= AT_END else 0.0
    return Range((least + left) / 2, least, left)


def beyond_the_log(facts: Facts) -> bool:
    """Whether the age is beyond what the whole log holds; the rule declares ``BEYOND``."""
    age, capacity = facts.find(REDO_CHECKPOINT_AGE), facts.find(REDO_CAPACITY)
    return age is not None and capacity is not None and age > capacity


def resizing(facts: Facts) -> str | None:
    """The sizes that the server reports while it resizes its log, "" where it does not.

    None where the log's size is not certain. The rule declares ``BEYOND``.
    """
    return facts.find(REDO_RESIZING)


def of_limit(share: float) -> str:
    """Write a share of a limit: ``52 % of its limit``."""
    return f"{percent(share)} of its limit"


def flushing_behind(facts: Facts) -> str:
    """Say why flushing does not keep up, "" where it does; the rule declares ``BEHIND``."""
    age = checkpoint_age(facts)
    if age is not None and age.late:
        return f"checkpoint age is {of_limit(age.share)}"
    dirty, total, limit = facts.find(DIRTY), facts.find(PAGES), facts.find(MOST_DIRTY)
    if dirty is None or not total or limit is None or dirty / total * 100 < NEARLY * limit.number:
        return ""
    return (
        f"{percent(dirty / total)} of the buffer pool is dirty and the limit is "
        f"{limit.number:g}{THIN}%"
    )
