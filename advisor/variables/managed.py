"""What managed services keep for themselves: their machines, and some settings.

Azure's and Google's servers say so of themselves: ``@@version`` has "-azure" or "-google".
"""

from __future__ import annotations

from collections.abc import Mapping

from advisor.variables.aurora import AURORA, RDS

AZURE, CLOUD_SQL = "Azure", "Google"
"""The vendors of such servers."""

SERVICES: Mapping[str, str] = {
    AZURE: "Azure Database for MySQL",
    CLOUD_SQL: "Cloud SQL for MySQL",
}
"""What the services other than Amazon's are called, by vendor."""

_RUN_BY = {RDS: "Amazon RDS", AURORA: "Amazon Aurora", **SERVICES}

_TOLD = frozenset({"host.cpu.threads", "host.memory", "host.memory_usable", "host.volume_limits"})
"""Facts of a machine that follow from its class, or that its user can say."""

_OF_MACHINE = ("host.", "storage.", "redo.directory")
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


def kept_by_service(vendor: str, names: frozenset[str] | tuple[str, ...]) -> str:
    """Say which service keeps one of these settings for itself; "" where none does."""
    kept = next((name for name in names if name in SET_BY_SERVICE), "")
    if vendor not in SERVICES or not kept:
        return ""
    return f"{SERVICES[vendor]} sets {kept} itself."


def machine_of_service(vendor: str, needs: tuple[str, ...]) -> str:
    """Say which service runs the machine that one of these facts is of; "" where none does."""
    if vendor not in _RUN_BY:
        return ""
    if not any(name.startswith(_OF_MACHINE) and name not in _TOLD for name in needs):
        return ""
    return f"{_RUN_BY[vendor]} runs the machine and its drives: they can't be looked at or changed."
