"""The sheets of server variables as they ship.

``advisor.variables.sheets`` makes values of them; here they say which variables are numbers.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

_NUMBERS = frozenset({"number", "size"})


def raw_sheets() -> Iterator[Mapping[str, Any]]:
    """The sheets themselves, where there are any: what was packed of them may be older."""
    folder = files("resources").joinpath("variables")
    if folder.is_dir():
        for file in sorted(folder.iterdir(), key=lambda file: file.name):
            if file.name.endswith(".toml"):
                yield tomllib.loads(file.read_text(encoding="utf-8"))
    else:
        packed = files("resources").joinpath("variables.json")
        yield from json.loads(packed.read_text(encoding="utf-8"))


@cache
def _kinds() -> Mapping[str, str]:
    """What kind of value each variable has, by name; the sheets are read once."""
    return {str(sheet["name"]): str(sheet["kind"]) for sheet in raw_sheets()}


@cache
def sheet_names() -> frozenset[str]:
    """The names of all variables that have a sheet."""
    return frozenset(_kinds())


@cache
def numbers() -> frozenset[str]:
    """The names of all variables whose values are numbers."""
    return frozenset(name for name, kind in _kinds().items() if kind in _NUMBERS)
