"""How much of the pool is dirty."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.server.status import status
from advisor.rulekit import Facts
from probes.figures import count

DIRTY = (
    status("Innodb_buffer_pool_pages_dirty"),
    status("Innodb_buffer_pool_pages_total"),
)


@dataclass(frozen=True, slots=True)
class DirtyPages:
    """The pool's dirty pages among all of its pages."""

    dirty: float
    total: float

    @property
    def share(self) -> float:
        """The dirty ones as a share of all (0..1)."""
        return self.dirty / self.total

    @property
    def of(self) -> str:
        """Both figures, for a formula."""
        return f"{count(self.dirty)} / {count(self.total)}"


def dirty_pages(facts: Facts) -> DirtyPages | None:
    """The pool's dirty pages at the end of the window, None where they are not known."""
    dirty, total = facts.find(DIRTY[0]), facts.find(DIRTY[1])
    return None if dirty is None or not total else DirtyPages(dirty, total)
