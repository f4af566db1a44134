"""In which form a plan is shown: as steps, or as a text of one of several kinds."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QWidget

from advisor.plan.change_plan import ChangePlan
from advisor.plan.export.formats import Format, suits
from advisor.report.forms.plan_formats import FORMATS
from app.presenters.texts.typesetting import plain_tip
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.flow_layout import FlowLayout
from app.views.widgets.turned import DropDown

STEPS = ""
"""The key of the steps; those of the others are the names of their forms."""

IN_FRONT = (STEPS, "sql", "cnf")
"""The forms on switches; all others are in a list beside these."""

SHORT = {
    "cnf": "my.cnf",
    "container": "Container",
    "ansible": "Ansible",
    "rds": "RDS",
    "azure": "Azure",
    "gcloud": "Cloud SQL",
    "shell": "Shell",
}
"""What fits one line; its title is in the tool tip."""


def short(form: Format) -> str:
    """The form's name on a switch or in a list."""
    return SHORT.get(form.name, form.title)


class FormChoice(QWidget):
    """The forms of a plan, of which one holds. Signals: ``picked()`` when the user chose."""

    picked = Signal()

    def __init__(self, appearance: Appearance, *beside: QWidget) -> None:
        """``beside`` stands behind the forms, where there is room on their line."""
        super().__init__()
        self._key = STEPS
        self._forms = list(FORMATS)
        self._group = QButtonGroup(self)
        self._switches: dict[str, Button] = {}
        for key in IN_FRONT:
            title = FORMATS[key].title if key else tr("Steps")
            caption = short(FORMATS[key]) if key else title
            switch = Button(appearance, caption, "", "switch", title)
            switch.setCheckable(True)
            switch.clicked.connect(lambda _checked=False, key=key: self.choose(key))
            self._group.addButton(switch)
            self._switches[key] = switch
        self.others = DropDown()
        self.others.setProperty("role", "small")
        self.others.setPlaceholderText(tr("Other form"))
        self.others.setAccessibleName(tr("Other form"))
        self.others.activated.connect(lambda _at: self.choose(str(self.others.currentData())))
        self.setLayout(
            FlowLayout(*self._switches.values(), self.others, *beside, space=tokens.SPACE_XS)
        )
        self._list()
        self._show()

    @property
    def key(self) -> str:
        """The form's name; "" for the steps."""
        return self._key

    @property
    def offered(self) -> list[str]:
        """The names of the forms that can be chosen, without the steps."""
        return list(self._forms)

    def choose(self, key: str) -> None:
        """Choose a form as the user does."""
        self._key = key
        self._show()
        self.picked.emit()

    def offer(self, plan: ChangePlan) -> None:
        """Show the forms that suit the plan's server; the steps where the chosen one does not."""
        forms = [key for key in FORMATS if suits(key, plan.version)]
        if forms != self._forms:
            self._forms = forms
            self._list()
        if self._key not in self._forms:
            self._key = STEPS
        self._show()

    def _list(self) -> None:
        self.others.clear()
        for key in self._forms:
            if key not in IN_FRONT:
                self.others.addItem(short(FORMATS[key]), key)

    def _show(self) -> None:
        for key, switch in self._switches.items():
            switch.setVisible(key == STEPS or key in self._forms)
        # Of an exclusive group one button is checked, whatever one does.
        self._group.setExclusive(False)
        for key, switch in self._switches.items():
            switch.setChecked(key == self._key)
        self._group.setExclusive(self._key in self._switches)
        self.others.setCurrentIndex(self.others.findData(self._key))
        self.others.setToolTip(plain_tip(FORMATS[self._key].title if self._key in FORMATS else ""))
