"""The pieces of an evidence card: now and proposed, formula, facts, grounds, published findings.

Each piece is made once and filled again for every rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from advisor.knowledge.findings import PublishedFinding
from advisor.outcomes import Evidence, Recommendation
from advisor.variables.naming import value_text
from app.presenters.advice.card import fact_name, published
from app.presenters.overview.facts import FactRow
from app.presenters.texts.typesetting import plain_tip
from app.runtime.translation import tr, tr_n
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button, CopyButton
from app.views.widgets.flow_layout import FlowLayout
from app.views.widgets.labels import IconLabel, WrappedLabel, breakable, label
from app.views.widgets.layouts import column, restyle, row
from app.views.widgets.reused_widgets import ReusedWidgets

LABEL_WIDTH = 112
NAME_WIDTH = 232
"""As wide as the longest names of the server's counters; longer ones take two lines."""

MOST_CHIPS = 3
FORMS = ("SQL", "my.cnf", "Parameter")
"""What can be copied of a change; the last one for servers that a service runs."""

TOP = Qt.AlignmentFlag.AlignTop


class Move(QFrame):
    """Now and proposed, side by side, with what can be copied at once."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self._now, self._proposed = _Value(), _Value()
        self._before, after = QWidget(), QWidget()
        self._before.setLayout(column(label(tr("Now"), "small"), self._now, space=2))
        after.setLayout(column(label(tr("Proposed"), "small"), self._proposed, space=2))
        self._arrow = IconLabel(appearance, "arrow-right", "accent")
        captions = list(FORMS)
        self._copies = [CopyButton(appearance, caption) for caption in captions]
        for caption, copy in zip(captions, self._copies, strict=True):
            copy.setAccessibleName(tr("Copy {what}", what=caption))
        layout = FlowLayout(self._before, self._arrow, after, *self._copies, space=tokens.SPACE_M)
        layout.setContentsMargins(tokens.SPACE_M, tokens.SPACE_S, tokens.SPACE_S, tokens.SPACE_S)
        self.setLayout(layout)

    def display(self, item: Recommendation) -> None:
        """Show what is proposed instead of what."""
        self._now.setText(value_text(item.setting, item.now))
        self._proposed.setText(value_text(item.setting, item.proposed))
        for widget in (self._before, self._arrow):
            widget.setVisible(bool(item.now))
        texts = (item.apply.sql, item.apply.cnf, item.apply.service)
        for copy, text in zip(self._copies, texts, strict=True):
            copy.offer(text)
            copy.setToolTip(plain_tip(tr("Copy: {text}", text=text)))
            copy.setVisible(bool(text))


class _Value(WrappedLabel):
    """A value on one line where there is room for it, else on several."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "sentence")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def sizeHint(self) -> QSize:
        """Qt would break a short text into lines of its own choice."""
        self.ensurePolished()
        width = self.fontMetrics().horizontalAdvance(self.text()) + 2
        return QSize(width, self.heightForWidth(width))


class Chips(QWidget):
    """Topic, gain, confidence and what a change takes, as short as labels are."""

    def __init__(self, kind: QWidget) -> None:
        """``kind`` stands before them: how the rule ended."""
        super().__init__()
        self._kind, self._topic = kind, label("", "chip")
        self._chips = [label("", "chip") for _ in range(MOST_CHIPS)]
        self._short = False
        self.setLayout(FlowLayout(kind, self._topic, *self._chips))

    def display(self, texts: Sequence[str], topic: str) -> None:
        """Show these; at most as many as there are."""
        self._topic.setText(topic)
        for number, chip in enumerate(self._chips):
            chip.setText(texts[number] if number < len(texts) else "")
            chip.setVisible(number < len(texts))
        self._leave_out()

    def shorten(self, short: bool) -> None:
        """Where there is one line for all, leave out what the list beside says too."""
        self._short = short
        self._leave_out()

    def _leave_out(self) -> None:
        crowded = self._short and not self._chips[0].isHidden()
        self._kind.setVisible(not crowded)
        self._topic.setVisible(bool(self._topic.text()) and not crowded)


class Labelled(QFrame):
    """Labels in a column, and the sentences that they stand for beside them."""

    def __init__(self, role: str = "panel") -> None:
        super().__init__()
        self.setProperty("role", role)
        lines = QVBoxLayout(self)
        lines.setContentsMargins(tokens.SPACE_L, tokens.SPACE_M, tokens.SPACE_L, tokens.SPACE_M)
        lines.setSpacing(tokens.SPACE_S)
        self._pool = ReusedWidgets(lines, _LabelledLine)

    def display(self, rows: Sequence[FactRow]) -> Iterator[None]:
        """Show these rows, a step for each."""
        self.setVisible(bool(rows))
        yield from self._pool.display(rows, _LabelledLine.display)


