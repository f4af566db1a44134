"""The case seen from another version: moved defaults, lines that go, advice that changes."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from advisor.report.lens_words import headline, sections
from app.controllers.advice import AdviceController
from app.presenters.advice.other_versions import offered
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.advice.version_sections import VersionSections
from app.views.widgets.callout import Empty
from app.views.widgets.labels import label
from app.views.widgets.layouts import row, scrolled
from app.views.widgets.turned import DropDown


class OtherVersionView(QWidget):
    """Asks for a version and shows what it would change; the choice of it is kept."""

    def __init__(self, appearance: Appearance, advice_controller: AdviceController) -> None:
        super().__init__()
        self._appearance, self._advice_controller = appearance, advice_controller
        self.versions = DropDown()
        self.versions.setAccessibleName(tr("Version to see the server as"))
        self._headline = label("", "heading", wrap=True, select=True)
        self._sections = VersionSections(appearance)
        self._area = scrolled(self._sections, tr("What another version would change"))
        self.empty = Empty(appearance, "eye")
        self.empty.display(
            tr("No server to see otherwise"),
            tr(
                "Where a check has looked at a server, its settings and advice can be seen here as "
                "those of another version."
            ),
        )
        self._release = label("", "quiet")
        self._chooser = QWidget()
        seen_as = label(tr("Seen as"), "quiet")
        seen_as.setBuddy(self.versions)
        self._chooser.setLayout(row(seen_as, self.versions, self._release, None))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, tokens.SPACE_M, tokens.SPACE_L)
        layout.setSpacing(tokens.SPACE_M)
        for widget in (self._chooser, self._headline, self.empty):
            layout.addWidget(widget)
        layout.addWidget(self._area, 1)
        self.versions.activated.connect(lambda _index: self._ask())
        advice_controller.turned.connect(self._offer)
        advice_controller.looked.connect(self._show)
        self._offer()

    def _offer(self) -> None:
        """Offer the versions that the server of this case could be seen as."""
        run = self._advice_controller.run
        found = offered(run.inventory if run is not None else None)
        before = self.versions.currentText()
        self.versions.clear()
        for name, version in found:
            self.versions.addItem(name, version)
        self.versions.setCurrentIndex(max(0, self.versions.findText(before)))
        for widget in (self._chooser, self._headline, self._area):
            widget.setVisible(bool(found))
        self.empty.setVisible(not found)
        self._ask()

    def showEvent(self, event: QShowEvent) -> None:
        """Work it out when somebody looks: it takes two judgements."""
        super().showEvent(event)
        if self._advice_controller.report is None:
            self._ask()

    def _ask(self) -> None:
        self._advice_controller.look_as(self.versions.currentData() if self.isVisible() else None)

    def _show(self) -> None:
        report = self._advice_controller.report
        if report is None:
            self._headline.setText(tr("Judging it as that version."))
            self._release.setText("")
            self._sections.show_sections((), ())
        else:
            self._headline.setText(headline(report))
            # Defaults move within a series, too.
            self._release.setText(tr("with the defaults of {version}", version=report.after))
            self._sections.show_sections(report.warnings, list(sections(report)))
