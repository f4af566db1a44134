"""What users read beside the pages: each section of the help, and a report's preview."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from benchmarks.window.first_frame import resident_mib

if TYPE_CHECKING:
    from benchmarks.window.walk import Walk

LOOKS, AGAIN = 9, 8
HELP = "longest turn of a section of the help"
PREVIEW = f"resident after {LOOKS} looks at a report, MiB"
GROWN = "more than after the second look, MiB"


def read_help(walk: Walk) -> None:
    """Every section: what holds the event loop longest.

    Those that took longest are read once more: what came between them comes but once.
    """
    from app.presenters.frame.help_topics import KEYS
    from app.presenters.frame.manual import HelpSection, manual

    window = walk.window

    def read(section: HelpSection) -> float:
        return walk.cost(partial(window.help._go, section)).longest

    walk.cost(partial(window.show_help, KEYS))
    took = {section: read(section) for section in manual()}
    for section in sorted(took, key=lambda each: took[each])[-AGAIN:]:
        read(manual()[0])
        took[section] = min(took[section], read(section))
    walk.found[HELP] = max(took.values())
    window.asides.help.page.left.emit()
    walk.cost()


def look_at_reports(walk: Walk) -> None:
    """The report of the chosen run, its dialog opened and closed as often."""
    from app.runtime.gui_gc import give_back

    found = []
    for _ in range(LOOKS):
        walk.cost(walk.window.pages.handing_over.report, partial(_laid_out, walk))
        _dialog(walk).reject()
        walk.cost()
        found.append(resident_mib())
    walk.found[GROWN] = found[-1] - found[1]
    give_back()  # As the window does twice a minute.
    walk.found[PREVIEW] = resident_mib()


def _laid_out(walk: Walk) -> bool:
    dialog = _dialog(walk)
    return dialog is not None and bool(dialog._report.pages)


def _dialog(walk: Walk):  # type: ignore[no-untyped-def]
    from app.views.dialogs.report import ReportDialog

    dialogs = walk.window.findChildren(ReportDialog)
    return dialogs[-1] if dialogs else None
