"""A document as text for programs: indented, as Unicode, and never with a figure that is none."""

from __future__ import annotations

import json
import math

from probes.statistics.ranges import Range


def written(document: object) -> str:
    """The document with a line's end; raises ValueError for nan and infinity, which no JSON has."""
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def range_json(found: Range | None) -> dict[str, float] | None:
    """A figure with its ends; None where it is not known, or nothing bounds it."""
    if found is None or not math.isfinite(found.high - found.low):
        return None
    return {"value": found.value, "low": found.low, "high": found.high}