class _LabelledLine(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._label, self._text = label("", "quiet"), label("", wrap=True, select=True)
        self._label.setMinimumWidth(LABEL_WIDTH)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(tokens.SPACE_M)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self._label, 0, 0, TOP)
        grid.addWidget(self._text, 0, 1, TOP)

    def display(self, fact: FactRow) -> None:
        self._label.setText(fact.label)
        self._text.setText(fact.text)


class FactRows(QWidget):
    """What was read, by each fact's name in a column; measured points have a picture of theirs."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._pool = ReusedWidgets(
            _titled(self, tr("Facts and points")), lambda: _FactLine(appearance)
        )

    def display(self, evidence: Sequence[Evidence]) -> Iterator[None]:
        """Show these, a step for each."""
        self.setVisible(bool(evidence))
        metrics = self.fontMetrics()
        widest = max((metrics.horizontalAdvance(fact_name(one)) for one in evidence), default=0)
        column_width = min(widest + tokens.SPACE_S, NAME_WIDTH)
        yield from self._pool.display(evidence, lambda line, one: line.display(one, column_width))


class _FactLine(QWidget):
    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._picture = IconLabel(appearance, "info")
        self._name, self._text = (label("", wrap=True, select=True) for _ in range(2))
        restyle(self._name, "role", "quiet")
        line = row(self._picture, self._name, self._text, space=tokens.SPACE_M)
        line.setStretch(2, 1)
        for widget in (self._picture, self._name, self._text):
            line.setAlignment(widget, TOP)
        self.setLayout(line)

    def display(self, one: Evidence, name_width: int) -> None:
        self._picture.display("chart-line" if one.point_ids else "info")
        self._name.setText(breakable(fact_name(one)))
        self._name.setFixedWidth(name_width)
        self._text.setText(one.text)


class Findings(QWidget):
    """Published findings: what was found, under which conditions, and where that stands.

    Those that were seen on another file system, cloud or server stand behind a button.
    """

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        lines = _titled(self, tr("Published findings"))
        near, far = column(space=tokens.SPACE_XS), column(space=tokens.SPACE_XS)
        self._others = QWidget()
        self._others.setLayout(far)
        self._others.hide()
        self.more = Button(appearance, "", "chevron-down", "quiet")
        self.more.setCheckable(True)
        self.more.toggled.connect(self._others.setVisible)
        lines.addLayout(near)
        lines.addLayout(row(self.more, None))
        lines.addWidget(self._others)
        self._near = ReusedWidgets(near, lambda: _FindingLine(appearance))
        self._far = ReusedWidgets(far, lambda: _FindingLine(appearance))

    def display(
        self, near: Sequence[PublishedFinding], far: Sequence[PublishedFinding]
    ) -> Iterator[None]:
        """Show these, a step for each."""
        self.setVisible(bool(near or far))
        self.more.setChecked(False)
        text = tr_n("1 seen on other systems", "{n} seen on other systems", len(far))
        self.more.display(text, "chevron-down", "quiet")
        self.more.setVisible(bool(far))
        yield from self._near.display(near, _FindingLine.display)
        yield from self._far.display(far, _FindingLine.display)


class _FindingLine(QWidget):
    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance, self._url = appearance, ""
        self._text = label("", wrap=True, select=True)
        self._source = label("", "small", wrap=True, select=True)
        self._link = QLabel()
        self._link.setTextFormat(Qt.TextFormat.RichText)
        self._link.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self._link.setOpenExternalLinks(True)
        picture = IconLabel(appearance, "book-open")
        line = row(picture)
        line.setAlignment(picture, TOP)
        line.addLayout(column(self._text, self._source, self._link, space=1), 1)
        self.setLayout(line)
        appearance.follow(self._show_link)

    def display(self, finding: PublishedFinding) -> None:
        source = published(finding)
        self._text.setText(source.text)
        self._source.setText(f"{source.label}: {source.note}")
        self._url = finding.url
        self._show_link()

    def _show_link(self) -> None:
        """In the palette's colour: a link keeps the one that it was written in."""
        url, there, colour = escape(self._url), tr("Read it there"), self._appearance.palette.accent
        self._link.setText(f"<a href='{url}' style='color:{colour}'>{there}</a>" if url else "")
        self._link.setVisible(bool(url))


def _titled(block: QWidget, title: str) -> QVBoxLayout:
    """A title over the layout that it returns."""
    lines = column(space=tokens.SPACE_XS)
    layout = column(label(title, "heading"), space=tokens.SPACE_XS)
    layout.addLayout(lines)
    block.setLayout(layout)
    return lines
