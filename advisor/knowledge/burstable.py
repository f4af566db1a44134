"""Types of machines whose processors live on credits, and what lasts without any.

Sources: AWS, "Key concepts for burstable performance instances" (baseline of each vCPU) and
"Unlimited mode"; read in November 2026.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_BASELINES = {
    "nano": 0.05,
    "micro": 0.1,
    "small": 0.2,
    "medium": 0.2,
    "large": 0.3,
    "xlarge": 0.4,
    "2xlarge": 0.4,
}
_OF_T2 = {"xlarge": 0.225, "2xlarge": 0.17}
_TYPE = re.compile(r"\b(?:db\.)?(?P<family>t2|t3a?|t4g)\.(?P<size>[a-z0-9]+)\b")


@dataclass(frozen=True, slots=True)
class Burstable:
    """A type by its ``name``; ``baseline`` is the share of each processor that lasts."""

    name: str
    baseline: float


def burstable(text: str) -> Burstable | None:
    """The type that a platform or a class names, as "Amazon EC2 (t3.large)"; None for no such."""
    found = _TYPE.search(text)
    if found is None or found["size"] not in _BASELINES:
        return None
    own = _OF_T2 if found["family"] == "t2" else {}
    return Burstable(found[0], own.get(found["size"], _BASELINES[found["size"]]))
