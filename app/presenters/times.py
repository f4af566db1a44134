"""Times as a person says them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def moment(text: str, now: datetime) -> str:
    """``Today 14:02``, ``Yesterday 9:30``, ``3 Nov 14:02``: a UTC time in ``now``'s time zone.

    Text that is no ISO 8601 time comes back as it is.
    """
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return text
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    local = at.astimezone(now.tzinfo)
    clock = f"{local:%H:%M}"
    if local.date() == now.date():
        return f"Today {clock}"
    if local.date() == now.date() - timedelta(days=1):
        return f"Yesterday {clock}"
    year = f" {local.year}" if local.year != now.year else ""
    return f"{local.day} {local:%b}{year} {clock}"
