"""A server's texts as they were recorded: MySQL 8.0.33 under a small load, ten seconds apart.

Paths and names are those of another machine.
"""

from __future__ import annotations

from pathlib import Path

SERVER_TEXTS = Path(__file__).parent / "recordings" / "db7"
