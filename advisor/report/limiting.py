"""What limits a server now, in a sentence; what its drive gives, where no query was at work."""

from __future__ import annotations

from dataclasses import replace

from advisor.case import Case
from advisor.gain import Wait
from advisor.outcomes import Judgement
from advisor.report.agenda import share_said, untimed
from advisor.report.summary import sentences
from advisor.report.watch_rows import processors_sentence

STANDS_OUT = 0.2
"""A wait that takes less of the time of queries limits nothing yet (our choice)."""

LOADED = 1.0
"""With fewer queries at work on average there is room for more of them (our choice)."""


def limiting(judgement: Judgement, case: Case) -> str:
    """The station where queries spend most of their time; without a load, what the drive gives."""
    time = judgement.time
    if time is None:
        unwatched = replace(case, inventory=replace(case.inventory, watched=None))
        drive = sentences(unwatched)[0] if case.points else ""
        idle = (
            "" if case.inventory.watched is None else "No query was at work while it was watched."
        )
        return f"{idle} {drive}".strip() or sentences(case)[0]
    at_work = f"{time.running.value:.1f} queries at work."
    if not time.longest:
        if unknown := untimed(time):
            return f"What limits the server is open: {unknown}; {at_work}"
        return f"Nothing limits the server now; {at_work}"
    (wait, share), *others = time.longest[:2]
    then = "".join(f", then {name.value} with {share_said(each)}" for name, each in others)
    if share.value < STANDS_OUT or time.running.value < LOADED:
        return (
            f"Nothing limits the server now: {wait.value} take most, {share_said(share)} of query "
            f"time{then}; {at_work}"
        )
    return f"Limited now by {wait.value}: {share_said(share)} of query time{then}; {at_work}"


def beside_others(judgement: Judgement, case: Case) -> str:
    """Who keeps the processors busy, where that tells more than how much they are wanted; else "".

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
