"""A document as Markdown: its headings, lists, tables and lines to be typed; graphs are left out.

What a graph shows stands in the table below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from advisor.plan.export.comments import plain_line
from advisor.report.document.blocks import (
    Bars,
    Block,
    Document,
    Framed,
    Graph,
    Heading,
    Items,
    Pairs,
    Paragraph,
    ParagraphRole,
    Style,
    Table,
    TextSpan,
    Verbatim,
    Words,
    without_graphs,
)
from advisor.wording.advice.evidence_card import Row as Pair

_MARKS = re.compile(r"([\\`*\[\]<>#|~&!]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))")


def page(document: Document) -> str:
    """A document as the text of a file."""
    notice = ["", f"**{escaped(document.notice)}**"] if document.notice else []
    lines = [
        f"# {escaped(document.title)}",
        "",
        *_pairs((*document.cover.rows, *document.facts)),
        *notice,
        *_blocks(document.blocks),
        "",
        escaped(document.last),
    ]
    return "\n".join(lines) + "\n"


def titled(title: str, blocks: Iterable[Block]) -> str:
    """Blocks below a title, as the text of a file."""
    return "\n".join((f"# {escaped(title)}", *_blocks(blocks))) + "\n"


def untitled(blocks: Iterable[Block]) -> str:
    """Blocks alone, for a page that has a title of its own."""
    return "\n".join(_blocks(blocks)) + "\n"


def escaped(text: str) -> str:
    """Foreign text as plain words: no mark-up, no HTML, one line."""
    return _MARKS.sub(r"\\\1", plain_line(text)).replace("\\<", "&lt;").replace("\\&", "&amp;")


def _code(text: str) -> str:
    """Foreign text as a code span that it can't close."""
    line = plain_line(text)
    mark = "`" * (1 + max((len(found) for found in re.findall("`+", line)), default=0))
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{mark}{space}{line}{space}{mark}"


def _fenced(block: Verbatim) -> Iterator[str]:
    """Text as a code block, behind a fence that it can't close."""
    longest = max((len(found) for found in re.findall("`+", block.text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}{block.language}"
    yield from map(plain_line, block.text.split("\n"))
    yield fence


def _blocks(blocks: Iterable[Block]) -> Iterator[str]:
    for block in without_graphs(blocks):
        if isinstance(block, Framed):
            yield from _blocks(block.blocks)
        elif lines := list(_lines(block)):
            yield from ("", *lines)


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield f"{'#' * (block.level + 1)} {escaped(block.text)}"
        case Paragraph():
            yield _paragraph(block)
        case Items():
            yield from _items(block)
        case Pairs():
            yield from _pairs(block.rows)
        case Table():
            yield from _table(block)
        case Verbatim():
            yield from _fenced(block)
        case Bars():
            yield f"{escaped(block.title)}:"
            yield ""
            yield from _pairs((bar.name, bar.text) for bar in block.bars)
        case Graph() | Framed():
            return


def _paragraph(paragraph: Paragraph) -> str:
    words = _words(paragraph.words)
    match paragraph.role:
        case ParagraphRole.LEAD | ParagraphRole.WARNING:
            return f"**{words}**"
        case ParagraphRole.LABEL:
            return f"{words}:"
        case _:
            return words


def _items(block: Items) -> Iterator[str]:
    for number, item in enumerate(block.items, 1):
        mark = f"{number}." if block.numbered else "-"
        yield f"{mark} {_words(item.words)}"
        yield from (f"  - {_words(each)}" for each in item.below)


def _pairs(rows: Iterable[Pair]) -> Iterator[str]:
    return (f"- {escaped(label)}: {escaped(text)}" for label, text in rows)


def _table(table: Table) -> Iterator[str]:
    sides = (":---" if at in table.text_columns else "---:" for at in range(len(table.heads)))
    yield f"| {' | '.join(map(escaped, table.heads))} |"
    yield f"| {' | '.join(sides)} |"
    for row in table.rows:
        yield f"| {' | '.join(map(_words, row.cells))} |"


def _words(words: Words) -> str:
    """The pieces of a text; those that begin a line of their own follow a colon."""
    return "".join(map(_span, words)).strip()


def _span(span: TextSpan) -> str:
    joint = ": " if span.text.startswith("\n") else ""
    text = span.text.removeprefix("\n")
    # A mark begins and ends at a letter: spaces stay outside.
    inner = text.strip()
    if not inner:
        return text
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    match span.style:
        case Style.CODE | Style.NAME:
            marked = _code(inner)
        case Style.STRONG:
            marked = f"**{escaped(inner)}**"
        case _:
            marked = escaped(inner)
    return f"{joint}{before}{marked}{after}"
