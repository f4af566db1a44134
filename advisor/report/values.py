"""A setting's value as people say it: sizes with their prefix, all else as the server shows it."""

from __future__ import annotations

from advisor.variables.sheets import SHEETS
from advisor.wording import size


def said(setting: str, value: str) -> str:
    """``16 GiB`` for a size in bytes; what is no plain number stays as it is."""
    sheet = SHEETS.get(setting)
    if sheet is not None and sheet.unit == "bytes" and value.isdigit():
        return size(int(value))
    return value
