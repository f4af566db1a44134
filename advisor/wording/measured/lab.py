"""Words for what came of a lab."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from advisor.lab.costs import Cost, CostChange
from advisor.lab.like import NEAR, Nearness
from advisor.lab.outcome import Effect, Level, Outcome, WorkVerdict
from advisor.lab.record import LabEnd, Record
from advisor.wording.measured.lab_plan import PlanRows, at_its_size, load_words
from probes.figures import UNKNOWN, counted, duration_us, listed, percent, seconds, size, under_way
from probes.statistics.ranges import Range

MINUS = "\N{MINUS SIGN}"

NOT_EXACT = 0.05
"""From here on a share has no tenth of a per cent."""

SHOWN_CHANGES = 3
"""The reasons that are named: the largest."""

_NAMES: Mapping[Cost, str] = {
    Cost.PAGE_READS: "page reads",
    Cost.PAGE_WRITES: "page writes",
    Cost.WRITTEN: "written",
    Cost.LOG: "of log",
    Cost.SYNCS: "syncs",
    Cost.LOG_WAITS: "waits for the log buffer",
    Cost.FREE_WAITS: "waits for a free page",
    Cost.ROW_LOCK_WAITS: "waits for a row lock",
    Cost.CPU_USER: "of CPU in the server",
    Cost.CPU_KERNEL: "of CPU in the kernel",
}
_ENDED: Mapping[LabEnd, str] = {
    LabEnd.DECIDED: "everything that was asked is decided",
    LabEnd.HOPELESS: "the rest of the time would hardly have decided what is open",
    LabEnd.BUDGET: "with its time",
}
_BYTES = frozenset({Cost.WRITTEN, Cost.LOG})
_TIMES = frozenset({Cost.CPU_USER, Cost.CPU_KERNEL})


def short_names(record: Record) -> tuple[str, dict[str, str]]:
    """What all variants have in common of their names, and each one's own: ``pool``, ``64M``."""
    names = [each.name for each in record.asked.variants]
    options = {name.partition(" = ")[0] for name in names if name.count(" = ") == 1}
    if len(options) == 1 and all(name.count(" = ") == 1 for name in names):
        return options.pop(), {name: name.partition(" = ")[2] for name in names}
    return "", {name: name for name in names}


def headline(record: Record, outcome: Outcome) -> str:
    """What matters first: the best variant, by how much, and whether that is decided."""
    found = [_of_level(record, level) for level in outcome.levels if level.effects]
    if not found:
        return "Nothing can be said: no two variants worked beside each other."
    return " ".join(found)


def _of_level(record: Record, level: Level) -> str:
    base = record.asked.base.name
    at = f"With {counted(level.connections, 'connection')}"
    better = [each for each in level.effects if each.verdict is WorkVerdict.FASTER]
    if better:
        winner = max(better, key=lambda each: each.per_s)
        others = [name for name in level.best if name != winner.variant]
        beside = f" {listed(others, 'or')} may be as good." if others else ""
        return f"{at}, {winner.variant} does {difference(winner.times)} than {base}.{beside}"
    if all(each.verdict is WorkVerdict.SLOWER for each in level.effects):
        others = [f"{each.variant} does {difference(each.times)}" for each in level.effects]
        return f"{at}, {base} is the fastest: {listed(others)}."
    if any(each.verdict is WorkVerdict.OPEN for each in level.effects):
        unsure = [each for each in level.effects if each.verdict is WorkVerdict.OPEN]
        each_of = [f"{each.variant} does {difference(each.times)}" for each in unsure]
        return f"{at}, it is not decided: against {base}, {listed(each_of)}."
    alike = [f"{each.variant} does {difference(each.times)}" for each in level.effects]
    return f"{at}, it makes no difference that is worth it: against {base}, {listed(alike)}."


def difference(times: Range | None) -> str:
    """``19 % more (16 to 22 %)``, ``1 % less (4 % less to 2 % more)``: what a ratio means."""
    if times is None:
        return "more or less, nobody can tell"
    value, low, high = (each - 1 for each in (times.value, times.low, times.high))
    if low > 0:
        return f"{_more(value)} ({_share(low)} to {_share(high)})"
    if high < 0:
        return f"{_more(value)} ({_share(high)} to {_share(low)})"
    same = _share(value) == percent(0.0)
    return f"{'the same' if same else _more(value)} ({_more(low)} to {_more(high)})"


def forecast_rows(forecasts: Mapping[str, Range]) -> PlanRows:
    """What the model expects of each variant, from the watch that the load is like."""
    if not forecasts:
        return ()
    each = [f"{name} {difference(times)}" for name, times in forecasts.items()]
    return (("Forecast", f"from the watch: {listed(each)}."),)


