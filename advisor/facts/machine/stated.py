"""What a person said of a machine that can't be asked, where a fact of the machine is wanted."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import NO_HOST, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.knowledge.machine_classes import machine_class, stated_memory_bytes
from probes import figures

AS_STATED = "as stated by the user"


def stated_memory(case: Case) -> Reading | Absent:
    """Read the memory that was said, else that of the class that was."""
    stated = case.inventory.told
    memory = None if stated is None else stated_memory_bytes(stated)
    if stated is None or memory is None:
        return Absent(why_missing(case, "host", NO_HOST))
    of = f" for {stated.machine_class}" if stated.machine_class else ""
    return Reading(float(memory), f"{figures.size(memory)}, {AS_STATED}{of}")


def stated_cpus(case: Case) -> Reading | Absent:
    """Read the processors that were said, else those of the class that was."""
    stated = case.inventory.told
    if stated is not None and stated.cpus:
        return Reading(float(stated.cpus), f"{stated.cpus}{figures.THIN}threads, {AS_STATED}")
    known = None if stated is None else machine_class(stated.machine_class)
    if stated is None or known is None:
        return Absent(why_missing(case, "host", NO_HOST))
    text = f"{known.cpus}{figures.THIN}threads, {AS_STATED} for {stated.machine_class}"
    return Reading(float(known.cpus), text)
