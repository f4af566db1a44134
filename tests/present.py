"""What a test needs to be there, as a type that says so."""

from __future__ import annotations

from typing import TypeVar

Value = TypeVar("Value")


def present(value: Value | None) -> Value:
    """The value; a test ends here where there is none."""
    assert value is not None
    return value
