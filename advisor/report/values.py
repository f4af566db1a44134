"""A setting's value as people say it: sizes with their prefix, numbers without idle zeros."""

from __future__ import annotations

from advisor.variables.sheets import SHEETS
from probes.figures import setting, size


def said(name: str, value: str) -> str:
    """``16 GiB`` for a size in bytes; what is no plain number stays as it is."""
    sheet = SHEETS.get(name)
    if sheet is not None and sheet.unit == "bytes" and value.isdigit():
        return size(int(value))
    return setting(value)
