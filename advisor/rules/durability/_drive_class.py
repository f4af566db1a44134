"""What kind of drive a slow sync is of: by what the drive is, then by what the sync takes."""

from __future__ import annotations

from advisor.facts.watched.drive import WATCH_DATA_DEVICE
from advisor.facts.watched.redo import REDO_DIRECTORY
from advisor.facts.watched.sync_cost import SyncCost
from advisor.facts.watched.volumes import LOAD_REQUESTS
from advisor.rulekit import Facts
from advisor.workload.far_drive import FarDrive, Reach, turns
from advisor.workload.sync_cost import PROTECTED_US, SLOW_US
from advisor.workload.write_caches import controller_with_cache
from probes.figures import rate

ROTATING_US = 5000
USES = (LOAD_REQUESTS, REDO_DIRECTORY, WATCH_DATA_DEVICE)


def class_of(facts: Facts, cost: SyncCost, far: FarDrive) -> str:
    """Name the kind of drive whose syncs take so long, in words that follow a colon."""
    takes_us = cost.takes_us.value
    if far.over_network:
        return _network_class(facts, far, takes_us)
    idle_us = takes_us if cost.measured_us is None else cost.measured_us
    if idle_us < PROTECTED_US:
        return "the speed of a protected cache or of flash with power-loss protection"
    if idle_us < SLOW_US:
        return "the speed of a network volume or a busy drive"
    slow = idle_us >= ROTATING_US
    if far.reach is Reach.VIRTUAL:
        return _VIRTUAL_CLASSES[slow]
    if named := passed_by(facts, cost, far):
        return f"the speed of drives without the write cache that their {named} has"
    turning = turns(facts, of_redo=cost.own is not None)
    named = _OWN_CLASSES[slow if turning is None else turning]
    busy = ", or of a drive whose syncs wait behind other requests"
    return f"{named}{busy if cost.measured_us is None else ''}"


def passed_by(facts: Facts, cost: SyncCost, far: FarDrive) -> str:
    """The RAID controller whose write cache answers no syncs of redo, by its model; "" elsewhere.

    One that works answers them at once: they were measured, so that no other request delays them.
    """
    if far or cost.measured_us is None or cost.measured_us < SLOW_US:
        return ""
    where = facts.find(REDO_DIRECTORY)
    return "" if where is None else controller_with_cache(where)


def _network_class(facts: Facts, far: FarDrive, takes_us: float) -> str:
    requests = facts.find(LOAD_REQUESTS)
    if not far.at_limit(takes_us) or requests is None:
        return f"the speed of {far.name}"
    does = rate(requests, "requests")
    # The kernel counts all that reaches a device, the server its own alone.
    known = f"{does} in all" if facts.find(WATCH_DATA_DEVICE) is not None else f"at least {does}"
    return f"that of {far.name}, which does {known}"


_VIRTUAL_CLASSES = {
    False: "the speed of a network volume, or of a virtual disk without protected memory",
    True: "the speed of a slow network volume, or of a rotating disk below this machine",
}
"""What a slow sync is like, by whether it is slower still."""
_OWN_CLASSES = {
    False: "the speed of consumer flash without power-loss protection",
    True: "the speed of a rotating disk without a cache",
}
"""What it is like by whether the drive turns."""
