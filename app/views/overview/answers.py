"""What to change and what is open, as rows that lead to their advice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal, SignalInstance
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.presenters.overview.home import Home, HomeChange, HomeQuestion
from app.presenters.texts.typesetting import plain_tip
from app.runtime.translation import tr, tr_n
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.card import CardFrame
from app.views.widgets.labels import IconLabel, Prose, label
from app.views.widgets.layouts import column, row
from app.views.widgets.reused_widgets import ReusedWidgets

CHANGES = "To do"
DECIDED = "Decided so far"
SEE = "See the advice with its evidence"
ALL_DECIDED = "Nothing is open."


class Answers(QWidget):
    """Two cards side by side. Signals: ``advice_wanted(rule)``, "" for all of it."""

    advice_wanted = Signal(str)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._changes = CardFrame(CHANGES, dense=True)
        self.questions_column = CardFrame(tr("Open"), dense=True)
        changed, asked = self._changes.lines, self.questions_column.lines
        self._nothing = label("", wrap=True, select=True)
        self.plan = label("", wrap=True, select=True)
        self.plan.hide()
        self._more = Button(appearance, "", "lightbulb", "quiet")
        self._more.clicked.connect(lambda: self.advice_wanted.emit(""))
        self._count = label("", "small", wrap=True)
        self._settled = label("", "small", wrap=True)
        lines, questions = column(space=tokens.SPACE_S), column(space=tokens.SPACE_S)
        changed.addWidget(self._nothing)
        # What all of it brings is seen without scrolling, however many lines follow.
        changed.addWidget(self.plan)
        changed.addLayout(lines)
        changed.addLayout(row(self._more, None))
        changed.addStretch(1)
        asked.addLayout(questions)
        asked.addWidget(self._settled)
        asked.addWidget(self._count)
        asked.addStretch(1)
        self.lines = ReusedWidgets(lines, lambda: _ChangeLine(appearance, self.advice_wanted))
        self.questions = ReusedWidgets(
            questions, lambda: _QuestionLine(appearance, self.advice_wanted)
        )
        beside = row(self._changes, self.questions_column, space=tokens.SPACE_L)
        beside.setStretch(0, 5)
        beside.setStretch(1, 3)
        self.setLayout(beside)

    @property
    def stops(self) -> list[QWidget]:
        """Where Tab stops, in the order in which they are read."""
        lines = [*self.lines.made, *self.questions.made]
        changes = [line.see for line in lines if isinstance(line, _ChangeLine)]
        questions = [line.see for line in lines if isinstance(line, _QuestionLine)]
        return [*changes, self._more, *questions]

    def fit(self) -> None:
        """Give each row the height that its texts take in the width that it has now."""
        for line in (*self.lines.made, *self.questions.made):
            line.fit()

    def tell_plan(self, text: str) -> None:
        """Say what all changes together are expected to bring; hidden for ""."""
        self.plan.setText(text)
        self.plan.setVisible(bool(text))

    def display(self, home: Home) -> Iterator[None]:
        """Show these, a step for each row."""
        self._changes.title.setText(DECIDED if home.nothing else CHANGES)
        self._nothing.setText(home.nothing)
        self._nothing.setVisible(bool(home.nothing))
        text = tr_n("1 more", "{n} more", home.more) if home.more else tr("All advice")
        self._more.display(text, "lightbulb", "quiet")
        self._count.setText(home.count)
        self._settled.setText(home.open_text if home.open else ALL_DECIDED)
        self._settled.setVisible(bool(self._settled.text()))
        yield from self.lines.display(home.changes, _ChangeLine.display)
        yield from self.questions.display(home.open, _QuestionLine.display)


class _Line(QWidget):
    """A row that a click anywhere on it follows, unless that has marked some of its text."""

    def __init__(
        self, appearance: Appearance, wanted: SignalInstance, texts: Sequence[QLabel]
    ) -> None:
        super().__init__()
        self._rule, self.texts = "", texts
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.see = Button(appearance, "", "arrow-right", "quiet", SEE)
        self.see.clicked.connect(lambda: wanted.emit(self._rule))
        for text in texts:
            text.setCursor(Qt.CursorShape.PointingHandCursor)
            text.installEventFilter(self)

    def fit(self) -> None:
        """Have its texts measured again."""
        for text in self.texts:
            text.updateGeometry()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Beside the texts."""
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(
            event.position().toPoint()
        ):
            self.see.click()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """On a text, which may be marked and copied as well."""
        if (
            isinstance(watched, QWidget)
            and isinstance(event, QMouseEvent)
            and event.type() is QEvent.Type.MouseButtonRelease
            and event.button() is Qt.MouseButton.LeftButton
            and watched.rect().contains(event.position().toPoint())
            and not any(text.hasSelectedText() for text in self.texts)
        ):
            self.see.click()
        return False


class _ChangeLine(_Line):
    def __init__(self, appearance: Appearance, wanted: SignalInstance) -> None:
        self._what = Prose("heading")
        self._gain, self._why = Prose("small"), Prose("quiet")
        super().__init__(appearance, wanted, (self._what, self._gain, self._why))
        self._picture = IconLabel(appearance, "lightbulb", "accent")
        line = row(self._picture)
        line.addLayout(column(self._what, self._gain, self._why, space=1), 1)
        line.addWidget(self.see)
        self.setLayout(line)

    def display(self, change: HomeChange) -> None:
        self._rule = change.rule
        self._picture.display(change.icon, change.tone)
        self._what.display(change.what)
        self._gain.display(change.gain)
        self._why.display("" if change.on_demand else change.why)
        self._why.setVisible(not change.on_demand)
        self.setToolTip(plain_tip(change.why) if change.on_demand else "")
        self.see.setAccessibleName(tr("See the advice: {what}", what=change.what))


class _QuestionLine(_Line):
    def __init__(self, appearance: Appearance, wanted: SignalInstance) -> None:
        self._title, self._answers = Prose("heading"), Prose("quiet")
        super().__init__(appearance, wanted, (self._title, self._answers))
        line = row(IconLabel(appearance, "scale", "warn"))
        # The card is narrow, and has room below: dots would leave nothing of the sentence.
        line.addLayout(column(self._title, self._answers, space=1), 1)
        line.addWidget(self.see)
        self.setLayout(line)

    def display(self, question: HomeQuestion) -> None:
        self._rule = question.rule
        self._title.display(question.title)
        self._answers.display(question.answers)
        self.setToolTip(plain_tip(question.why))
        self.see.setAccessibleName(tr("See what is open: {title}", title=question.title))
