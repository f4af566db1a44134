"""What limits a server now, in a sentence; what its drive gives, where no query was at work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from advisor.case import Case
from advisor.gain import FLOOR, HELD_UP, STANDS_OUT, VolumeLimit, Wait
from advisor.judging.drive_aside import ceilings
from advisor.judging.limit import (
    EXPLAINED,
    RELIEVES,
    Limit,
    LimitKind,
    Share,
    limit_of,
    may_shorten,
    relieving,
    rest_rivals,
    shortened,
    untimed_may_be_longer,
)
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.ranking import is_wide
from advisor.wording.advice.elsewhere import (
    hidden,
    is_elsewhere,
    more_appliers,
    of_drive,
    unanswered,
)
from advisor.wording.advice.gains import (
    gain_of,
    is_vague,
    next_waits,
    of_time,
    part_text,
    share_text,
    untimed,
)
from advisor.wording.advice.waits import SPENT, WAITS, remedy, still_filling, takes
from advisor.wording.measured.summary import sentences
from probes.figures import percent
from probes.kinds.words import capital
from probes.statistics.ranges import Range

MEMORY_FIRST = "memory comes first, as the risks say"

_LIMITS = {
    VolumeLimit.REQUESTS: "the volume's limit on requests",
    VolumeLimit.BYTES: "the volume's limit on bytes",
    VolumeLimit.MACHINE: "the machine's limit on its volumes",
    VolumeLimit.CLASS: "the class's limit on its volume",
}


def limiting(judgement: Judgement, case: Case) -> str:
    """The station where queries spend most of their time; without a load, what the drive gives."""
    limit = limit_of(judgement, case)
    if limit is None:
        return _unloaded(case)
    at_work = "" if _head_counts(limit) else _at_work(limit)
    clauses = (*_first_of(limit), *_more_of(limit, judgement, case), at_work)
    return f"{capital('; '.join(filter(None, clauses)))}."


def limit_and_more(judgement: Judgement, case: Case) -> tuple[str, str]:
    """What limits, its figure first, and all that goes with it ("" where nothing does).

    How many queries are at work stands with when they were seen.
    """
    limit = limit_of(judgement, case)
    if limit is None:
        return _unloaded(case), ""
    front, rest = _in_front(limit)
    firsts = (front, _memory_first(limit)) if front else _first_of(limit)
    head = "; ".join(filter(None, firsts))
    more = "; ".join(filter(None, (rest, *_more_of(limit, judgement, case))))
    return f"{capital(head)}.", f"{capital(more)}." if more else ""


def _in_front(limit: Limit) -> tuple[str, str]:
    """The share of query time and what it goes to, then what is beside it; "" where none fits."""
    plain = not (_is_of_one(limit) or limit.stops_others or limit.applies)
    if not plain or limit.filling is not None:
        return "", ""
    if limit.kind in {LimitKind.WAIT, LimitKind.PERHAPS} and limit.waits:
        (wait, share), *others = limit.waits
        beside = _mostly(limit) if limit.computes else ""
        rest = f"{beside}{next_waits(others)}".removeprefix(", ")
        if rest.startswith("then "):
            rest = f"next: {rest.removeprefix('then ')}"
        return f"{of_time(share)} goes to {WAITS[wait]}", rest
    explained = limit.time.explained.value >= EXPLAINED
    if limit.kind is LimitKind.COMPUTING and limit.computing and explained and not limit.half_known:
        computing = f"{share_text(limit.computing)} of query time is computing"
        return f"{computing}: {_nothing(limit)}", _use(limit)
    return "", ""


def _first_of(limit: Limit) -> tuple[str, str]:
    filling = "" if limit.filling is None else still_filling(limit.filling)
    head = "; ".join(filter(None, (_stopping(limit), filling, _applying(limit), _head(limit))))
    return head, _memory_first(limit)


def _more_of(limit: Limit, judgement: Judgement, case: Case) -> tuple[str, ...]:
    return (
        hidden(limit),
        f"statements scan: {limit.scans}" if limit.scans else "",
        of_drive(judgement, case, limit),
        _on_processors(limit),
        _in_turn(limit),
        _locked(limit),
        unanswered(judgement, limit, case),
        more_appliers(limit, case),
        _eased(judgement, limit, case),
        _ceiling(judgement, limit),
        _behind(limit),
        _left_out(limit),
    )


def limiting_first(limit: Limit) -> str:
    """What limits, alone, as a part of a sentence: the page for whoever decides has room for it."""
    if limit.stops_others:
        return _stopping(limit)
    if limit.filling is not None:
        return still_filling(limit.filling)
    if limit.applies:
        return _applying(limit)
    if limit.wait is None or _is_of_one(limit) or limit.computes:
        return _head(limit)
    return _spent(limit)


def _spent(limit: Limit) -> str:
    """What queries spend most of their time on, and what comes next where that is known."""
    (wait, share), *others = limit.waits
    perhaps = "may " if limit.kind is LimitKind.PERHAPS else ""
    longest = f"queries {perhaps}spend {part_text(share)} of their time {SPENT[wait]}"
    after = [f"{share_text(part)} {SPENT[other]}" for other, part in others if not is_vague(part)]
    return ", then ".join((longest, *after[:1]))


def _at_work(limit: Limit) -> str:
    return f"{limit.time.running.value:.1f} queries at work"


def _unloaded(case: Case) -> str:
    unwatched = replace(case, inventory=replace(case.inventory, watched=None))
    drive = sentences(unwatched)[0] if case.points else ""
    idle = "" if case.inventory.watched is None else "No query was at work while it was watched."
    return f"{idle} {drive}".strip() or sentences(case)[0]


def _head(limit: Limit) -> str:
    """What limits, may limit, or does not, as far as the waits that were timed can tell."""
    if _is_of_one(limit):
        return f"one {limit.one} does the work: {_of_one(limit)}"
    unknown = untimed(limit.time)
    match limit.kind:
        case LimitKind.WAIT | LimitKind.PERHAPS:
            how = "now" if limit.kind is LimitKind.WAIT else "perhaps"
            others = f"{'else ' if limit.applies else ''}limited {how} by {_longest(limit.waits)}"
            sentence = _used_a_lot(limit) or _beside_computing(limit) or others
        case LimitKind.MEMORY:
            sentence = f"{MEMORY_FIRST}{'' if rest_rivals(limit) else _taken(limit, '; ')}"
        case LimitKind.OPEN:
            sentence = f"what limits the server is open: {unknown}{_taken(limit, ', and ')}"
        case LimitKind.OTHER_ENGINE:
            asks = "" if limit.other is None else limit.other.asks
            sentence = f"the load is not InnoDB's: {asks}"
        case LimitKind.COMPUTING:
            nothing = limit.time.explained.value >= EXPLAINED
            what = f"{_nothing(limit)}: " if nothing else ""
            sentence = f"{what}{_half_known(limit) or _mostly(limit)}"
        case LimitKind.ELSEWHERE:
            part = f"{percent(limit.time.hidden)} of the time of {_at_work(limit)}"
            sentence = f"{part} {is_elsewhere(limit)}"
        case LimitKind.LITTLE:
            sentence = f"the server has little to do: {_at_work(limit)}{_most(limit, ', and ')}"
        case LimitKind.NOTHING:
            sentence = f"{_nothing(limit)}{_most(limit, ': ')}"
    return sentence


def _stopping(limit: Limit) -> str:
    """That the server holds up its cluster, whatever its own queries wait for."""
    if not limit.stops_others:
        return ""
    return f"this node stops the cluster's commits for {percent(limit.stops_others)} of the time"


def _applying(limit: Limit) -> str:
    """That all which a replica applies waits for one thread, whatever other queries wait for."""
    if not limit.applies:
        return ""
    return "one applier is busy all the time, so its speed is the replica's"


def _nothing(limit: Limit) -> str:
    else_ = "else " if limit.stops_others or limit.applies else ""
    return f"nothing {else_}limits the server now"


def _is_of_one(limit: Limit) -> bool:
    """Whether the head mentions the single thread that does the work."""
    whole = (
        limit.kind in {LimitKind.MEMORY, LimitKind.OTHER_ENGINE} or limit.wait is Wait.PROCESSORS
    )
    return bool(limit.one) and not whole


def _head_counts(limit: Limit) -> bool:
    """Whether the head says how many queries are at work."""
    return limit.kind in {LimitKind.ELSEWHERE, LimitKind.LITTLE} and not _is_of_one(limit)


def _of_one(limit: Limit) -> str:
    """The same of a single thread: what limits it is how long each step takes."""
    match limit.kind:
        case LimitKind.OPEN:
            return f"what limits it is open: {untimed(limit.time)}{_taken(limit, ', and ')}"
        case LimitKind.COMPUTING:
            return f"it mostly computes ({_computing(limit, 'its')}), so its speed is the limit"
        case LimitKind.ELSEWHERE:
            return f"{percent(limit.time.hidden)} of its time {is_elsewhere(limit)}"
        case LimitKind.WAIT | LimitKind.PERHAPS:
            perhaps = "perhaps " if limit.kind is LimitKind.PERHAPS else ""
            return f"{perhaps}{_taken(limit, '')}"
        case _:
            return f"no wait of it stands out{_most(limit, ', ')}"


def _used_a_lot(limit: Limit) -> str:
    """How far processors are used that are named and have no queue; "" where others limit."""
    use = limit.use if limit.wait is Wait.PROCESSORS else None
    if use is None or use.share is None or not use.room:
        return ""
    (_, share), *others = limit.waits
    return f"processors are used to {percent(use.share)}: {of_time(share)}{next_waits(others)}"


def _mostly(limit: Limit) -> str:
    return f"queries mostly compute ({_computing(limit, 'their')})"


def _beside_computing(limit: Limit) -> str:
    """The wait that is named as the part of query time that it is; "" where it is the limit."""
    return f"{_mostly(limit)}{_taken(limit, ', and ')}" if limit.computes else ""


def _half_known(limit: Limit) -> str:
    """That queries compute, and that much of the rest nobody timed; "" where that is little."""
    if limit.computing is None or not limit.half_known:
        return ""
    share, use = share_text(limit.computing), f" ({_use(limit)})" if limit.use else ""
    rest = f"{percent(limit.time.hidden)} of it {is_elsewhere(limit)}"
    return f"queries compute {share} of the time{use}, and {rest}"


def _longest(waits: Sequence[Share]) -> str:
    wait, share = waits[0]
    return f"{WAITS[wait]}: {of_time(share)}{next_waits(waits[1:])}"


def _most(limit: Limit, joint: str) -> str:
    """What takes most where nothing takes much; "" where that is next to nothing."""
    shares = sorted(limit.time.longest, key=lambda each: each[1].low < STANDS_OUT)
    if not shares:
        return ""
    wait, share = shares[0]
    most = " of what was timed" if untimed(limit.time) else ""
    return (
        f"{joint}{WAITS[wait]} {takes(wait)} most{most}, {of_time(share)}{next_waits(shares[1:])}"
    )


def _taken(limit: Limit, joint: str) -> str:
    if not limit.waits:
        return ""
    wait, share = limit.waits[0]
    return f"{joint}{WAITS[wait]} {takes(wait)} {of_time(share)}{next_waits(limit.waits[1:])}"


def _computing(limit: Limit, whose: str) -> str:
    share = limit.computing or Range.exact(0.0)
    use = f"; {_use(limit)}" if limit.use else ""
    return f"{share_text(share)} of {whose} time{use}"


def _use(limit: Limit) -> str:
    """How far processors are used; "" where nobody watched them."""
    return "" if limit.use is None else f"{limit.use.text}{limit.use.queue_text}"


def _behind(limit: Limit) -> str:
    """The longest wait, where the head names none."""
    behind = limit.kind in {LimitKind.COMPUTING, LimitKind.ELSEWHERE}
    behind |= limit.kind is LimitKind.MEMORY and rest_rivals(limit)
    return _taken(limit, "") if behind else ""


def _on_processors(limit: Limit) -> str:
    """How far processors are used, where they limit or where queries compute beside their waits."""
    if limit.wait is Wait.PROCESSORS:
        return _use(limit)
    if limit.kind is LimitKind.ELSEWHERE and limit.use is not None and limit.use.withheld:
        return limit.use.text
    shown = {LimitKind.WAIT, LimitKind.PERHAPS, LimitKind.OPEN, LimitKind.ELSEWHERE}
    if limit.computes:
        return ""
    least = FLOOR if limit.one else STANDS_OUT
    if limit.kind not in shown or limit.computing is None or limit.computing.value < least:
        return ""
    who = "it computes" if limit.one else "queries compute"
    return f"{who} {share_text(limit.computing)} of the time"


def _memory_first(limit: Limit) -> str:
    """That memory which runs out comes before the wait that is named."""
    named = limit.kind in {LimitKind.WAIT, LimitKind.PERHAPS}
    return f"all the same {MEMORY_FIRST}" if named and limit.short_of_memory else ""


def _eased(judgement: Judgement, limit: Limit, case: Case) -> str:
    """Which change needs less of the processors that limit: its name does not say so."""
    if limit.wait is not Wait.PROCESSORS:
        return ""
    if first := _first_setting(relieving(judgement, limit.wait)):
        return f"the proposed {first.setting} relieves them"
    first = _first_setting(shortened(judgement, limit.wait))
    if first is None:
        return ""
    if first.gain is None or is_wide(first.gain):
        return f"the proposed {first.setting} may relieve them"
    part = "little" if first.gain.value < RELIEVES else "some"
    saved = f"the proposed {first.setting} saves {part} of it ({gain_of(first)})"
    more = "" if may_shorten(judgement, limit) else f"; {remedy(limit, case)} save more"
    return f"{saved}{more}"


def _first_setting(found: Iterable[Recommendation]) -> Recommendation | None:
    """The first that changes a setting."""
    asked = (one for one in found if one.verdict is Verdict.RECOMMEND and one.setting)
    return next(asked, None)


def _in_turn(limit: Limit) -> str:
    """That syncs of commits wait in turn, where these don't share them."""
    busy = limit.time.log_busy
    if not busy or limit.wait is not Wait.COMMITS:
        return ""
    return f"hardly any commits share a sync, and one follows the other {percent(busy)} of the time"


