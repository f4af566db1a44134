import math

import pytest

from probes.boundary.malformed import Malformed, shown
from probes.boundary.numbers import (
    LARGEST,
    finite,
    finite_or_unknown,
    whole,
    whole_from_text,
)


def test_a_number_within_its_range_is_taken() -> None:
    assert finite(3, "rate") == 3.0
    assert finite(0.5, "share", 0, 1) == 0.5
    assert whole(12.0, "operations") == 12
    assert whole_from_text(" 0042\n", "size") == 42
    assert whole_from_text("-1", "size", low=-1) == -1
    assert math.isnan(finite_or_unknown(None, "await"))


@pytest.mark.parametrize(
    "value", [math.inf, -math.inf, math.nan, 10**400, "3", None, True, [3], {"a": 1}]
)
def test_what_is_no_finite_number_is_refused(value: object) -> None:
    with pytest.raises(Malformed, match="rate is"):
        finite(value, "rate")


@pytest.mark.parametrize("value", [1.5, math.inf, math.nan, 10**30, -1, LARGEST + 1, "7", True])
def test_what_counts_nothing_is_refused(value: object) -> None:
    with pytest.raises(Malformed, match="operations is"):
        whole(value, "operations")


@pytest.mark.parametrize("text", ["", "-", "1e3", "9" * 5000, "٣", "0x10", "1_000", "+1"])
def test_a_text_that_is_no_whole_number_is_refused(text: str) -> None:
    with pytest.raises(Malformed, match="size is"):
        whole_from_text(text, "size")


@pytest.mark.parametrize(
    ("number", "words"), [(-0.1, "less than 0"), (1.1, "more than 1")], ids=["below", "above"]
)
def test_the_range_is_told(number: float, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        finite(number, "share", 0, 1)


def test_a_message_shows_little_of_a_foreign_value() -> None:
    assert shown("a\x1b[31m\n" + "b" * 1000) == "a?[31m?" + "b" * 33 + "…"
    assert shown(10**5000) == "a number of 16610 bits"
    assert shown([1] * 100_000) == "a list"
