"""Which of the judged rules the list shall show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.presenters.advice.rows import AdviceRow, plain
from app.presenters.texts.groups import RuleGroup


@dataclass(frozen=True, slots=True)
class WantedRules:
    """No groups mean all of them, no topic any; each of ``words`` must be found in a rule."""

    groups: frozenset[RuleGroup] = frozenset()
    topic: str = ""
    words: str = ""

    @property
    def narrowed(self) -> bool:
        """Whether anything could be hidden."""
        return bool(self.groups or self.topic or self.words.strip())


ALL = WantedRules()


def found(rows: Iterable[AdviceRow], wanted: WantedRules) -> list[AdviceRow]:
    """The wanted rows, in their order."""
    groups = wanted.groups or frozenset(RuleGroup)
    return [row for row in _about(rows, wanted) if row.group in groups]


def counts(rows: Iterable[AdviceRow], wanted: WantedRules) -> Counter[RuleGroup]:
    """How many rows each group has of what topic and words leave."""
    return Counter(row.group for row in _about(rows, wanted))


def topics(rows: Iterable[AdviceRow]) -> list[tuple[str, int]]:
    """Each topic by its name, with its number of rules."""
    return sorted(Counter(row.topic for row in rows if row.topic).items())


def _about(rows: Iterable[AdviceRow], wanted: WantedRules) -> Sequence[AdviceRow]:
    words = plain(wanted.words).split()
    return [
        row
        for row in rows
        if wanted.topic in ("", row.topic) and all(word in row.words for word in words)
    ]
