"""An inventory as a person reads it: the machine, the server, the drive under each role."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.knowledge.machine_classes import machine_text
from advisor.upgrade.releases import newer_than_known
from probes.figures import counted, duration_us, listed, part_of, size
from probes.inventory.facts import HostFacts, Inventory, MySQLFacts, Role, Storage
from probes.inventory.torn_write import Whole, read_torn_write
from probes.points import PAGE_BYTES
from probes.targets.container.facts import ContainerFacts


def inventory_rows(inventory: Inventory) -> Iterator[tuple[str, str]]:
    """Label and text of each line; roles in the same place share one."""
    if inventory.host is not None:
        yield "machine", _host(inventory, inventory.host)
    elif stated := machine_text(inventory.told):
        yield "machine", f"not reached · {stated}, as stated by the user"
    if inventory.container is not None:
        yield "container", _container(inventory.container, inventory.role(Role.DATA))
    if inventory.mysql is not None:
        yield "server", _server(inventory.mysql)
    places: dict[tuple[str, str], list[Storage]] = {}
    for storage in inventory.storage:
        places.setdefault((storage.mount_point, storage.chain), []).append(storage)
    for (mount_point, chain), group in places.items():
        roles = ", ".join(dict.fromkeys(storage.role.value for storage in group))
        yield roles, _place(mount_point, chain, group[0])
    pages = inventory.role(Role.DATA) or inventory.role(Role.PROBE)
    if pages is not None:
        yield "torn pages", _torn(inventory, pages)


def _host(inventory: Inventory, host: HostFacts) -> str:
    threads, memory = host.cpu.threads, host.memory_bytes
    cpus, granted = inventory.granted_cpus, inventory.granted_memory_bytes
    part = "" if cpus is None else f"{cpus:g} of "
    usable = "" if memory is None else size(memory) if granted is None else part_of(granted, memory)
    parts = [
        host.hostname,
        host.cpu.model,
        "" if threads is None else part + counted(threads, "CPU thread"),
        f"{usable} memory" if usable else "",
        host.distribution,
        f"Linux {host.kernel}" if host.kernel else "",
        host.platform,
    ]
    return " · ".join(part for part in parts if part)


def _container(facts: ContainerFacts, data: Storage | None) -> str:
    """Its engine, image and limits, and what its data lies on."""
    mount = None if data is None else facts.mount_of(data.resolved_path or data.path)
    place = "data in the container's own layer" if data is not None else ""
    limits = [f"{size(facts.memory_bytes)} of memory"] if facts.memory_bytes else []
    limits += [f"{facts.cpus:g} CPU{'' if facts.cpus == 1 else 's'}"] if facts.cpus else []
    parts = [
        f"{facts.address.engine.value} {facts.address.path}",
        facts.image,
        f"on {facts.node}" if facts.node else "",
        f"limited to {listed(limits)}" if limits else "",
        place if mount is None else f"data on {mount.kind} {mount.source}",
    ]
    return " · ".join(part for part in parts if part)


def _server(mysql: MySQLFacts) -> str:
    pool = mysql.number("innodb_buffer_pool_size")
    parts = [
        str(mysql.version),
        newer_than_known(mysql.version),
        "throwaway, started by Leadline" if mysql.sandbox else "",
        "" if pool is None else f"buffer pool {size(pool)}",
        "" if mysql.round_trip_us is None else f"round trip {duration_us(mysql.round_trip_us)}",
        mysql.connection,
    ]
    return " · ".join(part for part in parts if part)


_TORN = {
    Whole.YES: "none to be feared",
    Whole.NO: "possible after a power cut",
    Whole.UNKNOWN: "not known to be impossible",
}


def _torn(inventory: Inventory, storage: Storage) -> str:
    """Whether half a page can be left under ``storage``, and the reason that decided."""
    asked = None if inventory.mysql is None else inventory.mysql.number("innodb_page_size")
    platform = "" if inventory.host is None else inventory.host.platform
    found = read_torn_write(storage, platform, PAGE_BYTES if asked is None else int(asked))
    return f"{_TORN[found.whole]}: {found.reasons[0]}" if found.reasons else _TORN[found.whole]


def _place(mount_point: str, chain: str, storage: Storage) -> str:
    parts = [
        storage.path if not mount_point else f"{storage.path} (on {mount_point})",
        chain,
        "" if storage.free_bytes is None else f"{size(storage.free_bytes)} free",
    ]
    return " · ".join(part for part in parts if part)
