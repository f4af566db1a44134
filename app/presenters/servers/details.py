"""What is said of one server of the table: its limit, its risks, its changes, its differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.fleet.roles import unlike
from advisor.fleet.server_row import ServerRow
from app.runtime.translation import tr, tr_n

_MOST = 6
"""How many lines stand under a heading: the server's own pages have all."""

Section = tuple[str, str, tuple[str, ...]]
"""A heading, its tone, and the lines under it."""


def sections(row: ServerRow, rows: Sequence[ServerRow]) -> list[Section]:
    """What is said of a server among ``rows``; nothing of what there is none of."""
    differs = [_difference(*each) for each in _own_and_usual(row, rows)]
    found: tuple[tuple[str, str, Sequence[str]], ...] = (
        (tr_n("1 risk", "{n} risks", len(row.risks)), "bad", row.risks),
        (tr_n("1 change", "{n} changes", len(row.changes)), "accent", row.changes),
        (tr("Kept by trials"), "good", row.kept),
        (tr("Unlike most of {role}", role=row.role), "warn", differs),
    )
    return [(title, tone, tuple(_few(lines))) for title, tone, lines in found if lines]


def _own_and_usual(
    row: ServerRow, rows: Sequence[ServerRow]
) -> Iterator[tuple[str, str, str, int]]:
    for each in unlike(rows, row.target):
        others = len(each.values) - 1
        yield each.what, each.values[row.target] or '""', each.usual, others


def _difference(what: str, own: str, usual: str, others: int) -> str:
    if not usual:
        return tr("{what}: {own}; each has its own", what=what, own=own)
    if others == 1:
        return tr("{what}: {own}; the other has {usual}", what=what, own=own, usual=usual)
    return tr("{what}: {own}; most have {usual}", what=what, own=own, usual=usual)


def _few(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:_MOST]
    if len(lines) > _MOST:
        yield tr("And {n} more.", n=len(lines) - _MOST)
