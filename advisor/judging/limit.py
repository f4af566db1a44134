"""What limits a server now, as values: every form of a report and the lists are held to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from advisor.case import Case
from advisor.facts.server.cluster import asks_others, stops_others
from advisor.facts.server.engines import OtherEngine, other_engine
from advisor.gain import FLOOR, MOST, STANDS_OUT, QueryTime, Relief, Wait
from advisor.judging.agenda import Part, part_of
from advisor.judging.drive_aside import OF_DRIVE, drive_is_busy, may_limit
from advisor.judging.memory_first import memory_risks
from advisor.judging.single_thread import LOADED, applier_is_busy, one_thread
from advisor.outcomes import Confidence, Judgement, Recommendation, Verdict
from advisor.rulekit.facts import Facts, FactSource
from advisor.workload.load_kind import scans
from advisor.workload.long_transaction import long_open_s
from advisor.workload.pool.memory_short import has_room
from advisor.workload.pool.warming import Filling, filling
from advisor.workload.processors_use import ProcessorsUse, processors_use
from probes.statistics.ranges import Range

FEW, UNUSED = 2.0, 0.1
"""Fewer queries than this are no load of a machine that uses less of its processors either (our
choices)."""

EXPLAINED = 1 - STANDS_OUT
"""Nothing limits where no wait stands out and all together make this share of query time (our
choice)."""

COMPUTES = 0.7
"""Beside queries that compute for so much of their time a wait is a part of it, and does not limit
them (our choice)."""

RELIEVES = 0.1
"""A change that saves less of query time does not relieve what limits it (our choice)."""

OF_LATCHES = (
    "threads.concurrency-cap",
    "threads.thread-pool",
    "adaptive-hash.index",
    "buffer-pool.instances",
)
"""The rules on what makes queries wait for each other's latches: too many at once, an index, and
few parts of the pool."""

OF_TABLES = ("files.open-files-limit", "files.table-open-cache", "files.innodb-open-files")
"""The rules on what makes queries open tables again, which nobody times."""

OF_VERSIONS = ("threads.purge-threads",)
"""The rules on what makes queries compute longer, by how much nobody can tell: they read past old
versions of rows, and past rows that are deleted."""

Share = tuple[Wait, Range]


class LimitKind(StrEnum):
    """What can be said of the limit."""

    LITTLE = "little"
    WAIT = "wait"
    PERHAPS = "perhaps"
    MEMORY = "memory"
    OPEN = "open"
    COMPUTING = "computing"
    ELSEWHERE = "elsewhere"
    OTHER_ENGINE = "other_engine"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Limit:
    """What limits a server.

    ``wait`` is the wait that does or may, None where none does. ``waits`` are the longest ones,
    those that surely stand out first: processors are among them only where they are short. Else
    ``computing`` is the share of query time on them. ``one`` is what the thread is that does all of
    the work, "" where there are several. ``applies`` is whether all that a replica applies goes
    through one thread that is busy all the time, beside others. ``other`` is the engine whose load
    it is, None where it is InnoDB's; ``scans`` what a load reads by scans, "" where it is no such
    load. ``short_of_memory`` is whether a risk is that memory runs out, ``asks_others`` whether
    commits wait for other members' answers, ``stops_others`` the part of the time (0..1) for which
    the server, a node of a cluster, makes the others' commits wait, ``opens_tables`` whether tables
    are opened again and again, ``open_s`` for how many seconds the oldest transaction has been
    open where that is long and most of the time is in no wait that was timed. ``filling`` is a pool
    that fills after a start, where most wait for its page reads.
    """

    kind: LimitKind
    time: QueryTime
    wait: Wait | None = None
    waits: tuple[Share, ...] = ()
    computing: Range | None = None
    one: str = ""
    applies: bool = False
    other: OtherEngine | None = None
    scans: str = ""
    use: ProcessorsUse | None = None
    short_of_memory: bool = False
    asks_others: bool = False
    stops_others: float = 0.0
    opens_tables: bool = False
    open_s: float | None = None
    filling: Filling | None = None

    @property
    def named(self) -> bool:
        """Whether queries spend their time on something that a change would have to shorten."""
        scanning = self.kind is LimitKind.COMPUTING and bool(self.scans)
        elsewhere = self.kind in {LimitKind.ELSEWHERE, LimitKind.OTHER_ENGINE}
        return self.wait is not None or scanning or elsewhere or self.half_known

    @property
    def computes(self) -> bool:
        """Whether queries compute for most of their time beside the wait that is named."""
        if self.wait in {None, Wait.PROCESSORS} or self.computing is None or self.one:
            return False
        return self.computing.value >= COMPUTES

    @property
    def half_known(self) -> bool:
        """Whether queries compute for half of their time, and much of the rest nobody timed."""
        explained = self.time.explained.value >= EXPLAINED
        return self.kind is LimitKind.COMPUTING and not (explained or self.one or self.scans)


def limit_of(judgement: Judgement, case: Case) -> Limit | None:
    """What limits the server; None where no query was at work, or nobody counted them."""
    time = judgement.time
    if time is None:
        return None
    use = processors_use(case)
    short = use is not None and use.short_for(time.running.value)
    shares = [each for each in time.longest if short or each[0] is not Wait.PROCESSORS]
    waits = sorted(shares, key=lambda each: each[1].low < STANDS_OUT)
    computing = None if short else time.share(Wait.PROCESSORS)
    other, facts = other_engine(case), Facts(FactSource(case))
    one = one_thread(case, time.running.value)
    applies = not one and applier_is_busy(case)
    at_work = bool(one) or applies or _loaded(time.running.value, use) or _full(waits, case)
    memory = _short_of_memory(judgement.recommendations, facts)
    near = not waits or may_limit(waits[0][0], time, judgement, case, facts)
    kind = _kind(
        time,
        waits,
        computing,
        memory=memory,
        quiet=not at_work,
        near=near,
        other=other is not None,
    )
    wait = waits[0][0] if waits and kind in {LimitKind.WAIT, LimitKind.PERHAPS} else None
    return Limit(
        kind,
        time,
        wait,
        tuple(waits),
        computing,
        one=one,
        applies=applies,
        other=other,
        scans=scans(case),
        use=use,
        short_of_memory=memory,
        asks_others=asks_others(case),
        stops_others=stops_others(case),
        opens_tables=bool(_speaking(judgement, OF_TABLES)),
        open_s=long_open_s(facts) if kind is LimitKind.ELSEWHERE else None,
        filling=filling(facts) if wait is Wait.PAGE_READS else None,
    )


def _kind(
    time: QueryTime,
    waits: list[Share],
    computing: Range | None,
    *,
    memory: bool,
    quiet: bool,
    near: bool,
    other: bool,
) -> LimitKind:
    wait, share = waits[0] if waits else (None, Range.exact(0.0))
    timed = not time.untimed
    unseen = timed and 1 - time.explained.high >= MOST
    computes = computing is not None and computing.value >= MOST
    # What was not timed has what is left, and that is too little to limit anything.
    mostly = computing is not None and computing.low >= 1 - STANDS_OUT
    found = (
        (quiet and memory, LimitKind.MEMORY),
        (quiet, LimitKind.LITTLE),
        (other and share.low < STANDS_OUT, LimitKind.OTHER_ENGINE),
        (unseen and not memory, LimitKind.ELSEWHERE),
        (memory and wait is Wait.MEMORY, LimitKind.MEMORY),
        (share.low >= STANDS_OUT and not untimed_may_be_longer(time, waits), LimitKind.WAIT),
        (memory, LimitKind.MEMORY),
        (near and wait is not None and _may_stand_out(time, wait), LimitKind.PERHAPS),
        (not timed and not mostly, LimitKind.OPEN),
        (computes, LimitKind.COMPUTING),
        (time.explained.value < EXPLAINED, LimitKind.ELSEWHERE),
    )
    return next((kind for holds, kind in found if holds), LimitKind.NOTHING)


def _may_stand_out(time: QueryTime, wait: Wait) -> bool:
    return time.on_average(wait).high >= STANDS_OUT


def untimed_may_be_longer(time: QueryTime, waits: Sequence[Share]) -> bool:
    """Whether what was not timed may take more than the first of these waits surely does."""
    least = waits[0][1].low if waits else 0.0
    return bool(time.untimed) and 1 - time.explained.low > least


RIVALS = 0.1
"""A rest in no wait that was timed which is less of query time is not named (our choice)."""


def rest_rivals(limit: Limit) -> bool:
    """Whether as much is in none of the waits as what is named surely takes, and is not said.

    That is the longest of the waits where none of them limits. Where memory is short, swapping may
    be all of it, unless statements scan.
    """
    known = {LimitKind.ELSEWHERE, LimitKind.LITTLE, LimitKind.OTHER_ENGINE}
    if limit.kind in known:
        return False
    if limit.kind is LimitKind.MEMORY and not limit.scans:
        return False
    if limit.wait is None or not limit.waits:
        return limit.time.hides_most
    return limit.time.hidden >= max(RIVALS, limit.waits[0][1].low)


def _loaded(running: float, use: ProcessorsUse | None) -> bool:
    """Whether these queries at work are a load of the machine."""
    hardly = use is not None and use.share is not None and use.share < UNUSED
    return running >= (FEW if hardly else LOADED)


def _full(waits: list[Share], case: Case) -> bool:
    """Whether what few queries wait for longest is in use all the same: one may fill it.

    Processors are among the waits only where they are short.
    """
    wait = waits[0][0] if waits else None
    return wait is Wait.PROCESSORS or (wait in OF_DRIVE and drive_is_busy(case))


def _short_of_memory(judged: Iterable[Recommendation], facts: Facts) -> bool:
    """Whether a risk is that memory runs out: then nothing else matters before that.

    A sum of what could be taken once says little of now while much is available.
    """
    room = has_room(facts)
    return any(not (room and one.confidence is Confidence.LOW) for one in memory_risks(judged))


def shortened(judgement: Judgement, wait: Wait) -> list[Recommendation]:
    """The lines of the lists that say how a wait becomes shorter; none where no rule knows.

    What takes off next to nothing of query time is none of them.
    """
    return [
        one
        for one in judgement.recommendations
        if part_of(one) in {Part.RISK, Part.CHANGE, Part.WATCH}
        and any(each.wait is wait and _felt(judgement.time, each) for each in one.relieves)
    ]


def relieving(judgement: Judgement, wait: Wait) -> list[Recommendation]:
    """Those changes among them that save so much of query time that they relieve what limits."""
    return [
        one
        for one in shortened(judgement, wait)
        if one.verdict is Verdict.RECOMMEND
        and any(each.wait is wait and _gain(judgement, each) >= RELIEVES for each in one.relieves)
    ]


def without_rule(judgement: Judgement, limit: Limit) -> bool:
    """Whether something is named on which the lists have no line."""
    if limit.wait is None:
        return limit.named and not may_shorten(judgement, limit)
    return not (shortened(judgement, limit.wait) or may_shorten(judgement, limit))


def may_shorten(judgement: Judgement, limit: Limit) -> list[str]:
    """The rules that may shorten what is named, by how much nobody can tell.

    Who waits for a thread whose processor the host withholds does not wait for too many others.
    """
    withheld = limit.use is not None and limit.use.withheld is not None
    if withheld or limit.scans:
        return []
    if limit.kind is LimitKind.ELSEWHERE or limit.half_known:
        asked = (*(() if limit.one else OF_LATCHES), *OF_TABLES)
    elif limit.wait is Wait.PROCESSORS or limit.kind is LimitKind.COMPUTING:
        asked = OF_VERSIONS
    else:
        asked = ()
    return _speaking(judgement, asked)


def _speaking(judgement: Judgement, rules: Sequence[str]) -> list[str]:
    """Which of these say something; what another has the cause of stands in that one's line."""
    found = {
        one.rule
        for one in judgement.recommendations
        if one.verdict is not Verdict.FINE and not one.cause
    }
    return [rule for rule in rules if rule in found]


def _felt(time: QueryTime | None, relief: Relief) -> bool:
    gain = None if time is None else time.gain([relief])
    return gain is None or gain.high >= FLOOR


def _gain(judgement: Judgement, relief: Relief) -> float:
    gain = None if judgement.time is None else judgement.time.gain([relief])
    return 0.0 if gain is None else gain.value
