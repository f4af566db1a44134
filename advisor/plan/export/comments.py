"""What is written at the head of an export and between its lines, as comments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from advisor.plan.change_plan import GROUP_TITLES, YOURS, ChangePlan, Group
from advisor.steps import Procedure

LONGEST_COMMENT_BYTES = 1000
"""Of a comment without its mark: a quarter of what MariaDB reads of an option file at once."""

LINE = 100
"""Columns that a comment takes: it is read in terminals and editors."""


def plain_line(text: str) -> str:
    """Foreign text as one line of printable characters alone, so that it can't end a comment."""
    return "".join(char if char.isprintable() else " " for char in text).strip()


def subject(plan: ChangePlan) -> str:
    """Which server on which target the plan is for."""
    server = "" if plan.version is None else f" ({plan.version})"
    return plain_line(f"{plan.target}{server}")


def headline(plan: ChangePlan) -> tuple[str, ...]:
    """What the plan is, and for whom."""
    return plan.about or (f"Leadline: changes for {subject(plan)}",)


def commented(mark: str, sentences: Iterable[str]) -> list[str]:
    """Each sentence behind the mark that makes a comment of a line; a long one on several lines.

    A server that reads an option file piece by piece takes the rest of a longer line for an option.
    """
    return [f"{mark} {part}" for sentence in sentences for part in _parts(plain_line(sentence))]


def _parts(text: str) -> Iterator[str]:
    """The text in pieces that a comment may have, parted at a blank where there is one."""
    rest = text.encode("utf-8", "replace")
    while len(rest) > LONGEST_COMMENT_BYTES:
        piece = rest[:LONGEST_COMMENT_BYTES].decode("utf-8", "ignore")
        blank = piece.rfind(" ", len(piece) // 2)
        piece = piece if blank < 0 else piece[:blank]
        yield piece
        rest = rest[len(piece.encode()) :].lstrip(b" ")
    yield rest.decode()


def wrapped(mark: str, sentences: Iterable[str]) -> list[str]:
    """Sentences without statements, as comments on as many lines as they take.

    Whoever copies a line that was broken where it is shown would have its end without the mark.
    """
    room = LINE - len(mark) - 1
    lines = (
        line
        for sentence in sentences
        for line in wrap(plain_line(sentence), room, break_long_words=False, break_on_hyphens=False)
    )
    return commented(mark, lines)


def left_out(plan: ChangePlan) -> Iterator[str]:
    """What the plan does not hold, each with its reason."""
    for one in plan.left_out:
        yield f"Left out: {one.what} ({one.rule}). {one.because}"


def offers(plan: ChangePlan) -> Iterator[str]:
    """What the plan holds once it is asked for."""
    for offer in plan.offered:
        yield f"{YOURS}: {offer.what}."


def afterwards(plan: ChangePlan) -> Iterator[str]:
    """What is looked at once the changes are done."""
    for action in plan.of(Group.LOOK):
        if isinstance(action.step, Procedure):
            yield f"{GROUP_TITLES[Group.LOOK]}: {' '.join(action.step.steps)}"


def joined(lines: Iterable[str]) -> str:
    """The lines as the text of a file."""
    return "\n".join(lines) + "\n"
