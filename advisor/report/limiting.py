"""What limits a server now, in a sentence; what its drive gives, where no query was at work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from advisor.case import Case
from advisor.gain import QueryTime, Stakes, Wait
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.ranking import stakes
from advisor.report.agenda import share_said, untimed
from advisor.report.summary import sentences
from advisor.report.watch_rows import processors_sentence
from probes.figures import percent
from probes.ranges import Range

STANDS_OUT = 0.2
"""A wait that takes less of the time of queries limits nothing yet (our choice)."""

LOADED = 1.0
"""With fewer queries at work on average there is room for more of them (our choice)."""

VAGUE = 0.1
"""A second wait whose low end is less of its high end is named without figures (our choice)."""

HALF = 0.5
"""A wait that takes so much of the time is the longest, whatever was not timed."""

OF_MEMORY = frozenset({"Memory", "Buffer pool"})
"""The topics whose risks are that memory runs out."""

CEILINGS = {
    "cloud.request-limit": "the volume's limit on requests",
    "cloud.throughput-limit": "the volume's limit on bytes",
    "cloud.machine-cap": "the machine's limit on its volumes",
    "cloud.class-limit": "the class's limit on its volume",
}
"""What the rules that hold the server's rate against a limit judge: reads and syncs wait there."""

_ONE_THING = frozenset({Wait.CHECKPOINTS, Wait.LOG_BUFFER, Wait.MEMORY})

Share = tuple[Wait, Range]


def limiting(judgement: Judgement, case: Case) -> str:
    """The station where queries spend most of their time; without a load, what the drive gives."""
    time = judgement.time
    if time is None:
        return _unloaded(case)
    waits = _sure_first(time)
    head = _head(judgement, time, waits)
    clauses = [head, _ceiling(judgement, waits), _left_out(time, waits, head)]
    if (at_work := _at_work(time)) not in head:
        clauses.append(at_work)
    return "; ".join(filter(None, clauses)) + "."


def _at_work(time: QueryTime) -> str:
    return f"{time.running.value:.1f} queries at work"


def _unloaded(case: Case) -> str:
    unwatched = replace(case, inventory=replace(case.inventory, watched=None))
    drive = sentences(unwatched)[0] if case.points else ""
    idle = "" if case.inventory.watched is None else "No query was at work while it was watched."
    return f"{idle} {drive}".strip() or sentences(case)[0]


def _sure_first(time: QueryTime) -> list[Share]:
    """The longest waits; one that surely stands out before one that may."""
    return sorted(time.longest, key=lambda each: each[1].low < STANDS_OUT)


def _head(judgement: Judgement, time: QueryTime, waits: Sequence[Share]) -> str:
    """What limits, may limit, or does not, as far as the waits that were timed can tell."""
    loaded = time.running.value >= LOADED
    wait, share = waits[0] if waits else (None, Range.exact(0.0))
    if wait is not None and loaded and share.low >= STANDS_OUT:
        return f"Limited now by {wait.value}: {_of(share)}{_then(waits)}"
    if _short_of_memory(judgement.recommendations):
        return f"Memory comes first, as the risks say{_taken(waits, '; ')}"
    if wait is not None and loaded and share.high >= STANDS_OUT:
        return f"Limited perhaps by {wait.value}: {_of(share)}{_then(waits)}"
    if unknown := loaded and untimed(time):
        return f"What limits the server is open: {unknown}{_taken(waits, ', and ')}"
    if loaded:
        nothing = "Nothing limits the server now"
    else:
        nothing = f"The server has little to do: {_at_work(time)}"
    if wait is None:
        return nothing
    most = " of what was timed" if untimed(time) else ""
    joint = ": " if loaded else ", and "
    return f"{nothing}{joint}{wait.value} {_takes(wait)} most{most}, {_of(share)}{_then(waits)}"


def _left_out(time: QueryTime, waits: Sequence[Share], head: str) -> str:
    """What was not timed, where it may take more than the wait that is named and is not said."""
    unknown = untimed(time)
    longer = not waits or waits[0][1].low < HALF
    told = time.running.value < LOADED or unknown in head
    return unknown if longer and not told else ""


def _short_of_memory(judged: Iterable[Recommendation]) -> bool:
    """Whether a risk is that memory runs out: then nothing else matters before that."""
    return any(
        one.verdict is not Verdict.FINE and stakes(one) is Stakes.DATA and one.topic in OF_MEMORY
        for one in judged
    )


def _ceiling(judgement: Judgement, waits: Sequence[Share]) -> str:
    """How far a limit of the volume is used that stands behind the wait; "" where none does.

    It says so as well where the waits that it makes longer were not timed.
    """
    time = judgement.time
    for one in judgement.recommendations:
        if one.rule not in CEILINGS or one.verdict is Verdict.FINE:
            continue
        held = {each.wait: each.share.high for each in one.relieves}
        timed = time is not None and any(each in time.waits for each in held)
        if held and (not timed or (waits and waits[0][0] in held)):
            return f"{percent(max(held.values()))} of {CEILINGS[one.rule]} is used"
    return ""


def _taken(waits: Sequence[Share], joint: str) -> str:
    if not waits:
        return ""
    wait, share = waits[0]
    return f"{joint}{wait.value} {_takes(wait)} {_of(share)}{_then(waits)}"


def _takes(wait: Wait) -> str:
    return "takes" if wait in _ONE_THING else "take"


def _of(share: Range) -> str:
    return f"{share_said(share)} of query time"


def _then(waits: Sequence[Share]) -> str:
    """The wait that comes next, after a comma; "" where there is none."""
    for wait, share in waits[1:2]:
        if share.low < VAGUE * share.high:
            return f", then perhaps {wait.value}"
        return f", then {wait.value} with {share_said(share)}"
    return ""


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
