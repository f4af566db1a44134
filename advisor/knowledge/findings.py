"""What others measured and wrote down: the published findings that rules stand on.

``resources/findings/*.toml`` holds them in our own words, a file a subject. ``[every]`` says what
all findings of a file have in common; a finding may say it otherwise.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any


class Reliance(StrEnum):
    """How far a finding can be relied on.

    ``high``: read with its method or raw data; ``med``: read, but thinly set up or inferred;
    ``low``: a claim, or second-hand.
    """

    HIGH = "high"
    MEDIUM = "med"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class PublishedFinding:
    """One published result.

    ``figures`` are its numbers with their units, ``holds_when`` the versions and conditions that
    they were seen under, ``supports`` what follows for advice. ``date`` is ISO 8601, as far as it
    is known ("" when it is not); ``url`` is "" where the text is not public under one address.
    ``corrected_by`` names findings that overturn or narrow it.
    """

    id: str
    statement: str
    figures: str
    holds_when: str
    source: str
    url: str
    date: str
    confidence: Reliance
    supports: str
    corrected_by: tuple[str, ...] = ()

    @property
    def citation(self) -> str:
        """Its source as a reader would look it up: name, date, address."""
        dated = f"{self.source} ({self.date})" if self.date else self.source
        return f"{dated}, {self.url}" if self.url else dated


@cache
def findings() -> Mapping[str, PublishedFinding]:
    """Every finding by its id, in the order of the subjects; raises ValueError on a double id."""
    found: dict[str, PublishedFinding] = {}
    for finding in _read():
        if found.setdefault(finding.id, finding) is not finding:
            raise ValueError(f"two findings are called {finding.id}")
    return MappingProxyType(found)


def _read() -> Iterator[PublishedFinding]:
    folder = files("resources").joinpath("findings")
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        if file.name.endswith(".toml"):
            subject = tomllib.loads(file.read_text(encoding="utf-8"))
            for row in subject["finding"]:
                yield _finding(subject["every"] | row)


def _finding(row: Mapping[str, Any]) -> PublishedFinding:
    return PublishedFinding(
        id=row["id"],
        statement=row["statement"],
        figures=row["figures"],
        holds_when=row["holds_when"],
        source=row["source"],
        url=row["url"],
        date=row["date"],
        confidence=Reliance(row["confidence"]),
        supports=row["supports"],
        corrected_by=tuple(row.get("corrected_by", ())),
    )
