"""Who ties with whom: contenders in groups that intervals tell apart, not point estimates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from advisor.compare.ratio import Ratio
from probes.figures import listed, times


@dataclass(frozen=True, slots=True)
class RankGroup:
    """Contenders that can't be distinguished from the first of them, the best first.

    ``members`` are indices. ``behind`` is how many times better the best of all is than the best of
    these; None for the first group.
    """

    members: tuple[int, ...]
    behind: Ratio | None = None


def grouped(ranked: Sequence[int], over: Callable[[int, int], Ratio]) -> tuple[RankGroup, ...]:
    """Groups of contenders ranked best first; ``over(a, b)`` is how many times better a is.

    Each group begins with the best that is left and takes all whose interval doesn't distinguish
    them from it, also those that come behind one that it does distinguish.
    """
    groups: list[RankGroup] = []
    left = list(ranked)
    while left:
        leader = left[0]
        members = [at for at in left if at == leader or over(leader, at).too_close]
        behind = over(ranked[0], leader) if groups else None
        groups.append(RankGroup(tuple(members), behind))
        left = [at for at in left if at not in members]
    return tuple(groups)


def standing(groups: Sequence[RankGroup], names: Sequence[str]) -> str:
    """``A and B tie, C 2.10× slower``; "" where nobody is compared."""
    if not groups:
        return ""
    first, *others = groups
    verb = "tie" if len(first.members) > 1 else "leads"
    parts = [f"{_names(first, names)} {verb}"]
    parts += [
        f"{_names(group, names)} {times(group.behind.value)} slower"
        for group in others
        if group.behind is not None
    ]
    return ", ".join(parts)


def _names(group: RankGroup, names: Sequence[str]) -> str:
    return listed([names[at] for at in group.members])
