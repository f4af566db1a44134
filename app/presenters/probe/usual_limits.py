"""The limits that a set-up begins with, as the settings have them."""

from __future__ import annotations

from app.fields.field import defaults_of
from app.fields.probe import LIMITS, ProbeForm, shown_in
from app.runtime.preferences import Preferences

USUAL = ("added_ms", *shown_in(LIMITS))
"""Names of the form's fields."""


def usual_limit(preferences: Preferences, name: str) -> str:
    """A limit as it is typed; what the form itself has where the settings have none."""
    return preferences.text(f"limits/{name}") or str(defaults_of(ProbeForm)[name])


def keep_limit(preferences: Preferences, name: str, text: str) -> None:
    """Have it so from now on; "" is what the form itself has."""
    preferences.set_text(f"limits/{name}", text)
