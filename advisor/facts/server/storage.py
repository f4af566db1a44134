"""Facts of directories, file systems and drives."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import Fact, Read, given, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.variables import users_server
from advisor.knowledge.lent_drives import is_lent
from probes.inventory.facts import MySQLFacts, Role, Storage

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


def _all(case: Case) -> Reading | Absent:
    storages = case.inventory.storage
    if not storages:
        return Absent(why_missing(case, "storage", "no directory was looked at"))
    return Reading(storages, ", ".join(f"{one.role} {one.path}" for one in storages))


def _ephemeral(case: Case) -> Reading | Absent:
    if isinstance(found := _all(case), Absent):
        return found
    lent = frozenset(
        one.role
        for one in case.inventory.storage
        if one.role is not Role.PROBE and is_lent(disk.model for disk in one.disks)
    )
    return Reading(lent, ", ".join(sorted(lent)) or "none")


@given(users_server)
def _in_use(case: Case, mysql: MySQLFacts) -> Reading | Absent:
    storage = case.inventory.role(Role.DATA)
    if storage is None:
        return Absent(why_missing(case, "storage.data", "the data directory was not found"))
    return Reading(storage.path, storage.path)


STORAGE_ALL: Fact[tuple[Storage, ...]] = Fact(
    "storage.all", tuple, "directories", "where each kind of file lies", MOUNTS, _all
)
STORAGE_IN_USE = Fact(
    "storage.in_use", str, "path", "the data directory of a server in use", MOUNTS, _in_use
)
STORAGE_EPHEMERAL: Fact[frozenset[Role]] = Fact(
    "storage.ephemeral",
    frozenset,
    "directories",
    "which kinds of file lie on drives that a cloud empties when the machine is stopped",
    MOUNTS,
    _ephemeral,
)
