"""One rule's outcome: what was seen, what to do about it, and all that this rests on."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QTextBrowser, QVBoxLayout, QWidget

from advisor.outcomes import NotApplicable, NotJudged, Outcome, Recommendation, Verdict
from advisor.report.published import cited
from app.models.advice_card import background, blocks, chips, foreground, look
from app.models.advice_rows import AdviceRow, marked
from app.models.run import Run
from app.preferences import Preferences
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.advice_parts import facts, findings, labelled, move
from app.views.apply_block import ApplyBlock
from app.views.curve_panel import CurvePanel
from app.views.markdown import show_markdown
from app.views.parts import Button, Picture, clear, label, row

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
            self._tell_silence(outcome)
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

    def _draw(self, outcome: Outcome, run: Run) -> None:
        ids = marked(outcome)
        cited_points = [point for point in run.points if point.id in ids]
        self.panel.setVisible(bool(cited_points))
        if cited_points:
            self.panel.show_run(run, ids)

    def _head(self, outcome: Outcome) -> None:
        icon, tone, word = look(outcome)
        picture = Picture(self._appearance, icon, tone)
        self._top.addLayout(row(picture, label(word, "small"), None))
        self._top.addWidget(label(outcome.title, "sentence", wrap=True, select=True))

    def _tell_outcome(self, item: Recommendation) -> None:
        self._head(item)
        if item.verdict is Verdict.RECOMMEND and item.proposed:
            self._top.addWidget(move(self._appearance, item))
        self._top.addWidget(label(item.saw, wrap=True, select=True))
        self._top.addLayout(row(*(label(text, "chip") for text in chips(item)), None))
        if front := foreground(item):
            self._top.addWidget(labelled(front))
        if item.evidence:
            self._top.addLayout(facts(self._appearance, item.evidence))
        if behind := background(item):
            self._bottom.addWidget(labelled(behind, "card"))
        for caption, text in blocks(item):
            self._bottom.addWidget(ApplyBlock(self._appearance, caption, text))
        if item.findings:
            self._bottom.addLayout(findings(self._appearance, cited(item.findings)))

    def _tell_silence(self, item: NotJudged | NotApplicable) -> None:
        self._head(item)
        self._top.addWidget(label(item.because, wrap=True, select=True))
