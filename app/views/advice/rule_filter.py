"""What of the advice is listed: how a rule ended, its topic, and words in it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from app.presenters.advice.filter import WantedRules, counts, found, topics
from app.presenters.advice.rows import AdviceRow
from app.presenters.texts.groups import LOOKS, RuleGroup
from app.runtime.preferences import Preferences
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.flow_layout import FlowLayout
from app.views.widgets.labels import label
from app.views.widgets.layouts import row
from app.views.widgets.search_field import SearchField
from app.views.widgets.turned import DropDown

GROUPS, TOPIC = "advice/groups", "advice/topic"
TOPIC_LETTERS = 9
LIST_WIDTH = 220
SHRINKING = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon


class AdviceFilter(QWidget):
    """A search, a topic, and a switch for each way in which a rule can end; no switch means all.

    Switches and topic are remembered, words are not: nobody expects them at the next start.
    Signals: ``changed(WantedRules)`` when something else is wanted.
    """

    changed = Signal(object)

    def __init__(self, appearance: Appearance, preferences: Preferences) -> None:
        super().__init__()
        self._preferences = preferences
        self._rows: Sequence[AdviceRow] = ()
        self._topic = preferences.text(TOPIC)
        self.search = SearchField(appearance, tr("Setting or word"), tr("Search the advice"))
        self.topics = DropDown()
        self.topics.setAccessibleName(tr("Topic of the advice"))
        self.topics.setToolTip(tr("Topic of the advice"))
        self.topics.setProperty("role", "small")
        self.topics.setFixedHeight(tokens.SEARCH_HEIGHT)
        self.topics.setSizeAdjustPolicy(SHRINKING)
        self.topics.setMinimumContentsLength(TOPIC_LETTERS)
        self.topics.view().setMinimumWidth(LIST_WIDTH)
        remembered = preferences.text(GROUPS).split()
        self.groups = {group: self._switch(appearance, group) for group in RuleGroup}
        for group, switch in self.groups.items():
            switch.setChecked(group.value in remembered)
        self._shown = label("", "small")
        self.all = Button(
            appearance, tr("Show all"), "x", "quiet", tr("Clear the search and show all")
        )
        self._build()
        self.search.textChanged.connect(self._tell)
        self.topics.activated.connect(self._topic_picked)
        for switch in self.groups.values():
            switch.clicked.connect(self._switched)
        self.all.clicked.connect(self.show_all)
        self.show_rows(())

    def _switch(self, appearance: Appearance, group: RuleGroup) -> Button:
        look = LOOKS[group]
        switch = Button(appearance, look.title, "", "switch")
        switch.setCheckable(True)
        return switch

    def _build(self) -> None:
        self._narrowed = QWidget()
        self._narrowed.setLayout(row(self._shown, None, self.all))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_S)
        top = row(self.search, self.topics, space=tokens.SPACE_XS)
        top.setStretch(0, 1)
        layout.addLayout(top)
        switches = QWidget()
        switches.setLayout(FlowLayout(*self.groups.values(), space=tokens.SPACE_XS))
        layout.addWidget(switches)
        layout.addWidget(self._narrowed)

    @property
    def wanted(self) -> WantedRules:
        """What is asked for now."""
        groups = frozenset(group for group, switch in self.groups.items() if switch.isChecked())
        offered = self.topics.findData(self._topic) > 0
        return WantedRules(groups, self._topic if offered else "", self.search.text())

    def show_rows(self, rows: Sequence[AdviceRow]) -> None:
        """Offer what there is in another judgement; a topic that it lacks hides nothing.

        Emits nothing: what is wanted of these is ``wanted``.
        """
        self._rows = rows
        self.topics.clear()
        self.topics.addItem(tr("All topics"), "")
        for topic, number in topics(rows):
            self.topics.addItem(f"{topic}  {number}", topic)
        self.topics.setCurrentIndex(max(0, self.topics.findData(self._topic)))
        self._count()

    def show_all(self) -> None:
        """Ask for everything again."""
        for switch in self.groups.values():
            switch.setChecked(False)
        self.topics.setCurrentIndex(0)
        self._remember("")
        if self.search.text():
            self.search.clear()
        else:
            self._tell()

    def _topic_picked(self) -> None:
        self._remember(str(self.topics.currentData()))
        self._tell()

    def _switched(self) -> None:
        self._remember(self._topic)
        self._tell()

    def _remember(self, topic: str) -> None:
        self._topic = topic
        pressed = (group.value for group, switch in self.groups.items() if switch.isChecked())
        self._preferences.set_text(GROUPS, " ".join(pressed))
        self._preferences.set_text(TOPIC, topic)

    def _tell(self) -> None:
        self._count()
        self.changed.emit(self.wanted)

    def _count(self) -> None:
        """Count what the rest of the filter leaves, and say how much of all is listed."""
        wanted = self.wanted
        numbers = counts(self._rows, wanted)
        for group, switch in self.groups.items():
            number, look = numbers[group], LOOKS[group]
            switch.display(f"{look.title} {number}", "", "switch")
            # A way to end that no rule took is no choice, unless it was made.
            switch.setVisible(bool(number) or switch.isChecked())
        shown = len(found(self._rows, wanted))
        text = tr("{shown} of {number} rules", shown=shown, number=len(self._rows))
        self._shown.setText(text if shown else tr("No rule matches"))
        self._narrowed.setVisible(wanted.narrowed)
