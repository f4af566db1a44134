"""Risks that memory runs out: while there are any, nothing else matters, or takes memory."""

from __future__ import annotations

from collections.abc import Iterable

from advisor.gain import Stakes
from advisor.outcomes import Recommendation, Verdict
from advisor.ranking import stakes

OF_MEMORY = frozenset({"Memory", "Buffer pool"})
"""The topics whose risks are that memory runs out."""


def memory_risks(judged: Iterable[Recommendation]) -> list[Recommendation]:
    """Those that say that the machine, or the server's control group, has too little of it."""
    return [
        one
        for one in judged
        if one.verdict is not Verdict.FINE and stakes(one) is Stakes.DATA and one.topic in OF_MEMORY
    ]
