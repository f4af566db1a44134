"""The window itself: builds its objects, frames its pages, opens its menus and dialogs.

Keeps Qt's binding from reading the source of every module that is imported after it. Shiboken looks
there for the word PySide6, as a module might ask for snake_case names; none of ours does. The lines
of a thousand files would stay in memory, 20 MiB, and be read before the window is there. Where
sources do not ship, as in the stand-alone folder, it finds none and goes on.
"""

from __future__ import annotations

import sys

import PySide6.QtCore  # noqa: F401 - brings the part that is asked

_PART, _ASKS = "shibokensupport.feature", "_mod_uses_pyside"


def leave_sources_unread() -> None:
    """Answer for Shiboken that no module asks for anything; nothing where it does not ask so."""
    part = sys.modules.get(_PART)
    if part is not None and hasattr(part, _ASKS):
        setattr(part, _ASKS, lambda _module: False)


# Before any of its modules is loaded.
leave_sources_unread()
