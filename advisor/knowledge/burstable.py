"""Types of machines whose processors live on credits, what lasts without any, and shared ones.

Sources: AWS, "Key concepts for burstable performance instances" (baseline of each vCPU) and
"Unlimited mode"; Amazon RDS, "Amazon RDS Instance Types"; Amazon Aurora user guide, "Best practices
for Aurora MySQL performance and scaling" (its T classes live on credits as well, and are for
development and tests); Microsoft, "B-series burstable virtual machine sizes" (base performance of
all vCPUs); Google Cloud SQL for MySQL, "Operational guidelines" (its agreement leaves shared cores
out); read in November 2026. Which part of a shared core lasts, no page of Cloud SQL says (November
2026).
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
_OF_B = {
    "b1s": 0.1,
    "b1ms": 0.2,
    "b2s": 0.2,
    "b2ms": 0.3,
    "b4ms": 0.225,
    "b8ms": 0.169,
    "b12ms": 0.168,
    "b16ms": 0.169,
    "b20ms": 0.169,
}
_B = re.compile(r"\b(?:standard_)?(?P<size>b\d+m?s)\b", re.IGNORECASE)
_SHARED = frozenset({"db-f1-micro", "db-g1-small"})
"""Cloud SQL's classes without a processor of their own."""


@dataclass(frozen=True, slots=True)
class Burstable:
    """A type by its ``name``; ``baseline`` is the share of each processor that lasts.

    ``shown_by`` is the provider's figure of its credits. ``billed`` is whether a managed server
    gets more than lasts once they are spent, for money.
    """

    name: str
    baseline: float
    shown_by: str
    billed: bool


def burstable(text: str) -> Burstable | None:
    """The type that a platform or a class names, as "Amazon EC2 (t3.large)"; None for no such."""
    of_azure = _B.search(text)
    if of_azure is not None and (baseline := _OF_B.get(of_azure["size"].lower())):
        return Burstable(of_azure[0], baseline, "CPU Credits Remaining", billed=False)
    found = _TYPE.search(text)
    if found is None or found["size"] not in _BASELINES:
        return None
    of_t2 = found["family"] == "t2"
    baseline = (_OF_T2 if of_t2 else {}).get(found["size"], _BASELINES[found["size"]])
    return Burstable(found[0], baseline, "CPUCreditBalance", billed=not of_t2)


def shares_core(name: str) -> bool:
    """Whether a class has no processor of its own."""
    return name.lower() in _SHARED
