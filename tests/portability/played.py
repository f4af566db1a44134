"""A plugin of pytest's, for its workers too: Leadline is on the system that ``PLAYED`` names."""

from __future__ import annotations

import os

from tests.portability.other_system import PLAYED, pretend

pretend(os.environ[PLAYED])
