"""What a person types of a server's machine that can't be asked: memory, class, and volume."""

from __future__ import annotations

import re
from dataclasses import dataclass

from advisor.amounts import bytes_per_s, requests_per_s, size_bytes
from advisor.knowledge.machine_classes import machine_class, near_classes
from probes import figures
from probes.errors import UsageError
from probes.targets.address import StatedMachine

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LEAST_BYTES = 64 << 20
_MOST_BYTES = 1 << 46
_MOST_REQUESTS_PER_S = 100_000_000
_MOST_CPUS = 10_000
_LEAST_BYTES_PER_S = 1 << 20
_MOST_BYTES_PER_S = 1 << 40


@dataclass(frozen=True, slots=True)
class TypedMachine:
    """What a person types of a machine that can't be asked; "" says nothing."""

    memory: str = ""
    machine_class: str = ""
    volume_iops: str = ""
    volume_throughput: str = ""
    cpus: str = ""


def stated_machine(typed: TypedMachine, before: StatedMachine | None = None) -> StatedMachine:
    """What a person says of a machine; "" leaves what was said ``before``.

    Raises UsageError for no size, no name or no rate, and for a class that is not in the table
    where no memory is said either: it names those that are near.
    """
    before = before or StatedMachine()
    name = typed.machine_class.strip() or before.machine_class
    memory_bytes = size_bytes(typed.memory) if typed.memory.strip() else before.memory_bytes
    if memory_bytes and not _LEAST_BYTES <= memory_bytes <= _MOST_BYTES:
        raise UsageError(
            f"{figures.size(memory_bytes)} is not the memory of a database server.",
            "Write it with its unit, as 64G.",
        )
    if name and not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is not the name of an instance class.", "As db.r6g.2xlarge.")
    known = machine_class(name)
    if name and not memory_bytes and known is None:
        near = figures.listed(near_classes(name), "or")
        meant = f"Do you mean {near}? Otherwise say" if near else "Say"
        raise UsageError(
            f"Leadline does not know the class {name}.", f"{meant} its memory, too, as 64G."
        )
    iops, throughput, cpus = (
        each.strip() for each in (typed.volume_iops, typed.volume_throughput, typed.cpus)
    )
    return StatedMachine(
        memory_bytes,
        name if known is None else known.name,
        _requests(iops) if iops else before.volume_requests_per_s,
        _throughput(throughput) if throughput else before.volume_bytes_per_s,
        _cpus(cpus) if cpus else before.cpus,
    )


def _requests(text: str) -> int:
    value = requests_per_s(text)
    if value > _MOST_REQUESTS_PER_S:
        raise UsageError(f"No volume gives {value:,} requests/s.", "Write it as 3000.")
    return value


def _cpus(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text[:6]) <= _MOST_CPUS:
        raise UsageError(f"{text!r} is not a number of processors.", "Write it as 16.")
    return int(text)


def _throughput(text: str) -> int:
    value = bytes_per_s(text)
    if not _LEAST_BYTES_PER_S <= value <= _MOST_BYTES_PER_S:
        raise UsageError(
            f"{figures.throughput(value)} is not the throughput of a database's volume.",
            "Write it with its unit, as 125M.",
        )
    return value
