"""What can be turned, under each other: sliders and lists, with the value of each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from advisor.forecasts.kept import KeptScenario
from app.controllers.drive_keys import DriveKey, read_key
from app.presenters.texts.typesetting import plain_tip
from app.presenters.what_if.knobs import AS_NOW, Knob
from app.runtime.translation import tr
from app.theme import tokens
from app.views.widgets.buttons import PressedByEnter
from app.views.widgets.labels import label
from app.views.widgets.layouts import RIGHT, column, restyle, row
from app.views.widgets.turned import DropDown, Slider
from probes.errors import LeadlineError, UsageError

WIDTH = 264
_IN_REPORT = "Its forecast stands in the report of the run."


class KnobView(QWidget):
    """One knob. Signals: ``turned()`` when the user moved it."""

    turned = Signal()

    def __init__(self, knob: Knob) -> None:
        super().__init__()
        self.knob = self._offered = knob
        title = label(knob.title)
        self.shown_value = label("", "quiet")
        self.shown_value.setAlignment(RIGHT)
        self.slider, self.list = Slider(), DropDown()
        for widget in (self.slider, self.list):
            widget.setAccessibleName(knob.title)
        # On Linux a list is called as its label is, and by its value without one.
        title.setBuddy(self.list if knob.choice else self.slider)
        self.setLayout(
            column(title, self.list, space=tokens.SPACE_XS) if knob.choice else self._sliding(title)
        )
        self.reset()
        self.slider.valueChanged.connect(self._moved)
        self.list.currentIndexChanged.connect(self._moved)

    def _sliding(self, title: QWidget) -> QVBoxLayout:
        layout = QVBoxLayout()
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(row(title, None, self.shown_value))
        layout.addWidget(self.slider)
        return layout

    @property
    def value(self) -> str:
        """As `turned` takes it; ``AS_NOW`` where it was left alone."""
        return self.knob.value(self.place)

    @property
    def place(self) -> int:
        """Which of the knob's stops is chosen."""
        return self.list.currentIndex() if self.knob.choice else self.slider.value()

    def reset(self) -> None:
        """Back to today."""
        self.move_to(AS_NOW)

    def move_to(self, value: str) -> None:
        """To a value as it was typed, with a stop of its own where there is none for it.

        Raises UsageError for a text that is no value of it.
        """
        before = self.value
        self.knob, at = self._offered.at(value)
        stops = self.knob.stops
        with QSignalBlocker(self.slider), QSignalBlocker(self.list):
            self.slider.setRange(0, len(stops) - 1)
            self.slider.setPageStep(max(1, len(stops) // 8))
            self.list.clear()
            self.list.addItems([text for _, text in stops])
            self.list.setCurrentIndex(at)
            self.slider.setValue(at)
        self._tell()
        if self.value != before:
            self.turned.emit()

    def _moved(self) -> None:
        self._tell()
        self.turned.emit()

    def _tell(self) -> None:
        text, now = self.knob.text(self.place), self.knob.text(self.knob.start)
        as_now = self.value == AS_NOW
        self.shown_value.setText(text)
        # A slider reads out the number of its stop: that means nothing.
        self.slider.setAccessibleName(f"{self.knob.title}: {text}")
        tip = tr("as now") if as_now else tr("now {value}", value=now)
        self.shown_value.setToolTip(plain_tip(tip))
        restyle(self.shown_value, "role", "quiet" if as_now else "strong")


class KnobList(QScrollArea):
    """All knobs of a server, and the scenarios that are kept of it.

    Signals: ``turned()`` when the user moved one; ``keep_wanted(name)``; ``refused(LeadlineError)``
    where a kept scenario can't be turned here.
    """

    turned = Signal()
    keep_wanted = Signal(str)
    refused = Signal(LeadlineError)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFixedWidth(WIDTH)
        self.setAccessibleName(tr("What can be turned"))
        self.drive = DropDown()
        self.drive.setAccessibleName(tr("Drive"))
        self.drive.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.drive.currentIndexChanged.connect(self._by_hand)
        self._inside = QWidget()
        self._layout = QVBoxLayout(self._inside)
        self._layout.setContentsMargins(0, 0, tokens.SPACE_M, tokens.SPACE_M)
        self._layout.setSpacing(tokens.SPACE_M)
        drive = label(tr("Drive"))
        drive.setBuddy(self.drive)
        self._layout.addLayout(column(drive, self.drive, space=tokens.SPACE_XS))
        self.kept = DropDown()
        line_edit = QLineEdit()
        line_edit.setPlaceholderText(tr("name"))
        self.kept.setEditable(True)
        self.kept.setLineEdit(line_edit)
        self.kept.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.kept.setAccessibleName(tr("Scenario"))
        typed = self.kept.lineEdit()
        if typed is not None:
            typed.setAccessibleName(tr("Scenario"))
        self.kept.activated.connect(self._choose_kept)
        self.keep = PressedByEnter(tr("&Save"))
        self.keep.clicked.connect(lambda: self.keep_wanted.emit(self.kept.currentText()))
        line = row(self.kept, self.keep)
        line.setStretch(0, 1)
        kept = label(tr("Scenario"))
        kept.setToolTip(plain_tip(tr(_IN_REPORT)))
        kept.setBuddy(self.kept)
        scenario = column(kept, space=tokens.SPACE_XS)
        scenario.addLayout(line)
        self.besides = label("", "quiet", wrap=True)
        self.besides.hide()
        scenario.addWidget(self.besides)
        self._layout.addLayout(scenario)
        self._layout.addStretch(1)
        self.setWidget(self._inside)
        self.knobs: dict[str, KnobView] = {}
        self._scenarios: dict[str, KeptScenario] = {}
        self._besides: dict[str, str] = {}
        self._chosen: KeptScenario | None = None

    def offer(self, knobs: Sequence[Knob]) -> None:
        """Show these, each as now."""
        for view in self.knobs.values():
            self._layout.removeWidget(view)
            view.hide()
            view.deleteLater()
        self.knobs = {}
        for at, knob in enumerate(knobs):
            view = KnobView(knob)
            view.turned.connect(self._by_hand)
            self._layout.insertWidget(at, view)
            self.knobs[knob.name] = view
        self._chosen = None
        self._turn_besides({})

    def offer_drives(self, drives: Sequence[tuple[DriveKey | None, str]]) -> None:
        """Show other drives, by their keys and names; the chosen one stays if it is there."""
        known = [
            (self.drive.itemData(at), self.drive.itemText(at)) for at in range(self.drive.count())
        ]
        if known == list(drives):
            return
        held = self.drive.currentData()
        self.drive.blockSignals(True)
        self.drive.clear()
        for key, name in drives:
            self.drive.addItem(name, key)
        self.drive.setCurrentIndex(self._place_of(held) or 0)
        self.drive.blockSignals(False)

    @property
    def wanted(self) -> dict[str, str]:
        """What was turned, by name, also what a kept scenario turns that no knob can."""
        values = {name: view.value for name, view in self.knobs.items()}
        turned = {name: value for name, value in values.items() if value != AS_NOW}
        return {**self._besides, **turned}

    @property
    def drive_key(self) -> DriveKey | None:
        """Another drive, None for the present one."""
        key: DriveKey | None = self.drive.currentData()
        return key

    def _place_of(self, key: DriveKey | None) -> int | None:
        """Where a drive stands in the list; None where it does not."""
        places = range(self.drive.count())
        return next((at for at in places if self.drive.itemData(at) == key), None)

    @property
    def chosen(self) -> KeptScenario | None:
        """The scenario that all is turned as; None where anything was turned since."""
        return self._chosen

    def _by_hand(self) -> None:
        self._chosen = None
        self.turned.emit()

    def offer_kept(self, scenarios: Sequence[KeptScenario]) -> None:
        """Show the kept scenarios; what was typed stays."""
        typed = self.kept.currentText()
        self._scenarios = {each.name: each for each in scenarios}
        self.kept.clear()
        self.kept.addItems(list(self._scenarios))
        self.kept.setEditText(typed)

    def _choose_kept(self) -> None:
        """Turn everything as a kept scenario has it, or nothing where that can't be done here."""
        chosen = self._scenarios.get(self.kept.currentText())
        if chosen is None:
            return
        drive = self._place_of(read_key(chosen.drive))
        if drive is None or chosen.besides:
            self.kept.setEditText("")
            self.refused.emit(_beyond(chosen) if chosen.besides else _no_drive(chosen))
            return
        with QSignalBlocker(self):
            moved = [name for name, view in self.knobs.items() if _moved(view, chosen)]
            self._turn_besides(
                {name: value for name, value in chosen.wanted.items() if name not in moved}
            )
            self.drive.setCurrentIndex(drive)
        self._chosen = chosen
        self.turned.emit()

    def _turn_besides(self, wanted: dict[str, str]) -> None:
        self._besides = wanted
        what = ", ".join(f"{name}={value}" for name, value in wanted.items())
        self.besides.setText(tr("Also turned: {what}", what=what))
        self.besides.setVisible(bool(wanted))

    def reset(self) -> None:
        """All as now."""
        self._turn_besides({})
        for view in self.knobs.values():
            view.reset()
        self.drive.setCurrentIndex(0)
        self._by_hand()


def _moved(view: KnobView, kept: KeptScenario) -> bool:
    """Turn a knob as a scenario has it; False, and as now, where its text is no value."""
    try:
        view.move_to(kept.wanted.get(view.knob.name, AS_NOW))
    except UsageError:
        view.reset()
        return False
    return True


def _no_drive(kept: KeptScenario) -> UsageError:
    return UsageError(
        tr("The drive of this scenario is not in the list: {drive}.", drive=kept.drive),
        _IN_REPORT,
    )


def _beyond(kept: KeptScenario) -> UsageError:
    options = ", ".join(f"--{name}" for name in kept.besides)
    text = tr("This scenario was kept with {options}, which this page can't turn.", options=options)
    return UsageError(text, _IN_REPORT)