def signed(times: Range) -> str:
    """``+19 % (+16 % to +22 %)``: the same for a table."""
    value, low, high = (
        f"{'+' if each >= 1 else MINUS}{_share(each - 1)}"
        for each in (times.value, times.low, times.high)
    )
    return f"{value} ({low} to {high})"


def _more(share: float) -> str:
    return f"{_share(share)} {'more' if share >= 0 else 'less'}"


def _share(share: float) -> str:
    """A tenth of a per cent is noise from five per cent on."""
    return percent(round(abs(share), 2 if abs(share) >= NOT_EXACT else 3))


def verdict(effect: Effect) -> str:
    """What is known of a variant, in a word."""
    return {
        WorkVerdict.FASTER: "faster",
        WorkVerdict.SLOWER: "slower",
        WorkVerdict.ALIKE: "no difference",
        WorkVerdict.OPEN: "not decided",
    }[effect.verdict]


def amount(cost: Cost, per_transaction: float) -> str:
    """``12.4 KiB``, ``0.43``, ``310 µs``: a cost of one transaction."""
    if cost in _BYTES:
        return size(round(per_transaction))
    return duration_us(per_transaction) if cost in _TIMES else under_way(per_transaction)


def cost_name(cost: Cost) -> str:
    """What is counted, as it stands behind its figure."""
    return _NAMES[cost]


def reasons(effect: Effect) -> str:
    """What a transaction takes otherwise; "" where nothing that is counted explains it."""
    named = [_change(each) for each in effect.changes[:SHOWN_CHANGES]]
    return f"A transaction with {effect.variant} takes {listed(named)}." if named else ""


def _change(change: CostChange) -> str:
    now, before = (amount(change.cost, each) for each in (change.variant, change.base))
    return f"{now} {cost_name(change.cost)} instead of {before}"


def resolution(level: Level) -> str:
    """How small a difference the lab could see, from two equal servers."""
    if level.resolution is None:
        return "How small a difference this lab can see is not known: there were too few rounds."
    twins = f" Of two equal servers one did {difference(level.twin)}." if level.twin else ""
    return f"This lab sees differences from {_share(level.resolution)} on.{twins}"


def conditions(record: Record, outcome: Outcome) -> Iterator[tuple[str, str]]:
    """How it was measured, as rows."""
    asked = record.asked
    if record.servers:
        yield "servers", listed(list(dict.fromkeys(record.servers.values())))
    yield "load", load_words(record.load, asked.data_from)
    yield "buffer pool", size(asked.pool_bytes)
    yield (
        "measured",
        f"{counted(outcome.rounds, 'round')} over {counted(outcome.starts, 'start')} of all "
        f"servers, in turns of {seconds(asked.turn_s)}",
    )
    if record.ended is not None:
        yield "ended", _ENDED[record.ended]
    for name, share in record.filling.items():
        yield "not warm", f"{name}: its pool was still filling, {percent(share)} full"
    for name, because in record.dropped.items():
        yield "left out", f"{name}: {because}"


_PER_QUERY: Mapping[str, str] = {
    "changes": "changes rows",
    "commits": "commits",
    "page_reads": "page reads",
    "page_writes": "page writes",
    "log_bytes": "redo log",
    "time_us": "time at work",
    "at_work": "queries at work at a time",
    "p95_us": "p95 of a transaction",
}


def likeness(record: Record, found: Sequence[Nearness]) -> str:
    """How near the load is to the watched one, on the whole."""
    source = record.asked.like.source if record.asked.like else ""
    far = [_PER_QUERY[each.name] for each in found if each.near is False]
    whole = f"A load like that of {source}{at_its_size(record.asked)}"
    if far:
        return f"{whole}; not near enough in {listed(far)}"
    return f"{whole}, within {percent(NEAR)} in all that is known of both"


def per_query_name(name: str) -> str:
    """A figure of what a query takes, as a table names it."""
    return _PER_QUERY[name]


def per_query(name: str, value: float | None) -> str:
    """A figure of what a query takes."""
    if value is None:
        return UNKNOWN
    if name == "log_bytes":
        return size(round(value))
    if name.endswith("_us"):
        return duration_us(value)
    return percent(value) if name == "changes" else under_way(value)


def nearness(found: Nearness) -> str:
    """By how much the lab's figure is off: ``near (+4 %)``."""
    if found.near is None:
        return "not known"
    if found.times is None or (found.near and not found.watch):
        return "near" if found.near else "far"
    off = found.times - 1
    return f"{'near' if found.near else 'far'} ({'+' if off >= 0 else MINUS}{_share(off)})"
