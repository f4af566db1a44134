"""Blocks at a terminal: a heading over its part, and what belongs to something below it.

Made of rich's renderables: colours appear on a terminal alone, a file gets plain text. Graphs are
left out: what they show stands in a table.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from rich import box
from rich.cells import cell_len
from rich.console import (
    Console,
    ConsoleOptions,
    Group,
    JustifyMethod,
    RenderableType,
    RenderResult,
)
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from advisor.report.document.blocks import (
    Bars,
    Block,
    Framed,
    Graph,
    Heading,
    Item,
    Items,
    Pairs,
    Paragraph,
    ParagraphRole,
    Style,
    Table,
    Verbatim,
    Words,
    without_graphs,
)
from advisor.report.forms.safe_console import SafeConsole
from advisor.wording.advice.evidence_card import Row as Pair

WIDTH = 100
"""Characters of a line where nothing else is asked for."""

_INDENT = (0, 0, 0, 3)
_BAR = 24
_NAME, _WORDS = 20, 16
_LABEL = 30
_GAP = 2
_SHORT = 76
_LOOKS = {
    Style.STRONG: "bold",
    Style.QUIET: "dim",
    Style.NAME: "dim",
    Style.CODE: "bold",
    Style.PLAIN: "",
}
_BESIDE = {
    (Style.NAME, Style.PLAIN),
    (Style.NAME, Style.STRONG),
    (Style.QUIET, Style.STRONG),
}
_ROLES = {
    ParagraphRole.LEAD: "bold",
    ParagraphRole.WARNING: "yellow",
    ParagraphRole.RISK: "bold red",
    ParagraphRole.LABEL: "dim",
    ParagraphRole.TEXT: "",
}


def page(blocks: Iterable[Block], width: int = WIDTH) -> str:
    """Blocks as plain text, without colours or spaces at its lines' ends."""
    console = SafeConsole(
        file=io.StringIO(), width=width, color_system=None, legacy_windows=False, emoji=False
    )
    with console.capture() as captured:
        console.print(renderable(blocks))
    lines = [line.rstrip() for line in captured.get().splitlines()]
    return "\n".join(lines) + "\n"


def renderable(blocks: Iterable[Block]) -> RenderableType:
    """Blocks for a rich console."""
    return Group(*_parts(blocks))


def _parts(blocks: Iterable[Block]) -> Iterator[RenderableType]:
    before: Block | None = None
    for block in without_graphs(blocks):
        if _apart(before, block):
            yield Text("")
        yield from _block(block)
        before = block


def _apart(before: Block | None, block: Block) -> bool:
    """Whether an empty line stands between two blocks."""
    if before is None:
        return False
    if isinstance(block, Heading):
        return block.level < 3 and not (isinstance(before, Heading) and before.level == 1)
    above = (
        isinstance(before, Paragraph) and before.words and before.role is not ParagraphRole.LABEL
    )
    return isinstance(block, Table) and bool(above or isinstance(before, Table | Items))


def _block(block: Block) -> Iterator[RenderableType]:
    match block:
        case Heading():
            yield Text(block.text, style={1: "bold cyan", 2: "bold"}.get(block.level, "dim"))
        case Paragraph():
            words = _words(block.words)
            words.style = _ROLES[block.role]
            yield words.append(":") if block.role is ParagraphRole.LABEL else words
        case Items():
            yield _items(block)
        case Pairs(titles=True):
            for label, text in block.rows:
                yield Text.assemble("• ", (label, "bold"))
                yield Padding(Text(text), _INDENT)
        case Pairs():
            yield _labelled(block.rows)
        case Table():
            yield _Fitting(block)
        case Verbatim():
            yield Padding(Text(block.text), _INDENT)
        case Bars():
            yield from _bars(block)
        case Framed():
            yield from _framed(block)
        case Graph():
            return


def _words(words: Words) -> Text:
    """The pieces of a text; a name or a note beside what it is about stands in brackets."""
    text = Text()
    before: Style | None = None
    for span in words:
        inner = span.text.strip()
        apart = inner and (span.style, before) in _BESIDE
        shown = span.text.replace(inner, f"({inner})") if apart else span.text
        text.append(shown, _LOOKS[span.style])
        before = span.style
    return text


