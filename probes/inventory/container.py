"""The container that a server runs in: kept as an answer of its inventory, and its limits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed
from probes.boundary.numbers import finite
from probes.boundary.text import text
from probes.inventory.facts import Inventory
from probes.targets.address import ContainerAddress, ContainerEngine
from probes.targets.container.facts import ANSWER, ContainerFacts, ContainerMount

_LONGEST_BYTES = 1 << 20
_LETTERS = 4096
_MOST_BYTES = 2.0**60
_WORDS = ("image", "node", "operator", "cluster", "upper", "project", "service")


def container_answer(facts: ContainerFacts) -> dict[str, str]:
    """The raw answer, by its name."""
    return {ANSWER: json.dumps(asdict(facts), ensure_ascii=False)}


def read_container(answers: Mapping[str, str]) -> ContainerFacts | None:
    """Read the answer; None where the server was not looked at in a container. Raises Malformed."""
    kept = answers.get(ANSWER)
    if kept is None:
        return None
    content = decode_object(kept, _LONGEST_BYTES)
    return ContainerFacts(
        _address(content.get("address")),
        memory_bytes=int(finite(content.get("memory_bytes"), "the memory", 0, _MOST_BYTES)),
        cpus=finite(content.get("cpus"), "the processors", 0),
        environment=tuple(text(one, "a name", _LETTERS) for one in _rows(content, "environment")),
        mounts=tuple(
            ContainerMount(*_texts(each, "at", "kind", "source"))
            for each in _rows(content, "mounts")
        ),
        **dict(zip(_WORDS, _texts(content, *_WORDS), strict=True)),
    )


def limited(inventory: Inventory, container: ContainerFacts) -> Inventory:
    """The inventory with the limits that its engine reports, where they are the lower ones.

    In a container of its own the server's process need not see the control groups above.
    """
    host, process = inventory.host, inventory.server_process
    memory, cpus = container.memory_bytes, container.cpus
    if host is not None and 0 < memory < (host.usable_memory_bytes or 0):
        host = replace(host, memory_limit_bytes=memory)
    if process is not None:
        process = replace(
            process,
            memory_limit_bytes=min(filter(None, (process.memory_limit_bytes, memory)), default=0),
            cpu_limit=min(filter(None, (process.cpu_limit, cpus)), default=0.0),
        )
    return replace(inventory, host=host, server_process=process, container=container)


def _address(content: object) -> ContainerAddress:
    engine, *names = _texts(content, "engine", "name", "namespace", "container")
    if engine not in list(ContainerEngine):
        raise Malformed("its engine is none that is known")
    return ContainerAddress(ContainerEngine(engine), *names)


def _texts(content: object, *names: str) -> tuple[str, ...]:
    if not isinstance(content, dict):
        raise Malformed("a part of it is no object")
    return tuple(text(content.get(name), name, _LETTERS) for name in names)


def _rows(content: Mapping[str, object], name: str) -> list[object]:
    rows = content.get(name)
    if not isinstance(rows, list):
        raise Malformed(f"{name} is no list")
    return rows
