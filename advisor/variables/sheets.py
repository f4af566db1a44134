"""A sheet a variable: ``resources/variables/<name>.toml``, in our own words."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Sheet:
    """What one variable is; ``phrase`` says so in the words that follow "Unknown:"."""

    name: str
    category: str
    unit: str
    phrase: str
    summary: str


def _read() -> Mapping[str, Sheet]:
    sheets = {}
    for file in sorted(files("resources").joinpath("variables").iterdir(), key=lambda f: f.name):
        if file.name.endswith(".toml"):
            told = tomllib.loads(file.read_text(encoding="utf-8"))
            phrase = told.get("phrase", f"the value of {told['name']}")
            sheets[told["name"]] = Sheet(
                told["name"], told["category"], told["unit"], phrase, told["summary"]
            )
    return MappingProxyType(sheets)


SHEETS = _read()
"""Every variable's sheet by its name."""
