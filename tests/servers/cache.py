"""Where downloaded servers are kept between test runs."""

from __future__ import annotations

import os
from pathlib import Path

_FOLDER = Path(
    os.environ.get("LEADLINE_TEST_SERVERS") or "~/.cache/leadline-test-servers"
).expanduser()
"""Looked up before any test gives itself another home: that one would download its servers anew."""


def cache() -> Path:
    """The folder that LEADLINE_TEST_SERVERS names, or one in the user's cache; made if missing."""
    _FOLDER.mkdir(parents=True, exist_ok=True)
    return _FOLDER
