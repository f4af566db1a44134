"""What a person said of a machine that can't be asked, where a fact of the machine is wanted."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import NO_HOST, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.knowledge.machine_classes import machine_class, told_memory_bytes
from probes import figures

AS_TOLD = "as stated by the user"


def told_memory(case: Case) -> Reading | Absent:
    """Read the memory that was said, else that of the class that was."""
    told = case.inventory.told
    memory = None if told is None else told_memory_bytes(told)
    if told is None or memory is None:
        return Absent(why_missing(case, "host", NO_HOST))
    of = f" for {told.machine_class}" if told.machine_class else ""
    return Reading(float(memory), f"{figures.size(memory)}, {AS_TOLD}{of}")


def told_cpus(case: Case) -> Reading | Absent:
    """Read the processors of the class that was said."""
    told = case.inventory.told
    known = None if told is None else machine_class(told.machine_class)
    if told is None or known is None:
        return Absent(why_missing(case, "host", NO_HOST))
    text = f"{known.cpus}{figures.THIN}threads, {AS_TOLD} for {told.machine_class}"
    return Reading(float(known.cpus), text)
