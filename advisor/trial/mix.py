"""Time per statement at equal mix, and how far two mixes lie apart."""

from __future__ import annotations

from collections.abc import Mapping

from probes.trial.work import StatementWork

FEWEST = 20
"""A kind of statement with fewer in one of two stretches is counted with the rest (our choice)."""

MOST_APART = 0.25
"""A quarter of the statements are of other kinds: then it was other work (our choice)."""

_REST = "rest"


def at_equal_mix(
    old: Mapping[str, StatementWork], new: Mapping[str, StatementWork]
) -> tuple[float, float] | None:
    """What a statement takes in both, in microseconds, had each the mix of both together.

    None where one of them had too few statements.
    """
    old, new = _gathered(old, new), _gathered(new, old)
    names = [name for name in old if min(old[name].count, new[name].count) > 0]
    whole = sum(old[name].count + new[name].count for name in names)
    if not names or min(_count(old), _count(new)) < FEWEST:
        return None
    times = tuple(
        sum(
            (old[name].count + new[name].count) / whole * side[name].seconds / side[name].count
            for name in names
        )
        for side in (old, new)
    )
    return (times[0] * 1e6, times[1] * 1e6) if min(times) > 0 else None


def apart(one: Mapping[str, StatementWork], other: Mapping[str, StatementWork]) -> float:
    """The share of statements that would have to be of another kind: 0 where mixes are equal."""
    counts = max(1.0, _count(one)), max(1.0, _count(other))
    nothing = StatementWork(0.0, 0.0)
    return 0.5 * sum(
        abs(one.get(name, nothing).count / counts[0] - other.get(name, nothing).count / counts[1])
        for name in {*one, *other}
    )


def mean_us(work: Mapping[str, StatementWork]) -> float:
    """What a statement took on average, in microseconds; 0 where there was none."""
    count = _count(work)
    return sum(each.seconds for each in work.values()) / count * 1e6 if count else 0.0


def _count(work: Mapping[str, StatementWork]) -> float:
    return sum(each.count for each in work.values())


def _gathered(
    work: Mapping[str, StatementWork], other: Mapping[str, StatementWork]
) -> dict[str, StatementWork]:
    """Kinds that are rare in one of both, counted as one."""
    found: dict[str, StatementWork] = {}
    nothing = StatementWork(0.0, 0.0)
    for name in {*work, *other}:
        mine, theirs = work.get(name, nothing), other.get(name, nothing)
        kind = name if min(mine.count, theirs.count) >= FEWEST else _REST
        before = found.get(kind, nothing)
        found[kind] = StatementWork(before.count + mine.count, before.seconds + mine.seconds)
    return found
