"""The pieces of an evidence card: now and proposed, formula, facts, grounds, published findings."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout

from advisor.knowledge import Finding
from advisor.outcomes import Evidence, Recommendation
from advisor.report.values import said
from app.models.advice_card import fact_name, published
from app.models.overview import Row
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.parts import CopyButton, Picture, bullet, column, label, row

LABEL_WIDTH = 112


def move(appearance: Appearance, item: Recommendation) -> QFrame:
    """Now and proposed, side by side, with what can be copied at once."""
    frame, layout = _panel()
    for caption, value in (("Now", item.now), ("Proposed", item.proposed)):
        if value:
            if layout.count():
                layout.addWidget(Picture(appearance, "arrow-right", "accent"))
            shown = label(said(item.setting, value), "sentence", wrap=True, select=True)
            layout.addLayout(column(label(caption, "small"), shown, space=2))
    layout.addStretch(1)
    for caption, text in (("SQL", item.apply.sql), ("my.cnf", item.apply.cnf)):
        if text:
            copy = CopyButton(appearance, caption)
            copy.offer(text)
            copy.setToolTip(f"Copy: {text}")
            copy.setAccessibleName(f"Copy {caption}")
            layout.addWidget(copy)
    return frame


def _panel() -> tuple[QFrame, QHBoxLayout]:
    frame = QFrame()
    frame.setProperty("role", "panel")
    layout = QHBoxLayout(frame)
    layout.setContentsMargins(tokens.SPACE_L, tokens.SPACE_M, tokens.SPACE_L, tokens.SPACE_M)
    layout.setSpacing(tokens.SPACE_L)
    return frame, layout


def labelled(rows: Sequence[Row], role: str = "panel") -> QFrame:
    """Labels in a column, and the sentences that they stand for beside them."""
    frame = QFrame()
    frame.setProperty("role", role)
    grid = QGridLayout(frame)
    grid.setContentsMargins(tokens.SPACE_L, tokens.SPACE_M, tokens.SPACE_L, tokens.SPACE_M)
    grid.setHorizontalSpacing(tokens.SPACE_M)
    grid.setVerticalSpacing(tokens.SPACE_S)
    grid.setColumnMinimumWidth(0, LABEL_WIDTH)
    grid.setColumnStretch(1, 1)
    top = Qt.AlignmentFlag.AlignTop
    for index, told in enumerate(rows):
        grid.addWidget(label(told.label, "quiet"), index, 0, top)
        grid.addWidget(label(told.text, wrap=True, select=True), index, 1, top)
    return frame


def facts(appearance: Appearance, evidence: Sequence[Evidence]) -> QVBoxLayout:
    """What was read: measured points first by their picture, each with its fact's name."""
    block = _block("Facts and points")
    for one in evidence:
        picture = Picture(appearance, "chart-line" if one.point_ids else "info")
        line = bullet(picture, label(one.text, wrap=True, select=True))
        line.addWidget(label(fact_name(one), "small", select=True))
        block.addLayout(line)
    return block


def findings(appearance: Appearance, cited: Sequence[Finding]) -> QVBoxLayout:
    """Published findings: what was found, under which conditions, and where that stands."""
    block = _block("Published findings")
    for finding in cited:
        told = published(finding)
        text = column(
            label(told.text, wrap=True, select=True),
            label(f"{told.label}: {told.note}", "small", wrap=True, select=True),
            space=1,
        )
        picture = Picture(appearance, "book-open")
        line = row(picture)
        line.setAlignment(picture, Qt.AlignmentFlag.AlignTop)
        line.addLayout(text, 1)
        block.addLayout(line)
    return block


def _block(title: str) -> QVBoxLayout:
    block = QVBoxLayout()
    block.setSpacing(tokens.SPACE_XS)
    block.addWidget(label(title, "heading"))
    return block
