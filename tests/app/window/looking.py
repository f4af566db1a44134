"""What a person sees of a widget."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from advisor.run import RunState
from advisor.store.store import Store
from app.views.widgets.callout import Callout
from tests.app.window.replay import Replay


def texts(widget: QWidget) -> str:
    """Everything that a widget says to somebody who looks at it.

    A layout shows what was put into it with the next events: a person never sees it before.
    """
    for each in widget.findChildren(QWidget):
        QCoreApplication.sendPostedEvents(each, QEvent.Type.MetaCall.value)
    return "\n".join(one.text() for one in widget.findChildren(QLabel) if one.isVisibleTo(widget))


def see(qtbot: QtBot, widget: QWidget, *parts: str) -> None:
    """Wait until a widget says all of this: what is new on a page shows a moment later."""
    qtbot.waitUntil(lambda: all(part in texts(widget) for part in parts))


def chosen(callout: Callout) -> str:
    return texts(callout) if callout.isVisibleTo(callout.window()) else ""


def stored(replay: Replay) -> list[RunState]:
    with Store.open(replay.path) as store:
        return [run.state for run in store.runs()]
