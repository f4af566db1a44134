"""Whether flushing keeps up: the checkpoint age against its limit, and dirty pages."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.known import REDO_CAPACITY, REDO_CHECKPOINT_AGE, status, variable
from advisor.model.redo_log import LATE, LATE_UNREPORTED, USABLE
from advisor.rulekit import At, Facts
from probes.figures import THIN, percent, size

LIMIT = status("Innodb_checkpoint_max_age")
REDO = (REDO_CHECKPOINT_AGE, REDO_CAPACITY, LIMIT)
DIRTY, PAGES = status("Innodb_buffer_pool_pages_dirty"), status("Innodb_buffer_pool_pages_total")
MOST_DIRTY = variable("innodb_max_dirty_pages_pct")
BEHIND = (*REDO, DIRTY, PAGES, MOST_DIRTY)

NEARLY = 0.9
"""From this share of innodb_max_dirty_pages_pct on."""


@dataclass(frozen=True, slots=True)
class CheckpointAge:
    """The age and its limit, in bytes; ``reported`` tells whether the server reports the limit."""

    age: float
    limit: float
    reported: bool

    @property
    def share(self) -> float:
        """The age as a share of its limit (0..1, or above)."""
        return self.age / self.limit

    @property
    def said(self) -> str:
        """It in a whole sentence."""
        return f"Checkpoint age is {of_limit(self.share)}."

    def at_least(self, share: float) -> At:
        """Whether it has reached a share of its limit."""
        of = f"{size(self.age)} / {size(self.limit)}"
        return At("the checkpoint age", self.share, of=of, least=share, say=of_limit)


def checkpoint_age(facts: Facts) -> CheckpointAge | None:
    """Read the age and its limit, None where either is not known; the rule declares ``REDO``."""
    age, reported, capacity = (
        facts.find(each) for each in (REDO_CHECKPOINT_AGE, LIMIT, REDO_CAPACITY)
    )
    limit = reported or USABLE * (capacity or 0.0)
    return CheckpointAge(age, limit, bool(reported)) if age is not None and limit else None


def of_limit(share: float) -> str:
    """Write a share of a limit: ``52 % of its limit``."""
    return f"{percent(share)} of its limit"


def flushing_behind(facts: Facts) -> str:
    """Say why flushing does not keep up, "" where it does; the rule declares ``BEHIND``."""
    age = checkpoint_age(facts)
    if age is not None and age.share >= (LATE if age.reported else LATE_UNREPORTED):
        return f"checkpoint age is {of_limit(age.share)}"
    dirty, total, limit = facts.find(DIRTY), facts.find(PAGES), facts.find(MOST_DIRTY)
    if dirty is None or not total or limit is None or dirty / total * 100 < NEARLY * limit.number:
        return ""
    return (
        f"{percent(dirty / total)} of the buffer pool is dirty and the limit is "
        f"{limit.number:g}{THIN}%"
    )
