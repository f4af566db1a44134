"""Why a point may not stand for its drive: a kind of reason with the figures of this point.

No sentence is made here: whoever shows a doubt makes one (``advisor.wording.measured.doubts``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class DoubtKind(StrEnum):
    """The kinds of reasons, stable: they are kept with a run, and other programs may read them."""

    STATED = "stated"
    """What the agent or a file says of a point in its own words: ``text``.

    ``general`` is the same without the figures of one point, where it has some.
    """

    NOTHING_FINISHED = "nothing_finished"
    SWUNG = "swung"
    STEPPED = "stepped"
    NOT_SETTLED = "not_settled"
    FAILED_OPERATIONS = "failed_operations"
    MISSING_ROWS = "missing_rows"
    FEWER_THREADS = "fewer_threads"
    FOREIGN_IO = "foreign_io"
    STOLEN_TIME = "stolen_time"
    STOLEN_AND_SWUNG = "stolen_and_swung"
    PROBER_LIMIT = "prober_limit"
    CLOCK_FREQUENCY = "clock_frequency"
    CLOCK_JUMP = "clock_jump"
    BUFFERED = "buffered"
    UNSEEN_READS = "unseen_reads"
    UNSEEN_SYNCS = "unseen_syncs"
    CACHE_BELOW = "cache_below"
    OTHER_PAGES = "other_pages"
    NO_DRIVE_ASKED = "no_drive_asked"
    ABOVE_ROTATION_SYNC = "above_rotation_sync"
    UNPROTECTED_SYNC = "unprotected_sync"
    SYNC_BELOW_WRITE = "sync_below_write"
    WITHOUT_BARRIERS = "without_barriers"
    IN_MEMORY = "in_memory"
    IMPOSSIBLE_LATENCY = "impossible_latency"
    ABOVE_BUS = "above_bus"
    ABOVE_ROTATION = "above_rotation"
    OWN_CACHE = "own_cache"
    PASSED_ON = "passed_on"
    SMALL_SET = "small_set"
    ZEROS = "zeros"
    HOLES = "holes"


Figure = float | str


@dataclass(frozen=True, slots=True)
class Doubt:
    """One reason; ``rejects`` where the point is of no use for it.

    ``figures`` are this point's own, by names that the kind's sentence has: rates per second
    (``_per_s``), times (``_us``, ``_s``), shares (0..1) and names of things.
    """

    kind: DoubtKind
    figures: Mapping[str, Figure] = field(default_factory=dict)
    rejects: bool = False

    def __hash__(self) -> int:
        return hash((self.kind, self.rejects))

    @property
    def share(self) -> float:
        """How much of something it is about (0..1), to find the worst of its kind; 0 for others."""
        share = self.figures.get("share")
        return share if isinstance(share, float) else 0.0

    @property
    def key(self) -> str:
        """What doubts of one kind have in common, whatever their figures: to count them by."""
        if self.kind is not DoubtKind.STATED:
            return self.kind.value
        return str(self.figures.get("general") or self.figures.get("text", ""))


def doubt(kind: DoubtKind, /, **figures: Figure) -> Doubt:
    """A doubt with its figures by name."""
    return Doubt(kind, figures)


def rejection(kind: DoubtKind, /, **figures: Figure) -> Doubt:
    """The same of a point that is of no use for it."""
    return Doubt(kind, figures, rejects=True)


def stated(text: str, general: str = "", *, rejects: bool = False) -> Doubt:
    """A reason in the words of the agent or of a file, whole sentences both."""
    several = {"general": general} if general else {}
    return Doubt(DoubtKind.STATED, {"text": text, **several}, rejects)
