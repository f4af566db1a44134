"""Taking lines out: what the rules on lines share."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.facts.server.option_files import FileLine, OptionLine, one_blank
from advisor.steps import Change, Needs, RemoveLine
from probes import figures

AT_MOST = 6
"""At most this many lines are named in a sentence; the steps name all."""

WORDS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")


def named(lines: Sequence[OptionLine]) -> str:
    """Name lines in a sentence: ``innodb_a = 1, innodb_b = 2 and 3 more``."""
    return _listed([str(line) for line in lines])


def all_named(lines: Sequence[OptionLine]) -> str:
    """Name every line in a sentence, however many: where each one matters and no step names it."""
    return figures.listed([str(line) for line in lines])


def placed(lines: Sequence[FileLine]) -> str:
    """Name lines of option files with their places: ``innodb_a = 1 (/etc/my.cnf, line 3)``."""
    return _listed([f"{one_blank(line.text)} ({line.place})" for line in lines])


def _listed(texts: Sequence[str]) -> str:
    if len(texts) > AT_MOST:
        return f"{', '.join(texts[:AT_MOST])} and {len(texts) - AT_MOST} more"
    return figures.listed(texts)


def opening(lines: Sequence[object], what: str = "line") -> str:
    """Say how many at the start of a sentence: ``Three lines``, ``In all, 14 lines``."""
    number = WORDS[len(lines)] if len(lines) < len(WORDS) else f"In all, {len(lines)}"
    return f"{number} {what}{'' if len(lines) == 1 else 's'}"


def checked(lines: Sequence[object]) -> str:
    """Say how many were checked: ``1 line checked``."""
    return f"{figures.counted(len(lines), 'line')} checked"


def them(lines: Sequence[object]) -> str:
    """Refer to lines that were named: ``it`` or ``them``."""
    return "it" if len(lines) == 1 else "them"


def removal(lines: Sequence[OptionLine], needs: Needs) -> Change:
    """Make the steps that take lines out; ``needs`` is what it takes to notice.

    A line goes with those before it that set the same: they would apply again without it.
    """
    return Change(
        proposed=f"without {', '.join(line.name for line in lines)}",
        needs=needs,
        steps=tuple(RemoveLine.of(each, needs) for line in lines for each in (*line.earlier, line)),
    )
