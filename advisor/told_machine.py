"""What a person types of a server's machine that can't be asked: its memory, and its class."""

from __future__ import annotations

import re

from advisor.amounts import size_bytes
from advisor.knowledge.machine_classes import machine_class, near_classes
from probes import figures
from probes.errors import UsageError
from probes.targets.address import ToldMachine

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LEAST_BYTES = 64 << 20
_MOST_BYTES = 1 << 46


def said_of_machine(memory: str, name: str, before: ToldMachine | None = None) -> ToldMachine:
    """What a person says of a machine, as typed; "" leaves what was said ``before``.

    Raises UsageError for no size or no name, and for a class that is not in the table where no
    memory is said either: it names those that are near.
    """
    before = before or ToldMachine()
    name = name.strip() or before.machine_class
    bytes_said = size_bytes(memory) if memory.strip() else before.memory_bytes
    if bytes_said and not _LEAST_BYTES <= bytes_said <= _MOST_BYTES:
        raise UsageError(
            f"{figures.size(bytes_said)} is not the memory of a database server.",
            "Write it with its unit, as 64G.",
        )
    if name and not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is not the name of an instance class.", "As db.r6g.2xlarge.")
    known = machine_class(name)
    if name and not bytes_said and known is None:
        near = figures.listed(near_classes(name), "or")
        meant = f"Do you mean {near}? Otherwise say" if near else "Say"
        raise UsageError(
            f"Leadline does not know the class {name}.", f"{meant} its memory, too, as 64G."
        )
    return ToldMachine(bytes_said, name if known is None else known.name)
