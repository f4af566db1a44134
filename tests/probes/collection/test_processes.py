"""What processes beside the server took of the processors, by two moments of the script."""

from __future__ import annotations

import json

from probes.collection.machine import read_machine_text
from probes.collection.moments import watch_answer

PARENT, TIMES, BEGAN = 1, 11, 19
"""Where these stand behind a name in /proc/PID/stat; of times there are four."""


def stat(pid: int, name: str, parent: int, *ticks: int) -> str:
    fields = ["0"] * 22
    fields[0], fields[PARENT], fields[BEGAN] = "S", str(parent), str(pid)
    fields[TIMES : TIMES + len(ticks)] = map(str, ticks)
    return f" {pid} ({name}) {' '.join(fields)}\n"


def moment(at_s: float, *processes: str) -> str:
    return f"== @moment {at_s}\n== @processes 9\n{''.join(processes)}"


def test_what_ended_meanwhile_is_its_parents() -> None:
    script = stat(9, "sh", 1)
    make, compiler, assembler = (
        stat(2, "make", 1, 15, 5),
        stat(3, "cc", 2, 30),
        stat(4, "as", 3, 40),
    )
    circle = stat(6, "in a circle", 7, 60), stat(7, "in a circle, too", 6, 70)
    # The compiler took its assembler's 40, and another one came and went.
    later = stat(2, "make", 1, 15, 5, 90, 5)
    text = moment(10.0, script, make, compiler, assembler, *circle) + moment(20.0, script, later)
    answer = json.loads(watch_answer(text, read_machine_text(""), {}) or "")
    assert answer["others"]["processes"] == [{"pid": 2, "name": "make", "cpu_s": 0.25}]
    assert (answer["others"]["rest_s"], answer["others"]["own_s"]) == (0, 0)
