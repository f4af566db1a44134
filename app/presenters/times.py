"""Times as a person says them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def month(text: str, now: datetime) -> str:
    """``November 2026``: the month of a UTC time in ``now``'s time zone; "" where it is no time."""
    at = _local(text, now)
    return "" if at is None else f"{at:%B} {at.year}"


def moment(text: str, now: datetime) -> str:
    """``Today 14:02``, ``Yesterday 9:30``, ``3 Nov 14:02``: a UTC time in ``now``'s time zone.

    Text that is no ISO 8601 time comes back as it is.
    """
    local = _local(text, now)
    if local is None:
        return text
    clock = f"{local:%H:%M}"
    if local.date() == now.date():
        return f"Today {clock}"
    if local.date() == now.date() - timedelta(days=1):
        return f"Yesterday {clock}"
    year = f" {local.year}" if local.year != now.year else ""
    return f"{local.day} {local:%b}{year} {clock}"


def _local(text: str, now: datetime) -> datetime | None:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).astimezone(now.tzinfo)
