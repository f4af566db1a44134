"""From a document's blocks to the pieces of its pages."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from advisor.report.document.blocks import (
    Bars,
    Block,
    Framed,
    Graph,
    Heading,
    Items,
    Pairs,
    Paragraph,
    Role,
    Table,
    Verbatim,
    Words,
    plain,
    quiet,
)
from advisor.report.safe_text import visible
from app.printing.columns import columns
from app.printing.pieces import FEWEST_LINES, CodeLine, Piece, RowPiece, SetText, TextPiece
from app.printing.plots import BarPiece, PlotsPiece, legend
from app.printing.sheet import LINE, POINT, QUIET, TEXT, type_of

BODY = 9.5
HEADINGS = {1: (16.0, 22.0), 2: (11.5, 13.0), 3: (9.5, 8.0)}
"""By level: its size and the space above it, in points."""

FRAME = 10 * POINT
"""What belongs together stands so far in."""

SPACE = 5 * POINT
CELL = 8 * POINT
LONGEST_LINE = 2000
"""Letters of a line that is kept on one page."""

LABEL_SHARE = 0.34
"""Of the width, what labels of pairs take at most."""


@dataclass(frozen=True)
class Typesetter:
    """Sets blocks in a column of ``width``."""

    width: float
    _groups: Iterator[int]

    @classmethod
    def of(cls, width: float) -> Typesetter:
        """One with groups of its own."""
        return cls(width, count(1))

    def pieces(self, block: Block) -> Iterator[Piece]:
        """The pieces of a block, in order."""
        match block:
            case Heading():
                yield self._heading(block)
            case Paragraph():
                yield self._paragraph(block)
            case Items():
                yield from self._items(block)
            case Pairs():
                yield from self._pairs(block)
            case Table():
                yield from self._table(block)
            case Verbatim():
                yield from self._verbatim(block)
            case Graph():
                yield replace(legend(block.names, self.width), before=SPACE, keeps=True)
                yield PlotsPiece(block.plots, self.width, before=SPACE)
            case Bars():
                yield from self._bars(block)
            case Framed():
                yield from self._framed(block)

    def _heading(self, block: Heading) -> Piece:
        points, above = HEADINGS[block.level]
        text = SetText(plain(block.text), type_of(points, weight=600), self.width)
        mark = (block.level, visible(block.text)) if block.level < 3 else None
        return TextPiece(
            text,
            before=above * POINT,
            keeps=True,
            mark=mark,
            anchor=block.anchor,
            new_page=block.new_page,
        )

    def _paragraph(self, block: Paragraph) -> Piece:
        points, weight, colour = {
            Role.TEXT: (BODY, 400, TEXT),
            Role.LEAD: (BODY + 2, 600, TEXT),
            Role.LABEL: (BODY * 0.9, 400, QUIET),
            Role.WARNING: (BODY, 600, TEXT),
        }[block.role]
        text = SetText(block.words, type_of(points, weight=weight), self.width, colour=colour)
        space = 2 * SPACE if block.role is Role.LEAD else SPACE
        return TextPiece(text, before=space, keeps=block.role is Role.LABEL)

    def _items(self, block: Items) -> Iterator[Piece]:
        font, indent = type_of(BODY), (18 if block.numbered else 12) * POINT
        for number, item in enumerate(block.items, 1):
            sign = SetText(plain(f"{number}." if block.numbered else "•"), font, indent)
            text = SetText(item.words, font, self.width - indent)
            keeps = bool(item.below)
            yield TextPiece(text, indent, sign, before=SPACE * 0.7, keeps=keeps, anchor=item.anchor)
            for line in item.below:
                small = SetText(line, font, self.width - 2 * indent)
                yield TextPiece(small, 2 * indent, before=SPACE * 0.3)

    def _pairs(self, block: Pairs) -> Iterator[Piece]:
        """Labels stand in a column of their own; a long text may go on over the page's end."""
        font = type_of(BODY)
        most = self.width * LABEL_SHARE
        labels = [SetText(quiet(label), font, most) for label, _ in block.rows]
        wide = min(most, max((each.natural for each in labels), default=0.0)) + CELL
        for at, (label, (_, said)) in enumerate(zip(labels, block.rows, strict=True)):
            # A lone line at a page's end looks like all that there is.
            keeps = at == 0 and len(labels) > 1
            text = SetText(plain(said), font, self.width - wide)
            # Where a text is cut, only so much of its label is sure to have room beside it.
            if label.lines > min(text.lines, FEWEST_LINES):
                cells = ((0.0, label), (wide, text))
                yield RowPiece(cells, self.width, 0.0, before=SPACE * 0.6, keeps=keeps)
            else:
                yield TextPiece(text, wide, label, before=SPACE * 0.6, keeps=keeps)

    def _table(self, block: Table) -> Iterator[Piece]:
        gap = (3.5 if block.roomy else 1.8) * POINT
        found = columns(block, BODY - 0.5 if block.roomy else BODY - 1.5, self.width)
        font, widths = type_of(found.points), found.widths
        places = [sum(widths[:at]) for at in range(len(widths))]

        def row(cells: Sequence[Words], rule: str) -> RowPiece:
            return RowPiece(
                tuple(
                    (
                        place,
                        SetText(
                            words, font, width - found.between, right=at not in block.text_columns
                        ),
                    )
                    for at, (words, place, width) in enumerate(
                        zip(cells, places, widths, strict=True)
                    )
                ),
                self.width,
                gap,
                rule,
            )

        head = replace(row([quiet(each) for each in block.heads], QUIET), before=SPACE, keeps=True)
        yield head
        again = replace(head, before=0.0)
        for each in block.rows:
            yield replace(row(each.cells, LINE), again=again, anchor=each.anchor)

    def _verbatim(self, block: Verbatim) -> Iterator[Piece]:
        font, edge = type_of(BODY - 1.5, fixed=True), 6 * POINT
        lines = [
            part
            for line in block.text.expandtabs(4).split("\n")
            for part in textwrap.wrap(line, LONGEST_LINE, drop_whitespace=False) or [""]
        ]
        for number, line in enumerate(lines):
            text = SetText(plain(line or " "), font, self.width - 2 * edge)
            first, last = number == 0, number == len(lines) - 1
            yield CodeLine(
                text,
                edge,
                self.width,
                edge * 0.7 if first else 0.0,
                edge * 0.7 if last else 0.0,
                before=SPACE if first else 0.0,
                # Neither the first line nor the last stands alone.
                keeps=len(lines) > 1 and number in (0, len(lines) - 2),
            )

    def _bars(self, block: Bars) -> Iterator[Piece]:
        title = SetText(plain(block.title), type_of(BODY, weight=600), self.width)
        yield TextPiece(title, before=3 * SPACE, keeps=True)
        for number, bar in enumerate(block.bars):
            yield BarPiece(bar, self.width, before=SPACE / 2, keeps=number < len(block.bars) - 1)

    def _framed(self, block: Framed) -> Iterator[Piece]:
        """Its pieces, further in, with a line at their left edge."""
        group, number = next(self._groups), 0
        inside = Typesetter(self.width - FRAME, self._groups)
        headed = False
        for each in block.blocks:
            for piece in inside.pieces(each):
                piece.group = group
                if number == 0:
                    piece.before, piece.anchor, headed = 3 * SPACE, block.anchor, piece.keeps
                elif number == 1 and headed:
                    # A line below the title says nothing alone, at a page's end.
                    piece.keeps = piece.keeps or piece.cut(piece.height * 0.75) is None
                number += 1
                yield piece
