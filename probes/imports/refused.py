"""The one error of imports."""

from __future__ import annotations

from probes.errors import LeadlineError


class ImportRefused(LeadlineError):
    """The file is none that can be read, or what it says is no measurement."""
