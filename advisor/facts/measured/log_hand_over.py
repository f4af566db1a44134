"""What commits pay to hand their redo to threads of its own."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import Fact
from advisor.facts.machine.server_process import granted_cpus
from advisor.facts.readings import Absent, Reading
from advisor.model.server.redo_log import hand_over_us
from probes import figures
from probes.statistics.ranges import Range


def _hand_over(case: Case) -> Reading | Absent:
    threads = granted_cpus(case)
    if isinstance(threads, Absent) or not isinstance(threads.value, float):
        return threads
    takes_us = hand_over_us(threads.value)
    return Reading(takes_us, f"{takes_us.text(figures.duration_us)} of a processor for a commit")


REDO_HAND_OVER = Fact(
    "redo.hand_over",
    Range,
    "us",
    "what a commit takes of a processor to hand its redo to threads of its own",
    "trials on another machine with two CPUs, by how many it may use here (our choice)",
    _hand_over,
    assumed=True,
)
