"""In what memory the blocks of a run lay, in words."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.case import Case
from probes.points import BUFFERS, Buffers, Point

WORDS = {Buffers.ORDINARY: "ordinary pages", Buffers.HUGE: "huge pages"}
NOT_STATED = "as agents had them that do not say so"


def buffers_of_case(case: Case) -> str:
    """The same of a whole run, with what decided it where that is known."""
    text = buffers_text(case.points)
    because = case.conditions.get("buffers_because", "")
    return f"{text}: {because}" if text and because else text


def buffers_text(points: Sequence[Point]) -> str:
    """``ordinary pages``, ``huge pages``, or both; "" where no point has such memory.

    Points that compare both kinds on purpose don't count.
    """
    usual = [point for point in points if BUFFERS not in point.setting.options]
    kinds = sorted({kind for point in usual if (kind := point.buffers)}, reverse=True)
    text = " and ".join(WORDS[kind] for kind in kinds)
    unknown = any(point.buffers and BUFFERS not in point.details for point in usual)
    return f"{text} ({NOT_STATED})" if unknown else text
