"""Beside compared curves: who is who, which one is the baseline, and what forbids to compare."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QLabel,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from advisor.compare.comparison import LETTERS, Comparison, lettered_reasons
from advisor.compare.photo import photo
from advisor.wording.measured.comparison import MIND, UNDER_MYSQL, in_labs
from app.presenters.texts.typesetting import plain_tip
from app.presenters.texts.window_words import in_window
from app.runtime.translation import tr, tr_n
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.charts.swatches import SWATCH, swatch_pixmap
from app.views.widgets.buttons import Button, Fold
from app.views.widgets.labels import IconLabel, breakable, label
from app.views.widgets.layouts import bullet, clear, column, row

WIDTH = 290


class CompareLegend(QScrollArea):
    """Signals: ``baseline_picked(index)``; ``prices_wanted()`` asks for what the drives cost."""

    baseline_picked = Signal(int)
    prices_wanted = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._comparison: Comparison | None = None
        self._baseline = 0
        self._swatches: list[tuple[QLabel, int]] = []
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(220)
        body = QWidget()
        body.setObjectName("pageBody")
        self._contenders = QVBoxLayout()
        self._contenders.setSpacing(tokens.SPACE_S)
        self._notices = QVBoxLayout()
        self._notices.setSpacing(tokens.SPACE_S)
        self._heading = label("", "heading")
        measured = QWidget()
        self._measured = column()
        measured.setLayout(self._measured)
        self.measured = Fold(appearance, measured)
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, tokens.SPACE_S, 0)
        layout.setSpacing(tokens.SPACE_S)
        self.prices = Button(appearance, tr("Prices…"), "", "quiet", tr("What the drives cost"))
        self.prices.clicked.connect(self.prices_wanted)
        layout.addLayout(row(label(tr("Baseline of the ratios"), "heading"), None, self.prices))
        layout.addLayout(self._contenders)
        layout.addSpacing(tokens.SPACE_S)
        layout.addWidget(self._heading)
        layout.addLayout(self._notices)
        layout.addWidget(self.measured)
        layout.addStretch(1)
        self.setWidget(body)
        self.radios = QButtonGroup(self)
        self.radios.idClicked.connect(self.baseline_picked)
        appearance.follow(self._dress)

    def show_comparison(self, comparison: Comparison, baseline: int) -> None:
        """List contenders and notices; redrawn only for another comparison."""
        self._baseline = baseline
        if comparison is not self._comparison:
            self._comparison = comparison
            self._fill(comparison)
        button = self.radios.button(baseline)
        if button is not None:
            button.setChecked(True)

    def _fill(self, comparison: Comparison) -> None:
        clear(self._contenders)
        clear(self._notices)
        clear(self._measured)
        for button in self.radios.buttons():
            self.radios.removeButton(button)
        self._swatches = []
        for index, contender in enumerate(comparison.contenders):
            radio = QRadioButton()
            radio.setAccessibleName(tr("Baseline: {name}", name=contender.name))
            self.radios.addButton(radio, index)
            picture = QLabel()
            picture.setFixedSize(SWATCH)
            self._swatches.append((picture, index))
            name = label(f"{LETTERS[index]}  {breakable(contender.name)}", wrap=True)
            whole = "\n".join((contender.name, contender.source, *contender.caveats))
            name.setToolTip(plain_tip(whole))
            line = row(radio, picture, name)
            line.setStretch(2, 1)
            self._contenders.addLayout(line)
        self._dress()
        reasons = lettered_reasons(comparison)
        self._heading.setText(tr(MIND) if reasons else tr("Measured alike"))
        # The first stands there, all others on demand.
        for at, reason in enumerate(reasons):
            mark = IconLabel(self._appearance, "triangle-alert", "warn")
            text = label(breakable(in_window(reason.sentence)), "small", wrap=True, select=True)
            (self._measured if at else self._notices).addLayout(bullet(mark, text))
        if worked := in_labs(comparison):
            self._notices.addWidget(label(UNDER_MYSQL, "heading", wrap=True))
            for each in worked:
                mark = IconLabel(self._appearance, "database", "quiet")
                text = label(breakable(each), "small", wrap=True, select=True)
                self._notices.addLayout(bullet(mark, text))
        how = tr("How each was measured")
        more = tr_n("1 more, with conditions", "{n} more, with conditions", len(reasons) - 1)
        self.measured.name(more if len(reasons) > 1 else how)
        if not reasons:
            same = tr("Filesystem, file size, block size, fill level and engine are alike.")
            self._notices.addWidget(label(same, "small", wrap=True))
        for letter, contender in zip(LETTERS, comparison.contenders, strict=False):
            for caveat in contender.caveats:
                mark = IconLabel(self._appearance, "info", "quiet")
                text = label(f"{letter}: {caveat}", "small", wrap=True, select=True)
                self._measured.addLayout(bullet(mark, text))
        for index, contender in enumerate(comparison.contenders):
            conditions = "; ".join(f"{name.lower()} {text}" for name, text in photo(contender))
            conditions = conditions or tr("nothing is known")
            entry = f"{LETTERS[index]}  {breakable(conditions)}"
            self._measured.addWidget(label(entry, "small", wrap=True, select=True))

    def _dress(self) -> None:
        ratio = self.devicePixelRatioF()
        for picture, index in self._swatches:
            picture.setPixmap(swatch_pixmap(index, self._appearance.palette, ratio))
