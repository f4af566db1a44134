"""A document as PDF from the command line: Qt lays it out, and no display is needed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from advisor.report.document.blocks import Document
from probes.errors import LeadlineError

NO_SCREEN = "offscreen"


def printed(document: Document, paper: str) -> bytes:
    """The PDF's bytes on ``paper`` (``A4``, ``Letter``).

    Raises LeadlineError where Qt can't be loaded, UsageError where the logo can't be drawn.
    """
    try:
        from app.printing.pdf import to_pdf  # noqa: PLC0415 - only this needs Qt
        from app.printing.sheet import Paper, Sheet  # noqa: PLC0415
    except ImportError as error:
        if error.name is not None and not error.name.startswith("PySide6"):
            raise
        raise LeadlineError(
            f"A PDF can't be made: {error}.",
            "Install the system's library that is named here (Debian: libegl1), or write .html"
            " and print that.",
        ) from error
    with _application():
        return to_pdf(document, Sheet(Paper(paper)))


@contextmanager
def _application() -> Iterator[None]:
    """What fonts need: an application that shows nothing."""
    from PySide6.QtWidgets import QApplication  # noqa: PLC0415

    platform = os.environ.get("QT_QPA_PLATFORM")
    os.environ["QT_QPA_PLATFORM"] = NO_SCREEN
    try:
        # There is one for a process, and it stays: whoever else needs it takes the same.
        application = QApplication.instance() or QApplication(["leadline"])
        yield
        del application
    finally:
        if platform is None:
            del os.environ["QT_QPA_PLATFORM"]
        else:
            os.environ["QT_QPA_PLATFORM"] = platform
