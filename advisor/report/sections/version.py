"""What another version of the server would change, the gravest first."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.report import lens_words
from advisor.report.document.blocks import (
    Block,
    Heading,
    Item,
    Items,
    Paragraph,
    Style,
    TextSpan,
    items,
    plain,
)
from advisor.upgrade.lens import LensReport


def seen_as(looked: LensReport) -> Iterator[Block]:
    """The section with its heading, which names the version."""
    yield Heading(1, f"Seen as {looked.after}", "seen")
    headline = lens_words.headline(looked)
    yield Paragraph(plain(f"{headline} The advice and the plan below are for that version."))
    yield from items(looked.warnings)
    for title, rows in lens_words.sections(looked):
        yield Heading(2, title)
        yield Items(
            tuple(
                Item(
                    (
                        TextSpan(each.what, Style.STRONG),
                        *((TextSpan(f" {each.note}", Style.QUIET),) if each.note else ()),
                        TextSpan(f"\n{each.text}"),
                    )
                )
                for each in rows
            )
        )
