"""A fact as it was found in a case, or why it was not."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """A fact's value and how a person says it, with the points that it comes from.

    ``elsewhere`` tells, in words that follow "because", why it does not hold for the server: it was
    measured on another drive than the server's.
    """

    value: object
    text: str
    point_ids: tuple[int, ...] = ()
    elsewhere: str = ""


@dataclass(frozen=True, slots=True)
class Absent:
    """A fact that can't be had; ``because`` are the words after "because", without a full stop."""

    because: str