def _locked(limit: Limit) -> str:
    """That rows stay locked while their commit is synced, where that is most of it."""
    share = limit.time.locked
    if not share or limit.wait is not Wait.ROW_LOCKS:
        return ""
    return (
        f"rows stay locked until their commit is synced, some {percent(share)} of that time: "
        "cheaper syncs free them, as does the contended row last in its transaction"
    )


def _left_out(limit: Limit) -> str:
    """What was not timed, where it may take more than the wait that is named and is not said."""
    longer = untimed_may_be_longer(limit.time, limit.waits)
    # The head of an open limit names what was not timed.
    shown = limit.kind in {LimitKind.LITTLE, LimitKind.OTHER_ENGINE, LimitKind.OPEN}
    return untimed(limit.time) if longer and not shown else ""


def _ceiling(judgement: Judgement, limit: Limit) -> str:
    """How far a limit of the volume is used that stands behind the wait; "" where none does.

    It says so as well where the waits that it makes longer were not timed.
    """
    longest = {limit.wait, *(wait for wait, _ in limit.time.longest[:1])}
    used = {volume_limit: min(1.0, one.used) for volume_limit, one in ceilings(judgement)}
    timed = any(each in limit.time.waits for each in HELD_UP)
    if not any(used.values()) or (timed and longest.isdisjoint(HELD_UP)):
        return ""
    most = max(used, key=lambda each: used[each])
    return f"{percent(used[most])} of {_LIMITS[most]} is used"
