"""Facts of directories, file systems and drives."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import Fact, Read, why_missing
from advisor.facts.readings import Absent, Reading
from probes.inventory.facts import Role

MOUNTS = "the mount table and /sys/block"


def _storage(*roles: Role) -> Read:
    def read(case: Case) -> Reading | Absent:
        for role in roles:
            storage = case.inventory.role(role)
            if storage is not None:
                return Reading(storage, storage.chain)
        return Absent(
            why_missing(case, f"storage.{roles[0]}", "the directory's drive was not found")
        )

    return read


def _on_two_drives(case: Case) -> Reading | Absent:
    data, redo = case.inventory.role(Role.DATA), case.inventory.role(Role.REDO)
    names = [{disk.name for disk in role.disks} if role else set() for role in (data, redo)]
    if not all(names):
        return Absent(why_missing(case, "storage", "the drives under data and redo were not found"))
    apart = not names[0] & names[1]
    return Reading(apart, "on different drives" if apart else "on the same drive")


FACTS = (
    Fact(
        "storage.data",
        "storage",
        "where the data lies",
        MOUNTS,
        _storage(Role.DATA, Role.PROBE),
    ),
    Fact(
        "storage.probe",
        "storage",
        "the drive that was measured",
        MOUNTS,
        _storage(Role.PROBE, Role.DATA),
    ),
    Fact(
        "storage.redo_apart",
        "switch",
        "whether redo and data lie on different drives",
        MOUNTS,
        _on_two_drives,
    ),
)
