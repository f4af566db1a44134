"""Where Leadline keeps what it remembers on this computer."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from probes.errors import StoreError


def home() -> Path:
    """The folder of the database and logs: LEADLINE_HOME, or the platform's place for user data.

    Raises StoreError where the account has no home directory to hold it.
    """
    chosen = os.environ.get("LEADLINE_HOME", "")
    try:
        if chosen:
            return Path(chosen).expanduser()
        return Path(platformdirs.user_data_dir("leadline", appauthor=False))
    except RuntimeError as error:
        where = f"LEADLINE_HOME={chosen}" if chosen else "Leadline's database"
        raise StoreError(
            f"There is no home directory for {where}.",
            "Set HOME, or name a folder by its full path in LEADLINE_HOME.",
        ) from error


def home_or_none() -> Path | None:
    """``home``, or None where there is no place for it."""
    try:
        return home()
    except StoreError:
        return None
