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


SMALLER_AGAIN = (
    "No volume is made smaller in place: a blue/green deployment with a smaller one goes back, or "
    "a dump into a new instance."
)
"""How RDS' storage goes back; Amazon RDS user guide, "Blue/Green Deployments"."""


@dataclass(frozen=True, slots=True)
class Included:
    """A figure that comes with each volume of a kind, requests/s or bytes/s.

    ``along`` is what comes with it of the other kind. The volume has ``least_gib`` at least, 0
    where each size has it.
    """

    figure: float
    volume: str
    along: float
    least_gib: int = 0


_LARGE_GIB = 400
_BASE, _LARGE = (3000.0, 125.0 * MIB), (12000.0, 500.0 * MIB)
"""What gp3 has in requests/s and in bytes/s, and from that size on at RDS."""


def _gp3(*, in_bytes: bool) -> Included:
    requests, throughput = _BASE
    return Included(throughput, GP3, requests) if in_bytes else Included(requests, GP3, throughput)


def _large(*, in_bytes: bool) -> Included:
    volume = f"gp3 of {_LARGE_GIB} GiB or more"
    figure, along = reversed(_LARGE) if in_bytes else _LARGE
    return Included(figure, volume, along, _LARGE_GIB)


def included(facts: Facts, *, in_bytes: bool) -> tuple[Included, ...]:
    """What gp3 has of one kind at this server, the least first; none elsewhere.

    The rule declares ``AMAZON_USES``.
    """
    if facts.vendor == RDS:
        return _gp3(in_bytes=in_bytes), _large(in_bytes=in_bytes)
    platform = facts.find(HOST_PLATFORM)
    on_ec2 = platform is not None and cloud_of(platform) == AWS
    return (_gp3(in_bytes=in_bytes),) if on_ec2 else ()
