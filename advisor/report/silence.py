"""Why rules kept silent, each reason once: many lack facts for the same cause."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from advisor.outcomes import NotApplicable, NotJudged

_UNKNOWN, _BECAUSE = "Unknown: ", ", because "


@dataclass(frozen=True, slots=True)
class Silence:
    """A reason, as a sentence, and what it keeps from being judged.

    ``unknown`` are pairs of what is not known, in words that follow "unknown:", and the ids of the
    rules that lack it; "" where the reason says all.
    """

    reason: str
    unknown: tuple[tuple[str, tuple[str, ...]], ...]


def silences(outcomes: Iterable[NotJudged | NotApplicable]) -> list[Silence]:
    """The outcomes by their reason, in the order in which each came first."""
    found: dict[str, dict[str, list[str]]] = {}
    for outcome in outcomes:
        reason, what = _apart(outcome.because)
        found.setdefault(reason, {}).setdefault(what, []).append(outcome.rule)
    return [
        Silence(reason, tuple((what, tuple(rules)) for what, rules in unknown.items()))
        for reason, unknown in found.items()
    ]


def _apart(because: str) -> tuple[str, str]:
    """Reason and what is unknown for it; what was said otherwise is all reason."""
    what, joint, reason = because.removeprefix(_UNKNOWN).partition(_BECAUSE)
    if not because.startswith(_UNKNOWN) or not joint:
        return because, ""
    return reason[0].upper() + reason[1:], what
