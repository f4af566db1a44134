"""Times as a person says them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache

MOST_KEPT = 4096
"""A list of runs says each time again whenever it is filled."""


def month(text: str, now: datetime) -> str:
    """``November 2026``: the month of a UTC time in ``now``'s time zone; "" where it is no time."""
    return _month(text, now.tzinfo)


@lru_cache(MOST_KEPT)
def _month(text: str, zone: tzinfo | None) -> str:
    at = _local(text, zone)
    return "" if at is None else f"{at:%B} {at.year}"


def moment(text: str, now: datetime) -> str:
    """``Today 14:02``, ``Yesterday 9:30``, ``3 Nov 14:02``: a UTC time in ``now``'s time zone.

    Text that is no ISO 8601 time comes back as it is.
    """
    return _moment(text, now.date(), now.tzinfo)


@lru_cache(MOST_KEPT)
def _moment(text: str, today: date, zone: tzinfo | None) -> str:
    local = _local(text, zone)
    if local is None:
        return text
    clock = f"{local:%H:%M}"
    if local.date() == today:
        return f"Today {clock}"
    if local.date() == today - timedelta(days=1):
        return f"Yesterday {clock}"
    year = f" {local.year}" if local.year != today.year else ""
    return f"{local.day} {local:%b}{year} {clock}"


def dated(text: str, now: datetime) -> str:
    """``23 Nov 2026 14:02``: as :func:`moment`, for what is still read on another day."""
    local = _local(text, now.tzinfo)
    return text if local is None else f"{local.day} {local:%b %Y %H:%M}"


def _local(text: str, zone: tzinfo | None) -> datetime | None:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).astimezone(zone)
