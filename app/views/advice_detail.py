"""One rule's outcome: what was seen, what to do about it, and the points it rests on."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QTextBrowser, QVBoxLayout, QWidget

from advisor.outcomes import NotJudged, Recommendation, Verdict
from app.models.advice_rows import VERDICTS, AdviceRow, fact_name, facts, marked
from app.models.run import Run
from app.preferences import Preferences
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.apply_block import ApplyBlock
from app.views.curve_panel import CurvePanel
from app.views.markdown import show_markdown
from app.views.parts import Button, CopyButton, Picture, bullet, clear, column, label, row

CHART_HEIGHT = 600


class AdviceDetail(QScrollArea):
    """Shows one row of the list."""

    def __init__(
        self, appearance: Appearance, preferences: Preferences, pages: dict[str, str]
    ) -> None:
        """``pages`` are the rules' documentation (Markdown) by id."""
        super().__init__()
        self._appearance, self._pages = appearance, pages
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        body.setObjectName("pageBody")
        self._top = QVBoxLayout()
        self._bottom = QVBoxLayout()
        for part in (self._top, self._bottom):
            part.setSpacing(tokens.SPACE_M)
        self.panel = CurvePanel(appearance, preferences, name="advice")
        self.panel.setFixedHeight(CHART_HEIGHT)
        self._documentation = QTextBrowser()
        self._documentation.setProperty("role", "page")
        self._documentation.setOpenExternalLinks(True)
        self._documentation.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._documentation.document().documentLayout().documentSizeChanged.connect(
            lambda size: self._documentation.setFixedHeight(math.ceil(size.height()) + 4)
        )
        self.more = Button(appearance, "Abo&ut this rule", "book-open", "quiet")
        self.more.setCheckable(True)
        self.more.toggled.connect(self._show_page)
        self._page = ""
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, tokens.SPACE_M, tokens.SPACE_L)
        layout.setSpacing(tokens.SPACE_L)
        layout.addLayout(self._top)
        layout.addWidget(self.panel)
        layout.addLayout(self._bottom)
        layout.addLayout(row(self.more, None))
        layout.addWidget(self._documentation)
        layout.addStretch(1)
        self.setWidget(body)
        self._documentation.hide()

    def show_row(self, shown: AdviceRow, run: Run) -> None:
        """Tell everything about one rule."""
        clear(self._top)
        clear(self._bottom)
        outcome = shown.outcome
        if isinstance(outcome, Recommendation):
            self._tell_outcome(outcome)
        else:
            self._tell_not_judged(outcome)
        self._draw(outcome, run)
        # The page's own title stands above already.
        self._page = self._pages.get(shown.rule, "").partition("\n")[2].strip()
        self.more.setVisible(bool(self._page))
        self._show_page()
        self.verticalScrollBar().setValue(0)

    def _show_page(self) -> None:
        """Lay the rule's page out only when it is looked at: that takes a while."""
        wanted = bool(self._page) and self.more.isChecked()
        if wanted:
            show_markdown(self._documentation, self._page)
        self._documentation.setVisible(wanted)

    def _draw(self, outcome: Recommendation | NotJudged, run: Run) -> None:
        ids = marked(outcome)
        cited = [point for point in run.points if point.id in ids]
        self.panel.setVisible(bool(cited))
        if cited:
            self.panel.show_run(run, ids)

    def _tell_outcome(self, item: Recommendation) -> None:
        icon, tone, verdict = VERDICTS[item.verdict]
        top = row(Picture(self._appearance, icon, tone), label(verdict, "small"), None)
        self._top.addLayout(top)
        self._top.addWidget(label(item.title, "sentence", wrap=True, select=True))
        if item.verdict is Verdict.RECOMMEND and item.proposed:
            self._top.addWidget(self._move(item))
        self._top.addWidget(label(item.saw, wrap=True, select=True))
        self._chips(item)
        self._evidence(item)
        for caption, text in (("Expected effect", item.effect), ("Risk", item.risk)):
            self._paragraph(self._bottom, caption, text)
        for caption, text in (
            ("Statement", item.apply.sql),
            ("Option file", item.apply.cnf),
            ("Command", item.apply.os),
            ("Undo", item.undo),
        ):
            if text:
                self._bottom.addWidget(ApplyBlock(self._appearance, caption, text))
        self._paragraph(self._bottom, "What would change this advice", item.flips_when)

    def _tell_not_judged(self, item: NotJudged) -> None:
        picture = Picture(self._appearance, "circle-question-mark")
        self._top.addLayout(row(picture, label("Not judged", "small"), None))
        self._top.addWidget(label(item.title, "sentence", wrap=True, select=True))
        self._top.addWidget(label(item.because, wrap=True, select=True))

    def _move(self, item: Recommendation) -> QFrame:
        """Now and proposed, side by side."""
        frame = QFrame()
        frame.setProperty("role", "panel")
        layout = QHBoxLayout(frame)
        layout.setContentsMargins(tokens.SPACE_L, tokens.SPACE_M, tokens.SPACE_L, tokens.SPACE_M)
        layout.setSpacing(tokens.SPACE_L)
        for caption, value in (("Now", item.now), ("Proposed", item.proposed)):
            if value:
                if layout.count():
                    layout.addWidget(Picture(self._appearance, "arrow-right", "accent"))
                shown = label(value, "sentence", wrap=True, select=True)
                layout.addLayout(column(label(caption, "small"), shown, space=2))
        layout.addStretch(1)
        for caption, text in (("SQL", item.apply.sql), ("my.cnf", item.apply.cnf)):
            if text:
                copy = CopyButton(self._appearance, caption)
                copy.offer(text)
                copy.setToolTip(f"Copy: {text}")
                copy.setAccessibleName(f"Copy {caption}")
                layout.addWidget(copy)
        return frame

    def _chips(self, item: Recommendation) -> None:
        chips = [label(f"{caption}: {text}", "chip") for caption, text in facts(item) if text]
        self._top.addLayout(row(*chips, None))

    def _paragraph(self, place: QVBoxLayout, caption: str, text: str) -> None:
        if not text:
            return
        block = QVBoxLayout()
        block.setSpacing(2)
        block.addWidget(label(caption, "heading"))
        block.addWidget(label(text, wrap=True, select=True))
        place.addLayout(block)

    def _evidence(self, item: Recommendation) -> None:
        if not item.evidence:
            return
        block = QVBoxLayout()
        block.setSpacing(tokens.SPACE_XS)
        block.addWidget(label("Evidence", "heading"))
        for one in item.evidence:
            icon = "chart-line" if one.point_ids else "info"
            picture = Picture(self._appearance, icon)
            line = bullet(picture, label(one.text, wrap=True, select=True))
            line.addWidget(label(fact_name(one), "small", select=True))
            block.addLayout(line)
        self._top.addLayout(block)
