"""How much is left to flush: dirty pages of the pool, and the checkpoint age."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.known import REDO_CAPACITY, REDO_CHECKPOINT_AGE, status
from advisor.model.redo_log import USABLE
from advisor.rulekit import At, Facts
from probes.figures import count, percent, size

DIRTY = (
    status("Innodb_buffer_pool_pages_dirty"),
    status("Innodb_buffer_pool_pages_total"),
)
REDO = (REDO_CHECKPOINT_AGE, REDO_CAPACITY, status("Innodb_checkpoint_max_age"))


@dataclass(frozen=True, slots=True)
class Fill:
    """A part of a whole (0..1, or above); ``of`` is both figures in words."""

    part: float
    whole: float
    of: str

    @property
    def share(self) -> float:
        """The part as a share of the whole."""
        return self.part / self.whole


class CheckpointAge(Fill):
    """The checkpoint age against its limit, at which all writers wait."""

    @property
    def said(self) -> str:
        """It in a whole sentence."""
        return f"Checkpoint age is {of_limit(self.share)}."

    def at_least(self, share: float) -> At:
        """Whether it has reached a share of its limit."""
        return At("the checkpoint age", self.share, of=self.of, least=share, say=of_limit)


def dirty_pages(facts: Facts) -> Fill | None:
    """The pool's dirty pages at the end of the window, None where they are not known."""
    dirty, total = facts.find(DIRTY[0]), facts.find(DIRTY[1])
    if dirty is None or not total:
        return None
    return Fill(dirty, total, f"{count(dirty)} / {count(total)}")


def checkpoint_age(facts: Facts) -> CheckpointAge | None:
    """The checkpoint age against its limit, None where either is not known."""
    age = facts.find(REDO_CHECKPOINT_AGE)
    limit = facts.find(status("Innodb_checkpoint_max_age"))
    if not limit:
        capacity = facts.find(REDO_CAPACITY)
        limit = None if capacity is None else USABLE * capacity
    if age is None or not limit:
        return None
    return CheckpointAge(age, limit, f"{size(age)} / {size(limit)}")


def of_limit(share: float) -> str:
    """Write a share of a limit: ``52 % of its limit``."""
    return f"{percent(share)} of its limit"
