"""Where Leadline keeps what it remembers on this computer."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

DATABASE = "leadline.sqlite3"


def home() -> Path:
    """The folder of the database and logs: LEADLINE_HOME, or the platform's place for user data."""
    chosen = os.environ.get("LEADLINE_HOME", "")
    if chosen:
        return Path(chosen).expanduser()
    return Path(platformdirs.user_data_dir("leadline", appauthor=False))
