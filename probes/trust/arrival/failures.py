"""Operations failed, or did less work than they should.

A query that was killed, or a lookup whose key has no row, ends sooner than a real one and makes the
rate too good. One is enough: nothing tells how many more were affected without an error.
"""

from __future__ import annotations

from probes import figures
from probes.points import Trust
from probes.trust.arrival.seen import Seen
from probes.trust.doubt import Doubt


def failed(seen: Seen) -> Doubt | None:
    """Doubt a point with failed operations (``details.errors``)."""
    errors = seen.detail("errors")
    if not errors > 0:
        return None
    return Doubt(Trust.DOUBTFUL, f"{figures.counted(errors, 'operation')} failed.")


def missing_rows(seen: Seen) -> Doubt | None:
    """Doubt a point whose lookups found nothing (``details.missing_rows``)."""
    missing = seen.detail("missing_rows")
    if not missing > 0:
        return None
    said = figures.counted(missing, "lookup")
    return Doubt(Trust.DOUBTFUL, f"{said} found no row, which is less work.")
