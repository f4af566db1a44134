"""Work that is done in steps, taken to its end at once."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

Result = TypeVar("Result")


def result_of(steps: Generator[object, None, Result]) -> Result:
    """Take all steps of some work, whatever they yield; returns what it returns."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result
