"""A container's machine beside the container: its drives, which the container need not see.

podman hides /sys/dev/block in a container, and what is written to no volume lies in an overlay, on
whose upper directory only the machine can look.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Mapping
from typing import Any

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed
from probes.errors import AgentFailed, TargetError
from probes.inventory.facts import Role
from probes.inventory.machine.answer import LONGEST_BYTES
from probes.inventory.machine.ask import ask_agent
from probes.targets.container.facts import ContainerFacts
from probes.targets.container.target import ContainerTarget
from probes.targets.target import Target

_PLACE = ("device", "source_device", "devices", "allocation_bytes", "atomic_write_unit_max_bytes")
"""What a directory of the machine says of the drive that a container's directory lies on."""


def with_drives(target: Target, answer: str) -> str:
    """The agent's answer from a container with the drives that its machine shows for it.

    As it was where the target is no container, or its machine says nothing.
    """
    node = target.node if isinstance(target, ContainerTarget) else None
    if node is None or not isinstance(target, ContainerTarget):
        return answer
    try:
        inside = decode_object(answer, LONGEST_BYTES)
        places = _places_on_node(inside, target.facts)
        if not places:
            return answer
        outside = decode_object(ask_agent(node, places), LONGEST_BYTES)
    except (Malformed, AgentFailed, TargetError):
        # The container's own answer stands; what it lacks is listed as missing.
        return answer
    _merge(inside, outside)
    return json.dumps(inside, ensure_ascii=False)


def watched_from(target: Target, *, sudo: bool) -> Target:
    """Where an agent sees most of a server's work: a container's machine, with root's rights."""
    node = target.node if isinstance(target, ContainerTarget) else None
    if node is None:
        return target
    return node if sudo or node.run(["id", "-u"]).stdout.strip() == b"0" else target


def _places_on_node(inside: Mapping[str, object], facts: ContainerFacts) -> dict[Role, str]:
    """Where the directories of the roles lie on the machine."""
    found = {}
    for role, place in _objects(inside.get("paths")).items():
        path = place.get("resolved") or place.get("path")
        if role not in list(Role) or not isinstance(path, str):
            continue
        mount = facts.mount_of(path)
        if mount is None and facts.upper:
            found[Role(role)] = facts.upper
        elif mount is not None and mount.source.startswith("/"):
            below = posixpath.relpath(path, mount.at)
            found[Role(role)] = posixpath.normpath(posixpath.join(mount.source, below))
    return found


def _merge(inside: dict[str, Any], outside: Mapping[str, object]) -> None:
    """Put the machine's drives beside the container's own view of its directories."""
    block = _objects(inside.get("block"))
    inside["block"] = {**_objects(outside.get("block")), **block}
    seen = _objects(outside.get("paths"))
    for role, place in _objects(inside.get("paths")).items():
        there = seen.get(role, {})
        if place.get("device") not in block and there.get("exists") is True:
            place.update({name: there[name] for name in _PLACE if name in there})


def _objects(value: object) -> dict[str, dict[str, Any]]:
    if not isinstance(value, dict):
        return {}
    return {name: each for name, each in value.items() if isinstance(each, dict)}
