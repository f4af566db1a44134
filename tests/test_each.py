"""A test of many tells of every one that fails."""

from __future__ import annotations

from inspect import signature

import pytest

from tests.each import of_each, some_of


def asked_of(subjects: dict[str, int]) -> None:
    @of_each(subjects)
    def test_it_is_even(number: int) -> None:
        assert number % 2 == 0

    assert not signature(test_it_is_even).parameters
    test_it_is_even()


def test_all_that_fail_are_told_of_by_name() -> None:
    with pytest.raises(ExceptionGroup) as raised:
        asked_of({"one": 1, "two": 2, "three": 3})
    assert [error.__notes__ for error in raised.value.exceptions] == [["of one"], ["of three"]]
    asked_of({"two": 2})


def test_nothing_asked_of_nothing_is_a_fault() -> None:
    with pytest.raises(AssertionError):
        asked_of({})


def test_some_are_taken_from_all_over() -> None:
    plain = [one for one in some_of(range(10), 3) if isinstance(one, int)]
    assert plain == [0, 3, 6]
    assert len(some_of(range(10), 3)) == 10
