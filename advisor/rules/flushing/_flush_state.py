"""How much is left to flush: dirty pages of the pool, and redo that waits for its pages."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.known import REDO_CAPACITY, REDO_CHECKPOINT_AGE, status
from advisor.model.redo_log import USABLE
from advisor.rulekit.facts import Facts
from probes import figures

DIRTY = (
    status("Innodb_buffer_pool_pages_dirty"),
    status("Innodb_buffer_pool_pages_total"),
)
REDO = (REDO_CHECKPOINT_AGE, REDO_CAPACITY, status("Innodb_checkpoint_max_age"))


@dataclass(frozen=True, slots=True)
class Fill:
    """A part of a whole (0..1, or above), with both figures in words."""

    part: float
    whole: float
    said: str

    @property
    def share(self) -> float:
        """The part as a share of the whole."""
        return self.part / self.whole


def dirty_pages(facts: Facts) -> Fill | None:
    """The pool's dirty pages at the end of the window, None where they are not told."""
    dirty = facts.find(DIRTY[0])
    total = facts.find(DIRTY[1])
    if dirty is None or not total:
        return None
    said = (
        f"{figures.count(dirty)} / {figures.count(total)} = {figures.percent(dirty / total)} dirty"
    )
    return Fill(dirty, total, said)


def redo_fill(facts: Facts) -> Fill | None:
    """The checkpoint's age against the age at which all writers wait, None where it is not told."""
    age = facts.find(REDO_CHECKPOINT_AGE)
    limit = facts.find(status("Innodb_checkpoint_max_age"))
    if not limit:
        capacity = facts.find(REDO_CAPACITY)
        limit = None if capacity is None else USABLE * capacity
    if age is None or not limit:
        return None
    said = (
        f"{figures.size(age)} / {figures.size(limit)} = {figures.percent(age / limit)} of the redo"
    )
    return Fill(age, limit, said)
