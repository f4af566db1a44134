"""Facts of directories, file systems and drives."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import Fact, Read, why_missing
from advisor.facts.readings import Absent, Reading
from probes.inventory.facts import Role, Storage

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


STORAGE_DATA = Fact(
    "storage.data",
    Storage,
    "storage",
    "where the data lies",
    MOUNTS,
    _storage(Role.DATA, Role.PROBE),
)
STORAGE_PROBE = Fact(
    "storage.probe",
    Storage,
    "storage",
    "the drive that was measured",
    MOUNTS,
    _storage(Role.PROBE, Role.DATA),
)
