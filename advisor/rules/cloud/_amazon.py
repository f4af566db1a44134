"""What Amazon's volumes have without being bought.

Sources: AWS, "Amazon EBS volume types"; Amazon RDS user guide, "DB instance storage": there nothing
but the base is sold for gp3 below 400 GiB, and from there on nothing below 12,000 and 500 MiB/s.
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.machine.host import HOST_PLATFORM
from advisor.rulekit import Facts
from advisor.variables.aurora import RDS
from probes.trust.provisioned import AWS, MIB, cloud_of

AMAZON_USES = (HOST_PLATFORM,)

GP3 = "gp3"


@dataclass(frozen=True, slots=True)
class Included:
    """A figure that comes with each volume of a kind, requests/s or bytes/s."""

    figure: float
    volume: str


_GP3 = {False: Included(3000.0, GP3), True: Included(125.0 * MIB, GP3)}
_LARGE = "gp3 of 400 GiB or more"
_RDS = {False: Included(12000.0, _LARGE), True: Included(500.0 * MIB, _LARGE)}
"""By whether the figure is in bytes."""


def included(facts: Facts, *, in_bytes: bool) -> tuple[Included, ...]:
    """What gp3 has of one kind at this server, the least first; none elsewhere.

    The rule declares ``AMAZON_USES``.
    """
    if facts.vendor == RDS:
        return _GP3[in_bytes], _RDS[in_bytes]
    platform = facts.find(HOST_PLATFORM)
    on_ec2 = platform is not None and cloud_of(platform) == AWS
    return (_GP3[in_bytes],) if on_ec2 else ()
