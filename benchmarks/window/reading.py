"""What users read beside the pages: each section of the help, and a report's preview."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from benchmarks.window.first_frame import resident_mib

if TYPE_CHECKING:
    from benchmarks.window.walk import Walk

LOOKS = 9
HELP = "longest turn of a section of the help"
PREVIEW = f"resident after {LOOKS} looks at a report, MiB"
GROWN = "more than after the second look, MiB"


def read_help(walk: Walk) -> None:
    """Every section once more, as on every day: what holds the event loop longest."""
    from app.presenters.frame.help_topics import KEYS
    from app.presenters.frame.manual import manual

    window = walk.window
    walk.cost(partial(window.show_help, KEYS))
    costs = [walk.cost(partial(window.help._go, one)) for one in manual()]
    walk.found[HELP] = max(one.longest for one in costs)
    window.asides.help.page.left.emit()
    walk.cost()


def look_at_reports(walk: Walk) -> None:
    """The report of the chosen run, its dialog opened and closed as often."""
    found = []
    for _ in range(LOOKS):
        walk.cost(walk.window.pages.handing_over.report, partial(_laid_out, walk))
        _dialog(walk).reject()
        walk.cost()
        found.append(resident_mib())
    walk.found[PREVIEW] = found[-1]
    walk.found[GROWN] = found[-1] - found[1]


def _laid_out(walk: Walk) -> bool:
    dialog = _dialog(walk)
    return dialog is not None and bool(dialog._report.pages)


def _dialog(walk: Walk):  # type: ignore[no-untyped-def]
    from app.views.dialogs.report import ReportDialog

    dialogs = walk.window.findChildren(ReportDialog)
    return dialogs[-1] if dialogs else None
