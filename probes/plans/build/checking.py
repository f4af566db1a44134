"""Whether what a user wishes can be done at all; every refusal says what could be."""

from __future__ import annotations

from collections.abc import Iterable

from probes.errors import UsageError
from probes.kinds.kind import Kind
from probes.kinds.table import PROBES_OF
from probes.plans.wishes import Wishes
from probes.points import Probe

ENGINES = ("agent", "fio", "sysbench")
PROTOCOLS = ("prepared", "sql", "handler")
IO_PRIORITIES = ("", "low", "idle")
MOST_THREADS = 1024
LEAST_BLOCK_BYTES = 512
MOST_BLOCK_BYTES = 64 * 1024
MOST_STEADY_BLOCK_BYTES = 1024 * 1024
SUREST = 0.001
LEAST_SURE = 0.5


def check(kinds: frozenset[Kind], wishes: Wishes, working_sets: Iterable[str]) -> None:
    """Raise UsageError for wishes that contradict each other or that no probe can meet."""
    check_alone(kinds, wishes)
    if wishes.update and not set(working_sets) - {"existing"}:
        raise UsageError(
            "Updates are made in a table of Leadline's own alone, and there is none.",
            "Agree to a schema of its own on the server, or use a throwaway server (--sandbox).",
        )


def check_alone(kinds: frozenset[Kind], wishes: Wishes) -> None:
    """As ``check``, as far as is possible before anything is known of the target."""
    if not kinds:
        raise UsageError("No kind of probe was asked for.", f"There are {_words(Kind)}.")
    _check_probes(kinds, wishes)
    _check_levels(kinds, wishes)
    _check_words(wishes)
    _check_budget(wishes)


def _check_probes(kinds: frozenset[Kind], wishes: Wishes) -> None:
    offered = {probe for kind in kinds for probe in PROBES_OF[kind]}
    for probe in wishes.probes:
        if probe not in offered:
            raise UsageError(
                f"{probe.value} is no probe of {_words(sorted(kinds))}.",
                f"There are {_words(sorted(offered))}.",
            )
    if Probe.PK_UPDATE in wishes.probes and not wishes.update:
        raise UsageError("pk_update writes to a table, and updates were not asked for.")


def _check_levels(kinds: frozenset[Kind], wishes: Wishes) -> None:
    for threads in wishes.threads:
        if not 1 <= threads <= MOST_THREADS:
            raise UsageError(f"{threads} threads can't be measured.", "Name 1 to 1024.")
    most = MOST_STEADY_BLOCK_BYTES if Kind.STEADY in kinds else MOST_BLOCK_BYTES
    for size in wishes.block_sizes:
        # Only redo appends may have any whole number of sectors.
        odd = size % 512 if kinds == {Kind.REDO} else size & (size - 1)
        if not LEAST_BLOCK_BYTES <= size <= most or odd:
            raise UsageError(
                f"Blocks of {size} bytes can't be measured.",
                f"Name powers of two from 512 to {most} bytes.",
            )
    if wishes.within is not None and not SUREST <= wishes.within <= LEAST_SURE:
        raise UsageError(
            f"A rate can't be known within {wishes.within * 100:g} %.", "Name 0.1 % to 50 %."
        )


def _check_words(wishes: Wishes) -> None:
    if not wishes.protocols or set(wishes.protocols) - set(PROTOCOLS):
        raise UsageError(
            f"Lookups can't be asked as {_words(wishes.protocols) or 'nothing'}.",
            f"There are {_words(PROTOCOLS)}.",
        )
    for engine in (wishes.engine, wishes.cross_engine or "agent"):
        if engine not in ENGINES:
            raise UsageError(f"There is no engine {engine}.", f"There are {_words(ENGINES)}.")
    if wishes.update and set(wishes.protocols) == {"handler"}:
        raise UsageError("HANDLER can't update rows.", "Name prepared or sql, too.")
    if wishes.cross_engine == wishes.engine:
        raise UsageError(f"{wishes.engine} can't check itself.", "Name another engine.")
    if wishes.io_priority not in IO_PRIORITIES:
        raise UsageError(
            f"There is no I/O priority {wishes.io_priority}.", "There are low and idle."
        )


def _check_budget(wishes: Wishes) -> None:
    budget = wishes.budget
    amounts = (budget.seconds, budget.read_bytes, budget.written_bytes, budget.added_us)
    if min(amounts) < 0:
        raise UsageError("A budget can't be below zero.", "Zero is no limit.")
    if not 0 <= budget.endurance_share <= 1:
        raise UsageError("A share of the drive's endurance is 0 to 100 %.")


def _words(values: Iterable[str]) -> str:
    words = [str(value) for value in values]
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)
