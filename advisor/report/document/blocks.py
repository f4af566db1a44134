"""A document as blocks in their order, to be laid out as a web page or on paper.

Texts come from servers and users as they are: whoever lays them out makes them harmless.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import StrEnum
from typing import Any

from advisor.report.document.cover import Cover
from advisor.report.document.plot import Plot
from advisor.wording.advice.evidence_card import Row as Pair


class Style(StrEnum):
    """How a piece of text looks."""

    PLAIN = "plain"
    STRONG = "strong"
    QUIET = "quiet"
    NAME = "name"
    """A rule's or a fact's, as programs know it: it looks quiet."""

    CODE = "code"


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A piece of text; ``to`` is the anchor of this document that it leads to, "" for none."""

    text: str
    style: Style = Style.PLAIN
    to: str = ""


Words = tuple[TextSpan, ...]


def plain(text: str) -> Words:
    """A text as it is."""
    return (TextSpan(text),)


def quiet(text: str) -> Words:
    """What stands beside the matter."""
    return (TextSpan(text, Style.QUIET),)


@dataclass(frozen=True, slots=True)
class Heading:
    """The start of a section (``level`` 1) or of a part of one (2, 3).

    ``new_page`` begins a page where there are any.
    """

    level: int
    text: str
    anchor: str = ""
    new_page: bool = False


class ParagraphRole(StrEnum):
    """What a paragraph is: text, the sentence that matters most, a label, a warning, or a risk.

    A risk is red.
    """

    TEXT = "text"
    LEAD = "lead"
    LABEL = "label"
    WARNING = "warning"
    RISK = "risk"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences."""

    words: Words
    role: ParagraphRole = ParagraphRole.TEXT


GAP = Paragraph(())
"""An empty line, in a terminal only."""


@dataclass(frozen=True, slots=True)
class Item:
    """One of a list, with lines of its own below it; ``anchor`` is what leads here."""

    words: Words
    below: tuple[Words, ...] = ()
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list, with numbers from 1 or with dots."""

    items: tuple[Item, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Pairs:
    """Labels and what they say; a label "" continues the last.

    ``titles`` are whole titles as labels: where lines are short, each text stands below its own.
    ``small`` ones are many and short: on paper half of them stands beside the other half.
    """

    rows: tuple[Pair, ...]
    titles: bool = False
    small: bool = False


@dataclass(frozen=True, slots=True)
class TableRow:
    """The cells of a row; ``anchor`` is what leads here.

    An ``odd`` one is not to be relied on: a terminal colours it.
    """

    cells: tuple[Words, ...]
    anchor: str = ""
    odd: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Columns by their heads; ``text_columns`` are flush left and wrap, the others hold figures."""

    heads: tuple[str, ...]
    rows: tuple[TableRow, ...]
    text_columns: frozenset[int]
    roomy: bool = False


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines as they are to be typed or kept in a file; ``language`` is what they are written in."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Graph:
    """Plots beside each other; ``names`` belong to their lines by number, "" to none."""

    names: tuple[str, ...]
    plots: tuple[Plot, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A share of the whole, 0 to 1, from ``low`` to ``high`` as far as that is known."""

    name: str
    share: float
    low: float
    high: float
    text: str


@dataclass(frozen=True, slots=True)
class Bars:
    """Shares of one whole, each a bar."""

    title: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Framed:
    """Blocks that belong together: an advice, a step of a plan.

    ``numbered`` where its first block begins with its number.
    """

    blocks: tuple[Block, ...]
    anchor: str = ""
    numbered: bool = False


Block = Heading | Paragraph | Items | Pairs | Table | Verbatim | Graph | Bars | Framed


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report: its title, what it is about, its cover, its blocks, its last line.

    ``facts`` stand below the title; ``notice`` is what must be known before anything else.
    """

    title: str
    cover: Cover
    facts: tuple[Pair, ...]
    notice: str
    blocks: tuple[Block, ...]
    last: str


def text(sentences: str, role: ParagraphRole = ParagraphRole.TEXT) -> Paragraph:
    """Some sentences as they are."""
    return Paragraph(plain(sentences), role)


def beside(sentences: str) -> Paragraph:
    """Sentences in a quieter style."""
    return Paragraph(quiet(sentences))


def pairs(rows: Iterable[Pair], *, titles: bool = False) -> Iterator[Pairs]:
    """Labels with their texts, where there are any."""
    if found := tuple(rows):
        yield Pairs(found, titles)


def table(
    heads: tuple[str, ...], rows: Iterable[Iterable[str]], texts: Iterable[int] = ()
) -> Table:
    """A table of plain cells; ``texts`` are the columns of words."""
    made = tuple(TableRow(tuple(map(plain, cells))) for cells in rows)
    return Table(heads, made, frozenset(texts))


def items(texts: Iterable[str]) -> Iterator[Items]:
    """Sentences as a list, where there are any."""
    if found := tuple(Item(plain(text)) for text in texts):
        yield Items(found)


def rebuilt(value: Any, change: Callable[[TextSpan | str], TextSpan | str]) -> Any:
    """A part of a document with each span and each other text of it changed; anchors stay."""
    if isinstance(value, TextSpan) or type(value) is str:
        return change(value)
    if isinstance(value, tuple):
        return tuple(rebuilt(each, change) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        inside = {
            each.name: rebuilt(getattr(value, each.name), change)
            for each in fields(value)
            if each.name != "anchor"
        }
        return replace(value, **inside)
    return value


def without_graphs(blocks: Iterable[Block]) -> list[Block]:
    """Blocks for a form that draws nothing: without graphs, and headings of these alone."""
    left: list[Block] = []
    for block in blocks:
        if not isinstance(block, Graph):
            if isinstance(block, Heading):
                _drop_empty(left, block.level)
            left.append(block)
    _drop_empty(left, 1)
    return left


def _drop_empty(left: list[Block], level: int) -> None:
    """Drop headings at the end that the next one, of this ``level``, leaves without a block."""
    while left and isinstance(last := left[-1], Heading) and last.level >= max(2, level):
        left.pop()
