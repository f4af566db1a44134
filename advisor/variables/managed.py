"""What managed services keep for themselves: their machines, and some settings.

Azure's and Google's servers say so of themselves: ``@@version`` has "-azure" or "-google".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from advisor.variables.aurora import AURORA, RDS
from probes.version import ServerVersion

AZURE, CLOUD_SQL = "Azure", "Google"
"""The vendors of such servers."""

SERVICES: Mapping[str, str] = {
    AZURE: "Azure Database for MySQL",
    CLOUD_SQL: "Cloud SQL for MySQL",
}
"""What the services other than Amazon's are called, by vendor."""


@dataclass(frozen=True, slots=True)
class Service:
    """Who runs a server, and where its settings are changed.

    Its accounts may neither SET GLOBAL nor SET PERSIST, and nobody sees its option files. ``form``
    is the plan's form for it; ``at_once`` and ``at_restart`` say how a change is asked for there.
    ``keeps`` says, in words that follow "as", what an account there has nothing to do with.
    """

    name: str
    place: str
    form: str
    at_once: str
    at_restart: str
    keeps: str = "it runs the machine, its drives and its files itself"

    def where(self, *, restart: bool) -> str:
        """Say where a value goes: ``in the DB parameter group (ApplyMethod immediate)``."""
        return f"{self.place} ({self.at_restart if restart else self.at_once})"


class Kept(StrEnum):
    """What a managed service has or keeps for itself."""

    SETTING = "setting"
    FILES = "files"
    MACHINE = "machine"
    DRIVES = "drives"
    NO_NOTICE = "no_notice"
    """Its storage takes no notice of the setting."""

    NO_PARTS = "no_parts"
    """Its storage has no redo log files, no doublewrite and no volume."""


@dataclass(frozen=True, slots=True)
class KeptByService:
    """A managed service, by the vendor that its servers have, and what it keeps.

    ``setting`` names the one that it sets itself.
    """

    vendor: str
    what: Kept
    setting: str = ""


_RUN_BY = {
    RDS: Service(
        "Amazon RDS",
        "in the DB parameter group",
        "rds",
        "ApplyMethod immediate",
        "ApplyMethod pending-reboot",
    ),
    AURORA: Service(
        "Amazon Aurora",
        "in the DB cluster parameter group",
        "rds",
        "ApplyMethod immediate",
        "ApplyMethod pending-reboot",
        "it runs the machine and the files itself, and its storage has no redo log files, no "
        "doublewrite and no volume",
    ),
    AZURE: Service(
        SERVICES[AZURE],
        "among the server parameters",
        "azure",
        "dynamic",
        "static: restart the server",
    ),
    CLOUD_SQL: Service(
        SERVICES[CLOUD_SQL],
        "among the database flags",
        "gcloud",
        "the service says whether it restarts the instance",
        "the instance restarts",
    ),
}
"""Sources: Amazon RDS user guide, "Working with parameter groups"; Microsoft, "Server parameters in
Azure Database for MySQL - Flexible Server"; Google Cloud, "Configure database flags".
"""

_STATED = frozenset(
    {
        "host.class",
        "host.cpu.granted",
        "host.cpu.threads",
        "host.memory",
        "host.memory_usable",
        "host.volume_limits",
    }
)
"""Facts of a machine that follow from its class, or that its user can say."""

_OF_FILES = ("mysql.lines", "mysql.option_files")
"""Facts about option files, which these services write themselves."""

_OF_MACHINE = ("host.", "storage.", "redo.directory", "watch.cpu_steal")
"""How the names of facts begin that only one who is on the machine can read."""

SET_BY_SERVICE = frozenset(
    {
        "innodb_data_file_path",
        "innodb_dedicated_server",
        "innodb_doublewrite",
        "innodb_flush_method",
        "innodb_log_files_in_group",
        "innodb_page_size",
        "innodb_temp_data_file_path",
        "innodb_undo_tablespaces",
        "innodb_use_native_aio",
        "large_pages",
    }
)
"""Settings that belong to the machine and its files, which these services keep for themselves.

Sources: Google Cloud, "Configure database flags", which has none of them; Microsoft, "Server
parameters in Azure Database for MySQL - Flexible Server", where such parameters are read-only.
"""

REDO_FILE_SIZES = (256 << 20, 512 << 20, 1 << 30, 2 << 30)
"""Bytes that Azure takes for innodb_log_file_size. Source: as above."""


def kept_by_service(vendor: str, names: frozenset[str] | tuple[str, ...]) -> KeptByService | None:
    """Which of these settings a service keeps for itself; None where it keeps none."""
    kept = next((name for name in names if name in SET_BY_SERVICE), "")
    known = vendor in SERVICES and bool(kept)
    return KeptByService(vendor, Kept.SETTING, kept) if known else None


def service_of(version: ServerVersion | None) -> Service | None:
    """Whose service a server is; None where its owner sets it."""
    return None if version is None else service_named(version.vendor)


def service_named(vendor: str) -> Service | None:
    """The same by the vendor that its servers have."""
    return _RUN_BY.get(vendor)


def files_of_service(version: ServerVersion, needs: tuple[str, ...]) -> KeptByService | None:
    """The service that writes the option files which these facts are of; None where none does."""
    asked = any(name in _OF_FILES for name in needs)
    return _kept(version, Kept.FILES) if asked else None


def is_of_machine(name: str) -> bool:
    """Whether only one who is on the machine can read a fact."""
    return name.startswith(_OF_MACHINE) and name not in _STATED


def machine_of_service(version: ServerVersion, needs: tuple[str, ...]) -> KeptByService | None:
    """The service that runs the machine which a fact is of; None where none does."""
    asked = any(map(is_of_machine, needs))
    return _kept(version, Kept.MACHINE) if asked else None


def drive_of_service(version: ServerVersion) -> KeptByService | None:
    """The service that lets nobody measure its drives; None where none does."""
    return _kept(version, Kept.DRIVES)


def _kept(version: ServerVersion, what: Kept) -> KeptByService | None:
    return None if service_of(version) is None else KeptByService(version.vendor, what)
