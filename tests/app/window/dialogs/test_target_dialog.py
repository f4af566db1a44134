"""The dialog of a target fits every screen that the window fits, its buttons in sight."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.views.dialogs.target import TargetDialog
from app.views.widgets import growing
from app.views.widgets.buttons import Segments
from app.window.main_window import MainWindow
from probes.errors import LeadlineError
from probes.targets.address import (
    ContainerAddress,
    ContainerEngine,
    MySQLAddress,
    SshAddress,
    TargetKind,
    TargetSpec,
)
from tests.present import present

LOW_SCREENS = (QRect(0, 0, 1024, 640), QRect(0, 0, 1366, 768), QRect(0, 0, 1440, 900))
EVERY_FIELD = TargetSpec(
    TargetKind.SSH, "db7", SshAddress("db7.example"), mysql=MySQLAddress("127.0.0.1")
)
UNKNOWN_KEY = LeadlineError(
    "The host key of db7.example is not the one that this computer knows: somebody may stand "
    "between, or the host was set up anew.",
    "Ask whoever runs the host for its fingerprint. If it is right, remove the old key with "
    "ssh-keygen -R db7.example, and connect again. " * 2,
)


@pytest.mark.parametrize("screen", LOW_SCREENS)
@pytest.mark.parametrize("way", ["add", "change"])
def test_the_dialog_fits_every_screen_with_its_buttons_in_sight(
    qtbot: QtBot,
    done: MainWindow,
    monkeypatch: pytest.MonkeyPatch,
    screen: QRect,
    way: str,
) -> None:
    monkeypatch.setattr(growing, "available", lambda _dialog: screen)
    done.pages.targets.open(EVERY_FIELD if way == "change" else None)
    (dialog,) = [one for one in done.findChildren(TargetDialog) if one.isVisible()]
    dialog.fields.switches["with_mysql"].setChecked(True)
    for told in (False, True):
        if told:
            dialog._not_connected(UNKNOWN_KEY)
        qtbot.waitUntil(lambda: dialog.height() <= screen.height())
        qtbot.wait(0)
        for button in (dialog.test, dialog.cancel, dialog.save):
            below = button.mapTo(dialog, button.rect().bottomRight())
            assert dialog.rect().contains(below), button.text()
        assert not overlapping(dialog), told
        assert all(
            one.height() >= one.minimumSizeHint().height()
            for one in dialog.findChildren(QWidget)
            if one.isVisibleTo(dialog) and isinstance(one, QLineEdit | QComboBox | Segments)
        )
    dialog.reject()


def overlapping(dialog: TargetDialog) -> list[tuple[str, str]]:
    """Fields that lie over each other."""
    fields = [
        one
        for one in dialog.findChildren(QWidget)
        if one.isVisibleTo(dialog) and isinstance(one, QLineEdit | QComboBox | QAbstractButton)
    ]
    places = [(one, QRect(one.mapTo(dialog, QPoint()), one.size())) for one in fields]
    return [
        (one.accessibleName(), other.accessibleName())
        for at, (one, here) in enumerate(places)
        for other, there in places[at + 1 :]
        if here.intersects(there)
        and not one.isAncestorOf(other)
        and one.window() is other.window()
        and area_of(one) is area_of(other)
    ]


def area_of(widget: QWidget) -> QWidget | None:
    """What it is scrolled in: what is scrolled away lies under nothing."""
    above = widget.parentWidget()
    while above is not None and not isinstance(above, QScrollArea):
        above = above.parentWidget()
    return above


def test_an_address_that_is_pasted_whole_goes_into_its_fields(
    qtbot: QtBot, done: MainWindow
) -> None:
    done.pages.targets.open(None)
    (dialog,) = [one for one in done.findChildren(TargetDialog) if one.isVisible()]
    lines = dialog.fields.lines
    QTest.keyClicks(lines["ssh_host"], "ssh://root@db7:2222")
    QTest.keyClick(lines["ssh_host"], Qt.Key.Key_Tab)
    lines["ssh_host"].editingFinished.emit()
    said = [lines[name].text() for name in ("ssh_host", "ssh_port", "ssh_user")]
    assert said == ["db7", "2222", "root"]
    dialog.reject()


@pytest.mark.parametrize("first", ["app@tcp(db5:3307)/shop", "ssh://root@db5:2222"])
@pytest.mark.parametrize("second", ["db7", "mysql://db7", "root@db7", "podman://db"])
def test_another_address_keeps_nothing_of_the_one_before(
    done: MainWindow, first: str, second: str
) -> None:
    found = []
    for typed in ((second,), (first, second)):
        done.pages.targets.open(None)
        (dialog,) = [one for one in done.findChildren(TargetDialog) if one.isVisible()]
        dialog.fields.lines["name"].setText("shop")
        for text in typed:
            line = dialog.fields.lines["address"]
            line.clear()
            QTest.keyClicks(line, text)
            line.editingFinished.emit()
        found.append(dialog.form.spec())
        dialog.reject()
    assert found[0] == found[1]


def test_what_was_typed_beside_an_address_stays(done: MainWindow) -> None:
    done.pages.targets.open(None)
    (dialog,) = [one for one in done.findChildren(TargetDialog) if one.isVisible()]
    line = dialog.fields.lines["address"]
    QTest.keyClicks(line, "root@db5")
    line.editingFinished.emit()
    dialog.fields.switches["with_mysql"].setChecked(True)
    dialog.fields.lines["mysql_user"].setText("app")
    line.clear()
    QTest.keyClicks(line, "root@db7")
    line.editingFinished.emit()
    spec = dialog.form.spec()
    assert present(spec.ssh).host == "db7"
    assert present(spec.mysql).user == "app"
    dialog.reject()


def test_a_container_that_is_pasted_as_a_host_becomes_one(qtbot: QtBot, done: MainWindow) -> None:
    done.pages.targets.open(None)
    (dialog,) = [one for one in done.findChildren(TargetDialog) if one.isVisible()]
    lines = dialog.fields.lines
    QTest.keyClicks(lines["ssh_host"], "podman+ssh://root@db7:2222/shop")
    lines["ssh_host"].editingFinished.emit()
    assert dialog.kind.key == TargetKind.CONTAINER.value
    assert (lines["ssh_host"].text(), lines["container"].text()) == (
        "",
        "podman+ssh://root@db7:2222/shop",
    )
    assert lines["container"].isVisibleTo(dialog)
    assert not lines["ssh_host"].isVisibleTo(dialog)
    spec = dialog.form.spec()
    assert spec.name == "shop"
    assert spec.container == ContainerAddress(ContainerEngine.PODMAN, "shop")
    assert spec.ssh == SshAddress("db7", 2222, "root")
    dialog.reject()


def test_fields_take_what_they_need_and_no_more(qtbot: QtBot, done: MainWindow) -> None:
    done.pages.targets.open(None)
    (dialog,) = [one for one in done.findChildren(TargetDialog) if one.isVisible()]
    area = dialog.findChild(growing.FieldArea)
    assert area is not None
    heights = []
    for mysql in (False, True, False):
        dialog.fields.switches["with_mysql"].setChecked(mysql)
        qtbot.waitUntil(lambda: abs(area.height() - area.sizeHint().height()) <= 2)
        heights.append(dialog.height())
    assert heights[0] == heights[2] < heights[1]
    dialog.reject()
