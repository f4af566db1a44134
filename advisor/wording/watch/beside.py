"""Who else keeps the processors busy that queries wait for."""

from __future__ import annotations

from advisor.case import Case
from advisor.gain import Wait
from advisor.outcomes import Judgement
from advisor.wording.watch.rows import processors_sentence


def beside_others(judgement: Judgement, case: Case) -> str:
    """Who keeps the processors busy, where that says more than how much they are wanted; else "".

    That is where queries wait for them most, and other programs take more than the server.
    """
    watched, time = case.inventory.watched, judgement.time
    machine = None if watched is None else watched.machine
    if machine is None or machine.server_cpu is None or machine.others is None:
        return ""
    if time is None or not time.longest or time.longest[0][0] is not Wait.PROCESSORS:
        return ""
    if machine.others.programs <= machine.server_cpu.value:
        return ""
    return processors_sentence(machine, machine.server_cpu)
