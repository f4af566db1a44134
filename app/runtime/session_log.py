"""What this program has logged since its start, in memory and without secrets."""

from __future__ import annotations

import logging
from collections import deque

from probes.redaction import cleaned

MOST_LINES = 500

_LOGGERS = ("app", "advisor", "probes", "leadline")
"""Other packages' logs quote what they send."""


class SessionLog(logging.Handler):
    """Keeps the latest records of Leadline's own loggers; any thread may log."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self._lines: deque[str] = deque(maxlen=MOST_LINES)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record, cleaned of secrets."""
        self._lines.append(cleaned(self.format(record)))

    def begin(self) -> None:
        """Listen from now on, until ``end``."""
        for name in _LOGGERS:
            logging.getLogger(name).addHandler(self)

    def end(self) -> None:
        """Listen no more."""
        for name in _LOGGERS:
            logging.getLogger(name).removeHandler(self)

    @property
    def lines(self) -> list[str]:
        """Oldest first."""
        return list(self._lines)
