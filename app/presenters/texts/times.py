"""Times as a person says them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache

from app.runtime.translation import tr
from probes.figures import MONTHS

MOST_KEPT = 4096
"""A list of runs says each time again whenever it is filled."""


def month(text: str, now: datetime) -> str:
    """``November 2026``: the month of a UTC time in ``now``'s time zone; "" for any other text."""
    return _month(text, now.tzinfo)


@lru_cache(MOST_KEPT)
def _month(text: str, zone: tzinfo | None) -> str:
    at = _local(text, zone)
    return "" if at is None else tr("{month} {year}", month=MONTHS[at.month - 1], year=at.year)


def moment(text: str, now: datetime, *, inside: bool = False) -> str:
    """``Today 14:02``, ``Yesterday 9:30``, ``3 Nov 14:02``: a UTC time in ``now``'s time zone.

    With ``inside`` it stands in a sentence: ``today 14:02``. Text that is no ISO 8601 time comes
    back as it is.
    """
    return _moment(text, now.date(), now.tzinfo, inside)


@lru_cache(MOST_KEPT)
def _moment(text: str, today: date, zone: tzinfo | None, inside: bool) -> str:
    local = _local(text, zone)
    if local is None:
        return text
    clock = f"{local:%H:%M}"
    if local.date() == today:
        return tr("today {time}", time=clock) if inside else tr("Today {time}", time=clock)
    if local.date() == today - timedelta(days=1):
        return tr("yesterday {time}", time=clock) if inside else tr("Yesterday {time}", time=clock)
    year = f" {local.year}" if local.year != today.year else ""
    return f"{local.day} {_short(local)}{year} {clock}"


def time_of_day(at: datetime) -> str:
    """``14:02``, in this computer's time zone."""
    return f"{at.astimezone():%H:%M}"


def dated(text: str, now: datetime) -> str:
    """``23 Nov 2026 14:02``: as :func:`moment`, for what is still read on another day."""
    local = _local(text, now.tzinfo)
    return text if local is None else f"{local.day} {_short(local)} {local:%Y %H:%M}"


def _short(at: datetime) -> str:
    """``Nov``, whatever the system's language: Qt sets it for all of C's library."""
    return MONTHS[at.month - 1][:3]


def _local(text: str, zone: tzinfo | None) -> datetime | None:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).astimezone(zone)
