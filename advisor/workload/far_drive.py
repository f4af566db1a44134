"""Whether the server's drive is its machine's own, or lies behind a network or another machine.

A managed service's drive is a network volume, whatever its syncs take; so is a block device whose
name or transport is a network's, on bare metal too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from advisor.facts.machine.host import HOST_PLATFORM, HOST_VIRTUAL
from advisor.facts.server.storage import STORAGE_PROBE
from advisor.facts.watched.redo import REDO_DIRECTORY
from advisor.rulekit import Facts
from advisor.variables.managed import CLOUD_SQL, service_of
from probes.inventory.facts import Disk
from probes.trust.provisioned import cloud_of

USES = (STORAGE_PROBE, REDO_DIRECTORY, HOST_VIRTUAL, HOST_PLATFORM)

OVER_NETWORK = frozenset(
    {"iscsi", "fibre channel", "rbd", "nbd", "drbd", "nvme-tcp", "nvme-rdma", "nvme-fc"}
)
"""Words of ``Disk.bus`` for what a network carries; a sync of drbd waits for its peer."""

OF_HYPERVISORS = frozenset({"virtio", "virtio-scsi", "xen", "hyper-v"})
"""Words of ``Disk.bus`` for what another machine lends."""

AT_LIMIT_US = 5000
"""A network volume whose syncs take as long is probably at its limit, or out of credit (our
choice)."""

_NAMED = re.compile(r"(rbd|nbd|drbd)\d")
_MODELS = ("Amazon Elastic Block Store", "nvme_card-pd")
"""Models of clouds' volumes: EBS, and Persistent Disk over NVMe."""


class Reach(StrEnum):
    """How the server comes to its drive."""

    OWN = "own"
    VIRTUAL = "virtual"
    NETWORK = "network"
    SERVICE = "service"


_FASTER = {
    Reach.OWN: "a drive with power-loss protection",
    Reach.VIRTUAL: "a volume of a faster kind or a local drive with power-loss protection",
    Reach.NETWORK: "a volume of a faster kind",
    Reach.SERVICE: "a volume of a faster kind",
}


_SOLD = {CLOUD_SQL: "the Enterprise Plus edition"}
"""Its volumes have one kind in each edition (Google, "Storage options for Cloud SQL")."""


@dataclass(frozen=True, slots=True)
class FarDrive:
    """How the drive is reached; ``name`` names it in words that follow "on", "" where it is own.

    ``in_cloud``: the machine is a cloud's, whose local drives are empty after a stop. ``sold`` is
    what a service sells that commits faster, where it has no faster kind of volume.
    """

    reach: Reach
    name: str = ""
    in_cloud: bool = False
    sold: str = ""

    @property
    def over_network(self) -> bool:
        """Whether a network volume is certain."""
        return self.reach in {Reach.SERVICE, Reach.NETWORK}

    @property
    def faster(self) -> str:
        """What of its kind syncs faster, with an article."""
        rented = self.reach is Reach.VIRTUAL and self.in_cloud
        return self.sold or _FASTER[Reach.NETWORK if rented else self.reach]

    def at_limit(self, sync_us: float) -> bool:
        """Whether a sync takes so long that a network volume probably holds it back."""
        return self.over_network and sync_us >= AT_LIMIT_US

    def __bool__(self) -> bool:
        return self.reach is not Reach.OWN


def far_drive(facts: Facts, *, of_redo: bool) -> FarDrive:
    """Tell it of the redo log's drive, or of the one that was measured; declares ``USES``."""
    service = service_of(facts.known_version)
    if service is not None:
        return FarDrive(
            Reach.SERVICE,
            f"{service.name}'s network volume",
            sold=_SOLD.get(facts.vendor, ""),
        )
    disks = _disks(facts, of_redo=of_redo)
    far = next((disk for disk in disks if _networked(disk)), None)
    if far is not None:
        return FarDrive(Reach.NETWORK, f"a network volume ({far.label})")
    lent = any(disk.bus in OF_HYPERVISORS for disk in disks)
    virtual = "a virtual disk" if lent else facts.find(HOST_VIRTUAL)
    if not virtual:
        return FarDrive(Reach.OWN)
    in_cloud = bool(cloud_of(facts.find(HOST_PLATFORM) or ""))
    return FarDrive(Reach.VIRTUAL, virtual, in_cloud)


def turns(facts: Facts, *, of_redo: bool) -> bool | None:
    """Whether a disk there says that it turns; None where none does. Declares ``USES``."""
    disks = _disks(facts, of_redo=of_redo)
    known = [disk.rotational for disk in disks if disk.rotational is not None]
    return any(known) if known else None


def _disks(facts: Facts, *, of_redo: bool) -> tuple[Disk, ...]:
    storage = facts.find(REDO_DIRECTORY if of_redo else STORAGE_PROBE)
    return () if storage is None else storage.disks


def _networked(disk: Disk) -> bool:
    named = _NAMED.match(disk.name) is not None or disk.model.startswith(_MODELS)
    return named or disk.bus in OVER_NETWORK
