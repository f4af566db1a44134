"""Where temporary tables live: the engine that keeps them in memory, the directory on disk."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import NO_SERVER, Fact, why_missing
from advisor.facts.readings import Absent, Reading
from probes import figures
from probes.inventory.facts import MySQLFacts, Role, Storage
from probes.version import Flavour

VARIABLE = "internal_tmp_mem_storage_engine"


def _engine(case: Case) -> Reading | Absent:
    mysql = case.inventory.mysql
    if mysql is None:
        return Absent(why_missing(case, "mysql", NO_SERVER))
    if not mysql.version.is_known:
        return Absent(why_missing(case, "mysql.version", "its version is unknown"))
    engine = _engine_of(mysql)
    if engine is None:
        return Absent(f"{mysql.version} did not report its {VARIABLE}")
    return Reading(engine, engine)


def _engine_of(mysql: MySQLFacts) -> str | None:
    if not mysql.version.at_least(Flavour.MYSQL, 8, 0, 2):
        return "MEMORY"
    return "TempTable" if mysql.sandbox else mysql.value(VARIABLE)


def _directory(case: Case) -> Reading | Absent:
    storage = case.inventory.role(Role.TMP)
    if storage is None:
        return Absent(why_missing(case, "storage.tmp", "the server's tmpdir was not found"))
    return Reading(storage, f"{storage.path} on {storage.chain}")


def _free_beside_data(case: Case) -> Reading | Absent:
    storage = case.inventory.role(Role.DATA)
    return _free(case, storage, "storage.data", "the data directory's file system was not found")


def _free(case: Case, storage: Storage | None, about: str, otherwise: str) -> Reading | Absent:
    if storage is None or storage.free_bytes is None or not storage.size_bytes:
        return Absent(why_missing(case, about, otherwise))
    share = storage.free_bytes / storage.size_bytes
    text = f"{figures.size(storage.free_bytes)} free ({figures.percent(share)}) in {storage.path}"
    return Reading(storage, text)


TEMP_ENGINE = Fact(
    "temp.engine",
    str,
    "name",
    "the engine that keeps internal temporary tables in memory",
    "@@internal_tmp_mem_storage_engine; MEMORY where there is no choice",
    _engine,
)
TEMP_DIRECTORY = Fact(
    "temp.directory",
    Storage,
    "storage",
    "where the server puts temporary files",
    "@@tmpdir and the mount table",
    _directory,
)
TEMP_ROOM_BESIDE_DATA = Fact(
    "temp.room_beside_data",
    Storage,
    "storage",
    "how much room is left where the data lies",
    "statfs of the data directory",
    _free_beside_data,
)
