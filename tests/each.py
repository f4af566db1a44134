"""The same asked of many in one test: all that fail are told of, and not the first alone.

As tests of their own, two hundred would take a second to be found and reported, and ask nothing
more. Where each takes its time they stay tests of their own, and ``make quick`` asks some of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import Signature
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


def all_hold(subjects: Mapping[str, T], holds: Callable[[T], object]) -> None:
    """Ask ``holds`` of each of the subjects; raises all that it raised, each with its name."""
    assert subjects
    failed: list[AssertionError] = []
    for name, one in subjects.items():
        try:
            holds(one)
        except AssertionError as error:
            error.add_note(f"of {name}")
            failed.append(error)
    if failed:
        raise ExceptionGroup(f"{len(failed)} of {len(subjects)} fail", failed)


def of_each(subjects: Mapping[str, T]) -> Callable[[Callable[[T], None]], Callable[[], None]]:
    """Make one test of a test of one subject, as ``parametrize`` would make many."""

    def made(holds: Callable[[T], None]) -> Callable[[], None]:
        @wraps(holds)
        def test() -> None:
            all_hold(subjects, holds)

        # pytest fills in what a test asks for by name: this one asks for nothing.
        test.__signature__ = Signature()  # type: ignore[attr-defined]
        return test

    return made


def some_of(subjects: Iterable[object], quick: int) -> list[Any]:
    """Parameters of a test: ``make test`` asks all, ``make quick`` so many, from all over them."""
    every = list(subjects)
    asked = {len(every) * each // quick for each in range(quick)}
    return [
        one if at in asked else pytest.param(one, marks=pytest.mark.long)
        for at, one in enumerate(every)
    ]