def _items(block: Items) -> Grid:
    """Marks in a column, what is said beside them."""
    grid = Grid.grid(padding=(0, 1, 0, 0))
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(overflow="fold")
    for number, item in enumerate(block.items, 1):
        grid.add_row(f"{number}." if block.numbered else "•", _item(item))
    return grid


def _item(item: Item) -> RenderableType:
    words = _words(item.words)
    if len(words) <= _SHORT:
        words = Text("  ").join(words.split("\n"))
    if not item.below:
        return words
    return Group(words, *(Padding(_words(each), (0, 0, 0, 1)) for each in item.below))


def _labelled(rows: Iterable[Pair]) -> Grid:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", max_width=_LABEL)
    # A statement or an address that is longer than a line must not lose its end.
    grid.add_column(overflow="fold")
    for label, text in rows:
        grid.add_row(label, Text(text))
    return grid


@dataclass(frozen=True, slots=True)
class _Fitting:
    """A table; where a line is too short for all of its figures, one below the other."""

    block: Table

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        heads, texts = self.block.heads, self.block.text_columns
        most = options.max_width + _GAP
        least = [self._least(at) + _GAP for at in range(len(heads))]
        named = list(takewhile(lambda at: at in texts, range(len(heads))))
        whole = {at: max(least[at], self._longest_word(at) + _GAP) for at in named}
        if sum(whole.values()) <= most * 2 / 3:
            # A name is whole, and figures that have no room beside it stand below.
            least = [whole.get(at, each) for at, each in enumerate(least)]
        shown = named[:]
        for at in range(len(named), len(heads)):
            if sum(least[each] for each in (*shown, at)) > most and len(shown) > len(named):
                yield self._grid(shown, most)
                yield ""
                shown = named[:]
            shown.append(at)
        yield self._grid(shown, most)

    def _cells(self, at: int) -> list[str]:
        return [_words(row.cells[at]).plain for row in self.block.rows]

    def _least(self, at: int) -> int:
        """How wide a column is at least: a figure stays in one line; its head need not."""
        head, cells = self.block.heads[at], self._cells(at)
        if at in self.block.text_columns:
            return min(_NAME if at == 0 else _WORDS, self._whole(at))
        return max(map(cell_len, (*cells, *head.split())), default=0)

    def _whole(self, at: int) -> int:
        return max(map(cell_len, (self.block.heads[at], *self._cells(at))))

    def _longest_word(self, at: int) -> int:
        """Of all cells; a name is read as a whole."""
        words = (word for cell in self._cells(at) for word in cell.split())
        return max(map(cell_len, words), default=0)

    def _grid(self, shown: Sequence[int], most: int) -> Grid:
        """The columns that are ``shown``: what room is left goes first to those that lack least.

        First each gets its longest word on one line, then its whole text.
        """
        widths = {at: self._least(at) for at in shown}
        left = most - sum(widths.values()) - _GAP * len(shown)
        for wanted in (self._longest_word, self._whole):
            lacking = {at: max(0, wanted(at) - widths[at]) for at in shown}
            for at in sorted(shown, key=lambda at: lacking[at]):
                more = min(lacking[at], max(0, left))
                widths[at] += more
                left -= more
        grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
        for at in shown:
            side: JustifyMethod = "left" if at in self.block.text_columns else "right"
            grid.add_column(self.block.heads[at], justify=side, width=widths[at], overflow="fold")
        for row in self.block.rows:
            cells = (_words(row.cells[at]) for at in shown)
            grid.add_row(*cells, style="yellow" if row.odd else "")
        return grid


def _bars(block: Bars) -> Iterator[RenderableType]:
    yield Text(f"{block.title}:", style="dim")
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for bar in block.bars:
        grid.add_row(
            bar.name, Text("▇" * round(_BAR * min(1.0, bar.share)), style="cyan"), bar.text
        )
    yield Padding(grid, _INDENT)


def _framed(block: Framed) -> Iterator[RenderableType]:
    """What it is, and all else below it."""
    first, *rest = block.blocks
    mark = "" if block.numbered else "• "
    match first:
        case Heading():
            yield Text.assemble(mark, (first.text, "bold"))
        case Paragraph():
            yield Text(mark).append_text(_words(first.words))
        case _:
            rest = [first, *rest]
    if rest:
        yield Padding(renderable(rest), _INDENT)
