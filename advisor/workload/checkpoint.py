"""The checkpoint age against its limit, at which all writers wait for pages to be written."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.known import REDO_CAPACITY, REDO_CHECKPOINT_AGE, status
from advisor.model.redo_log import USABLE
from advisor.rulekit import At, Facts
from probes.figures import percent, size

LIMIT = status("Innodb_checkpoint_max_age")
REDO = (REDO_CHECKPOINT_AGE, REDO_CAPACITY, LIMIT)


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
