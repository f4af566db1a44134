"""The conditions of a run: what two runs must have in common to be compared."""

from __future__ import annotations

from probes.inventory.facts import Inventory, Role
from probes.plans.plan import Plan
from probes.points import BUFFERS


def conditions_of(inventory: Inventory, plan: Plan, directory: str) -> dict[str, str]:
    """Facts by name, those alone that are known.

    ``file_bytes`` is the size of the set that random reads work on, ``fill_share`` the share of the
    filesystem that was taken before the run (0..1). ``buffers`` is the kind of memory that blocks
    were to be read into, ``buffers_because`` why.
    """
    known: dict[str, object] = {"directory": directory}
    storage = inventory.role(Role.PROBE)
    if storage is not None:
        known |= {
            "filesystem": storage.filesystem,
            "device": ", ".join(disk.label for disk in storage.disks),
            "fill_share": _fill_share(storage.size_bytes, storage.free_bytes),
        }
    if inventory.host is not None:
        known |= {"kernel": inventory.host.kernel, "processors": inventory.host.cpu.threads}
    usual = [files for files in plan.file_sets if not files.name]
    if usual:
        known["file_bytes"] = max(files.total_bytes for files in usual)
    known |= {BUFFERS: plan.buffers, "buffers_because": plan.buffers_because}
    return {name: str(value) for name, value in known.items() if value not in (None, "")}


def _fill_share(size_bytes: int | None, free_bytes: int | None) -> str:
    if not size_bytes or free_bytes is None:
        return ""
    return f"{1 - free_bytes / size_bytes:.2f}"
