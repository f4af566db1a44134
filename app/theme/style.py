"""The style sheet, made from the tokens."""

from __future__ import annotations

import re
from importlib.resources import files
from string import Template

from app.theme import tokens
from app.theme.tokens import Palette

_SPACES = re.compile(r"\s*([{};,])\s*|(:)\s+|\s+")


def terse(text: str) -> str:
    """A sheet without the spaces that are for readers.

    Each part of a window keeps the sheet in pieces, and a space is a piece: without them it takes a
    quarter less.
    """
    return _SPACES.sub(lambda found: found[1] or found[2] or " ", text).strip()


def sheet(palette: Palette, images: str) -> str:
    """The application's style sheet; ``images`` is the folder of the tinted small images."""
    colours = {name: getattr(palette, name) for name in Palette.__slots__ if name != "series"}
    text = files("resources").joinpath("theme", "leadline.qss").read_text("utf-8")
    return Template(terse(text)).substitute(
        colours,
        files=images,
        scroll=palette.line if not palette.dark else palette.strong_line,
        body=tokens.TYPE_BODY,
        small=tokens.TYPE_SMALL,
        sentence=tokens.TYPE_SENTENCE,
        figure=tokens.TYPE_FIGURE,
        corner=tokens.CORNER,
        control=tokens.CONTROL_HEIGHT - 2,
        control_focus=tokens.CONTROL_HEIGHT - 4,
        search=tokens.SEARCH_HEIGHT - 2,
        small_control=26,
        small_control_focus=24,
        fixed=", ".join(f'"{family}"' for family in tokens.FIXED_FONTS),
    )
