"""Cells of a table that spreadsheets open."""

from __future__ import annotations

_FORMULAS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""How a cell begins that spreadsheets reckon out, the last four where letters are wide."""

_BLANKS = ("\t", "\r", "\n")
"""What spreadsheets skip in front of such a sign."""


def text_cell(text: str) -> str:
    """A text as no spreadsheet takes it for a formula: with an apostrophe before it, if need be."""
    return f"'{text}" if text.lstrip().startswith(_FORMULAS) or text.startswith(_BLANKS) else text
