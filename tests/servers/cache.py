"""Where downloaded servers are kept between test runs."""

from __future__ import annotations

import os
from pathlib import Path


def cache() -> Path:
    """The folder that LEADLINE_TEST_SERVERS names, or one in the user's cache; made if missing."""
    named = os.environ.get("LEADLINE_TEST_SERVERS")
    folder = Path(named) if named else Path("~/.cache/leadline-test-servers").expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    return folder
