"""What cloud volumes are limited to: figures by which a throttle can be found and named.

A volume's limit is a fixed figure, or so much for each GiB of its size, on top of a base and up to
a most. Prices and limits change: ``AS_OF`` says when the figures were read.

Sources: AWS, "Amazon EBS volume types" and "General Purpose SSD volumes"; Google Cloud, "About
Persistent Disk performance" and "Hyperdisk performance limits"; Microsoft, "Scalability and
performance targets for VM disks" and "Managed disk bursting"; Oracle, "Block Volume Performance".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

AS_OF = "2026-01"

GIB = 1 << 30
MIB = 1 << 20
MB = 10**6

AWS = "Amazon EC2"
GOOGLE = "Google Compute Engine"
AZURE = "Microsoft Azure"
ORACLE = "Oracle Cloud"


@dataclass(frozen=True, slots=True)
class ProvisionedLimit:
    """A limit of one kind of volume, in requests/s or, with ``in_bytes``, in bytes/s.

    ``base + per_gib * size``, at least ``least`` and at most ``most`` (0: no bound). ``burst``
    marks what lasts only until a credit is spent (not what is paid for as it is used), ``machine``
    what limits the machine, not a single volume, ``tier`` what comes with one of the sizes in which
    a volume is sold (Azure's Premium SSDs have no tier below that of their size). ``common``
    figures are named where the platform is no cloud that is known, too. ``platform`` is how
    ``HostFacts.platform`` begins.
    """

    platform: str
    name: str
    base: float
    per_gib: float = 0.0
    least: float = 0.0
    most: float = 0.0
    in_bytes: bool = False
    burst: bool = False
    common: bool = False
    machine: bool = False
    tier: bool = False

    @property
    def by_size(self) -> bool:
        """Whether it comes with the volume's size, which can't become smaller."""
        return bool(self.per_gib) or self.tier

    def at(self, size_bytes: int | None) -> float:
        """The limit of a volume of this size; 0 where it depends on a size that is unknown."""
        if not self.per_gib:
            return self.base
        if size_bytes is None:
            return 0.0
        value = max(self.least, self.base + self.per_gib * size_bytes / GIB)
        return min(value, self.most) if self.most else value

    def gib_for(self, figure: float) -> float:
        """The GiB of a volume that has this figure by its size; it grows with that, up to most."""
        return (figure - self.base) / self.per_gib


LIMITS = (
    ProvisionedLimit(AWS, "gp3 base", 3000, common=True),
    ProvisionedLimit(AWS, "gp2 burst", 3000, burst=True, common=True),
    ProvisionedLimit(AWS, "gp2 (3 IOPS per GiB)", 0, per_gib=3, least=100, most=16000),
    ProvisionedLimit(AWS, "maximum of gp2, and of gp3 before 2025", 16000, common=True),
    ProvisionedLimit(AWS, "maximum of gp3", 80000),
    ProvisionedLimit(AWS, "maximum of io1", 64000),
    ProvisionedLimit(AWS, "maximum of io2", 256000),
    ProvisionedLimit(AWS, "gp3 base throughput", 125 * MIB, in_bytes=True, common=True),
    ProvisionedLimit(AWS, "gp2 throughput below 170 GiB", 128 * MIB, in_bytes=True),
    ProvisionedLimit(AWS, "maximum of gp2 throughput", 250 * MIB, in_bytes=True),
    ProvisionedLimit(AWS, "maximum of gp3 throughput before 2025", 1000 * MIB, in_bytes=True),
    ProvisionedLimit(AWS, "maximum of gp3 throughput", 2000 * MIB, in_bytes=True),
    ProvisionedLimit(GOOGLE, "Hyperdisk Balanced base", 3000),
    ProvisionedLimit(GOOGLE, "pd-balanced (3,000 and 6 IOPS per GiB)", 3000, per_gib=6, most=80000),
    ProvisionedLimit(GOOGLE, "pd-ssd (6,000 and 30 IOPS per GiB)", 6000, per_gib=30, most=100000),
    ProvisionedLimit(GOOGLE, "pd-standard reads (0.75 IOPS per GiB)", 0, per_gib=0.75, most=7500),
    ProvisionedLimit(GOOGLE, "pd-standard writes (1.5 IOPS per GiB)", 0, per_gib=1.5, most=15000),
    ProvisionedLimit(
        GOOGLE,
        "pd-balanced throughput (140 and 0.28 MiB/s per GiB)",
        140 * MIB,
        per_gib=0.28 * MIB,
        most=1200 * MIB,
        in_bytes=True,
    ),
    ProvisionedLimit(
        GOOGLE,
        "pd-ssd throughput (240 and 0.48 MiB/s per GiB)",
        240 * MIB,
        per_gib=0.48 * MIB,
        most=1200 * MIB,
        in_bytes=True,
    ),
    ProvisionedLimit(
        GOOGLE,
        "pd-standard throughput (0.12 MiB/s per GiB)",
        0,
        per_gib=0.12 * MIB,
        most=1200 * MIB,
        in_bytes=True,
    ),
    ProvisionedLimit(GOOGLE, "maximum of a machine below 16 vCPUs", 15000, machine=True),
    ProvisionedLimit(GOOGLE, "maximum of a machine with 16 to 31 vCPUs", 25000, machine=True),
    ProvisionedLimit(GOOGLE, "maximum of a machine with 32 to 63 vCPUs", 60000, machine=True),
    ProvisionedLimit(GOOGLE, "Hyperdisk Balanced base throughput", 140 * MIB, in_bytes=True),
    ProvisionedLimit(
        GOOGLE,
        "maximum of a machine's persistent disks",
        1200 * MIB,
        in_bytes=True,
        machine=True,
    ),
    ProvisionedLimit(AZURE, "P4", 120, tier=True),
    ProvisionedLimit(AZURE, "P6", 240, tier=True),
    ProvisionedLimit(AZURE, "P10, or Standard SSD and HDD", 500, tier=True),
    ProvisionedLimit(AZURE, "P15", 1100, tier=True),
    ProvisionedLimit(AZURE, "P20", 2300, common=True, tier=True),
    ProvisionedLimit(AZURE, "P30", 5000, tier=True),
    ProvisionedLimit(AZURE, "P40 or P50", 7500, tier=True),
    ProvisionedLimit(AZURE, "P60", 16000, tier=True),
    ProvisionedLimit(AZURE, "P70", 18000, tier=True),
    ProvisionedLimit(AZURE, "P80", 20000, tier=True),
    ProvisionedLimit(AZURE, "Premium SSD v2 base", 3000),
    ProvisionedLimit(AZURE, "Premium SSD burst (up to P20)", 3500, burst=True, common=True),
    ProvisionedLimit(AZURE, "Premium SSD on-demand burst (from P30)", 30000),
    ProvisionedLimit(AZURE, "P10 throughput", 100 * MB, in_bytes=True, tier=True),
    ProvisionedLimit(
        AZURE, "P15 throughput, or Premium SSD v2 base", 125 * MB, in_bytes=True, tier=True
    ),
    ProvisionedLimit(AZURE, "P20 throughput", 150 * MB, in_bytes=True, tier=True),
    ProvisionedLimit(AZURE, "Premium SSD burst throughput", 170 * MB, in_bytes=True, burst=True),
    ProvisionedLimit(AZURE, "P30 throughput", 200 * MB, in_bytes=True, tier=True),
    ProvisionedLimit(AZURE, "P40 or P50 throughput", 250 * MB, in_bytes=True, tier=True),
    ProvisionedLimit(AZURE, "P60 throughput", 500 * MB, in_bytes=True, tier=True),
    ProvisionedLimit(AZURE, "P70 throughput", 750 * MB, in_bytes=True, tier=True),
    ProvisionedLimit(AZURE, "P80 throughput", 900 * MB, in_bytes=True, tier=True),
    ProvisionedLimit(
        AZURE, "Premium SSD on-demand burst throughput (from P30)", 1000 * MB, in_bytes=True
    ),
    ProvisionedLimit(ORACLE, "Lower Cost (2 IOPS per GB)", 0, per_gib=2, most=3000),
    ProvisionedLimit(ORACLE, "Balanced (60 IOPS per GB)", 0, per_gib=60, most=25000),
    ProvisionedLimit(ORACLE, "Higher Performance (75 IOPS per GB)", 0, per_gib=75, most=50000),
)

BESIDE = (
    ("gp3 base", "gp3 base throughput"),
    ("gp2 burst", "maximum of gp2 throughput"),
    ("gp2 (3 IOPS per GiB)", "maximum of gp2 throughput"),
    ("maximum of gp3", "maximum of gp3 throughput"),
    ("Hyperdisk Balanced base", "Hyperdisk Balanced base throughput"),
    (
        "pd-balanced (3,000 and 6 IOPS per GiB)",
        "pd-balanced throughput (140 and 0.28 MiB/s per GiB)",
    ),
    ("pd-ssd (6,000 and 30 IOPS per GiB)", "pd-ssd throughput (240 and 0.48 MiB/s per GiB)"),
    (
        "pd-standard reads (0.75 IOPS per GiB)",
        "pd-standard throughput (0.12 MiB/s per GiB)",
    ),
    (
        "pd-standard writes (1.5 IOPS per GiB)",
        "pd-standard throughput (0.12 MiB/s per GiB)",
    ),
    ("P10, or Standard SSD and HDD", "P10 throughput"),
    ("P15", "P15 throughput, or Premium SSD v2 base"),
    ("P20", "P20 throughput"),
    ("P30", "P30 throughput"),
    ("P40 or P50", "P40 or P50 throughput"),
    ("P60", "P60 throughput"),
    ("P70", "P70 throughput"),
    ("P80", "P80 throughput"),
    ("Premium SSD v2 base", "P15 throughput, or Premium SSD v2 base"),
)
"""Limits on requests and on throughput that one volume is sold with, by their names."""

RAISED_TO = {
    "gp3 base": 80000.0,
    "gp2 (3 IOPS per GiB)": 80000.0,
    "gp3 base throughput": 2000.0 * MIB,
    "Hyperdisk Balanced base": 160000.0,
    "Hyperdisk Balanced base throughput": 2400.0 * MIB,
    "Premium SSD v2 base": 80000.0,
    "P15 throughput, or Premium SSD v2 base": 1200.0 * MB,
}
"""The most that can be bought of a figure that is sold apart from the volume's size, by its name.

A gp2 volume is made a gp3 volume online ("Amazon EBS Elastic Volumes"), so it has gp3's. All others
come with a disk's size or tier, or are the most of their kind: a larger volume has more where the
figure grows with each GiB, else another kind has."""

CLOUDS = frozenset({AWS, GOOGLE, AZURE, ORACLE})


def cloud_of(platform: str) -> str:
    """Which cloud with known limits a platform is, "" when none."""
    return next((cloud for cloud in sorted(CLOUDS) if platform.startswith(cloud)), "")


def raised_to(limits: tuple[ProvisionedLimit, ...], figure: float) -> float:
    """The most that a figure can be raised to on the volume that has it.

    Infinite where nobody is known to sell it; ``figure`` itself where it comes with a size or tier.
    """
    if not limits:
        return math.inf
    return max(figure, *(RAISED_TO.get(limit.name, 0.0) for limit in limits))


def growing(limits: tuple[ProvisionedLimit, ...], figure: float) -> ProvisionedLimit | None:
    """The one of these by which a larger volume has this figure; None where none grows so far."""
    return next(
        (each for each in limits if each.per_gib and (not each.most or each.most >= figure)), None
    )


def sold_with(limit: ProvisionedLimit, figure: float) -> tuple[ProvisionedLimit, float] | None:
    """The limit of the other kind that a volume with this one has, with its figure.

    None where it is unknown, or depends on a size that ``figure``, the first limit's, does not
    tell: from its most on it is the same at each size.
    """
    ends = (1, 0) if limit.in_bytes else (0, 1)
    named = {pair[ends[0]]: pair[ends[1]] for pair in reversed(BESIDE)}
    name = named.get(limit.name)
    other = next(
        (each for each in LIMITS if (each.platform, each.name) == (limit.platform, name)), None
    )
    if other is None or not other.per_gib:
        return None if other is None else (other, other.base)
    if not limit.per_gib or figure in (limit.least, limit.most):
        return None
    return other, other.at(round(limit.gib_for(figure) * GIB))
