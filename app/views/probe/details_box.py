"""The finer settings of a run, shut until somebody wants them."""

from __future__ import annotations

from PySide6.QtWidgets import QFormLayout, QVBoxLayout, QWidget

from app.fields.field import FieldShape
from app.fields.probe import DETAILS, WISHES, shown_in
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.fields import Fields
from app.views.widgets.labels import label
from app.views.widgets.layouts import row


class DetailsBox(QWidget):
    """A button, and the wishes below it."""

    def __init__(self, appearance: Appearance, fields: Fields) -> None:
        super().__init__()
        self.toggle = Button(appearance, tr("More settings"), "chevron-right", "quiet")
        self.toggle.setCheckable(True)
        self.toggle.toggled.connect(self._open)
        self._body = QWidget()
        self._fill(QFormLayout(self._body), fields)
        self._body.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_S)
        layout.addLayout(row(self.toggle, None))
        layout.addWidget(self._body)

    def _fill(self, form: QFormLayout, fields: Fields) -> None:
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(tokens.SPACE_M)
        form.setVerticalSpacing(tokens.SPACE_S)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for name in shown_in(DETAILS):
            wish, field = WISHES[name], fields.widgets[name]
            caption = label("" if wish.shape is FieldShape.SWITCH else wish.caption, "small")
            caption.setMinimumHeight(field.sizeHint().height())
            form.addRow(caption, field)

    def _open(self, shown: bool) -> None:
        self._body.setVisible(shown)
        self.toggle.display(
            tr("More settings"), "chevron-down" if shown else "chevron-right", "quiet"
        )
