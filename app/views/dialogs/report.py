"""A report for a client: what its first page says, its pages as they will be, and saving it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from advisor.report.document.cover import OwnWords
from advisor.report.document.hiding import HIDDEN, SHOWN
from advisor.report.document.templates import CLIENT as FOR_CLIENT
from advisor.report.document.templates import Paper, Template
from app.controllers.paper_report import PaperReport, ReportWishes
from app.controllers.report_templates import ReportTemplates
from app.presenters.texts.typesetting import plain_tip
from app.runtime.debounce import Debounce
from app.runtime.preferences import Preferences
from app.runtime.save_file import ask_where
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.dialogs.advice_words import AdviceWordsDialog, read_own, written_own
from app.views.dialogs.page_preview import PagePreview
from app.views.dialogs.report_sections import SectionsButton
from app.views.widgets.buttons import Button, Fold, Segments
from app.views.widgets.callout import Callout
from app.views.widgets.growing import FieldArea
from app.views.widgets.labels import label
from app.views.widgets.layouts import form, row
from app.views.widgets.turned import DropDown
from probes.errors import LeadlineError

if TYPE_CHECKING:
    from advisor.report.forms.pdf import PdfPages

LEAST, FORM_WIDTH, CAPTION_WIDTH = QSize(900, 600), 380, 96
OPENING_HEIGHT = 72
OF_WINDOW = 0.94
"""The share of the window that it takes: the pages shall be read."""

SHARP = 80.0
"""Dots of a page for each inch of its paper. With many more, reading one of the pictures holds the
event loop for longer than a frame."""

TYPED_MS = 400
PAPER, HIDE, OPENING, WORDS = (f"report/{name}" for name in ("paper", "hide", "opening", "words"))
KEPT = ("client", "author", "contact", "confidential", "logo")
"""Lines that are the same in the next report."""


class ReportDialog(QDialog):
    """Signals: ``written(Path)`` with the file."""

    written = Signal(Path)

    def __init__(
        self,
        appearance: Appearance,
        preferences: Preferences,
        report: PaperReport,
        templates: ReportTemplates,
        *,
        name: str,
        day: str,
        parent: QWidget,
    ) -> None:
        """``name`` is what the file shall be called, without its ending; ``day`` is today."""
        super().__init__(parent)
        appearance.dress(self)
        self._preferences, self._report, self._name = preferences, report, name
        self._appearance = appearance
        self._templates = templates
        # A file that is being written is wanted though its dialog is closed.
        report.setParent(parent)
        self.setWindowTitle(tr("Report for a client"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize((parent.size() * OF_WINDOW).expandedTo(LEAST))
        self.client, self.author, self.contact, self.confidential, self.logo = (
            QLineEdit(preferences.text(f"report/{each}")) for each in KEPT
        )
        self.system, self.version, self.valid = QLineEdit(), QLineEdit(), QLineEdit()
        self.date = QLineEdit(day)
        self.logo.setToolTip(tr("PNG or SVG"))
        self.paper = Segments(tuple((each.value, each.value) for each in Paper))
        self.paper.setAccessibleName(tr("Paper"))
        self.paper.pick(preferences.text(PAPER, Paper.A4.value))
        self.template = DropDown()
        self.template.setEditable(True)
        self.template.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.template.addItems(templates.names())
        self.sections = SectionsButton(appearance, report.sections, self)
        self.sections.mark(FOR_CLIENT.sections)
        self.own = read_own(preferences.text(f"{WORDS}/{name}"))
        self.words = Button(appearance, tr("Words on advice…"))
        self.words.setVisible(bool(report.advice))
        self.keep = Button(
            appearance,
            tr("Sa&ve"),
            tip=tr("Save sections, opening, author, logo and paper as a template"),
        )
        # What was said before one server's report is not said before another's.
        self.opening = QPlainTextEdit(preferences.text(f"{OPENING}/{name}"))
        self.opening.setFixedHeight(OPENING_HEIGHT)
        self.opening.setTabChangesFocus(True)
        self.opening.setPlaceholderText(tr("First paragraph"))
        self.hide_names = QCheckBox(tr("Leave out hosts and accounts"))
        self.hide_names.setChecked(preferences.switch(HIDE))
        self.kept_as = label("", "small", wrap=True)
        self.kept_as.hide()
        self.callout = Callout(appearance)
        self.preview = PagePreview(appearance)
        self._build(appearance)
        self._typed = Debounce(self, TYPED_MS, self._show)
        self._connect(report)
        self.client.setFocus()
        self._show()

    def _connect(self, report: PaperReport) -> None:
        for field in self._lines:
            field.textChanged.connect(lambda _text: self._changed())
        self.opening.textChanged.connect(self._changed)
        self.template.activated.connect(lambda _at: self._use_template())
        self.sections.changed.connect(self._changed)
        self.words.clicked.connect(self._ask_words)
        self.keep.clicked.connect(self._keep_template)
        self.paper.picked.connect(lambda _key: self._changed())
        self.hide_names.toggled.connect(lambda _on: self._changed())
        report.laid_out.connect(self._take)
        report.refused.connect(self._refuse)
        report.written.connect(self._done)

    def _build(self, appearance: Appearance) -> None:
        choose = Button(appearance, "", "folder-open", "quiet", tr("Choose the logo's file"))
        choose.clicked.connect(self._choose_logo)
        grid = form(
            (tr("&Client"), self.client),
            (tr("&Date"), self.date),
            (tr("&Author"), self.author),
            (tr("&Logo"), self.logo, row(self.logo, choose, space=tokens.SPACE_XS)),
            (tr("&Opening"), self.opening),
            (tr("&Template"), self.template, row(self.template, self.keep, space=tokens.SPACE_XS)),
            (tr("&Sections"), self.sections, row(self.sections, self.words, None)),
        )
        self.template.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        rare = form(
            (tr("S&ystem"), self.system),
            (tr("&Version"), self.version),
            (tr("Valid &until"), self.valid),
            (tr("Con&tact"), self.contact),
            (tr("Con&fidentiality"), self.confidential),
        )
        rare.addWidget(label(tr("Paper"), "quiet"), rare.rowCount(), 0)
        rare.addWidget(self.paper, rare.rowCount() - 1, 1, Qt.AlignmentFlag.AlignLeft)
        body = QWidget()
        body.setLayout(rare)
        rare.setContentsMargins(0, 0, 0, 0)
        self.more = Fold(appearance, body, tr("More"))
        # Captions of both are one column.
        for each in (grid, rare):
            each.setColumnMinimumWidth(0, CAPTION_WIDTH)
        self._show_rare()
        self.close_button = Button(appearance, tr("Close"))
        self.close_button.clicked.connect(self.reject)
        self.save_page = Button(appearance, tr("Save as HTML…"))
        self.save_page.clicked.connect(lambda: self._save(".html"))
        self.save_pdf = Button(appearance, tr("Save as PDF…"), "download", "primary")
        self.save_pdf.setDefault(True)
        self.save_pdf.clicked.connect(lambda: self._save(".pdf"))
        fields = QVBoxLayout()
        fields.setSpacing(tokens.SPACE_M)
        fields.addLayout(grid)
        fields.addWidget(self.hide_names)
        fields.addWidget(self.kept_as)
        fields.addWidget(self.more)
        area = FieldArea(fields, tr("Cover and contents of the report"))
        side = QVBoxLayout()
        side.setSpacing(tokens.SPACE_M)
        side.addWidget(area, 1)
        side.addWidget(self.callout)
        side.addLayout(row(self.close_button, None, self.save_page, self.save_pdf))
        left = QWidget()
        left.setFixedWidth(FORM_WIDTH)
        left.setLayout(side)
        side.setContentsMargins(0, 0, 0, 0)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(*(tokens.SPACE_XL,) * 4)
        layout.setSpacing(tokens.SPACE_XL)
        layout.addWidget(left)
        layout.addWidget(self.preview, 1)

    def _show_rare(self) -> None:
        """Nothing that is filled in stays behind the button."""
        if any(each.text() for each in (self.contact, self.confidential)):
            self.more.button.setChecked(True)

    @property
    def wishes(self) -> ReportWishes:
        """What is typed now."""
        return ReportWishes(
            client=self.client.text(),
            date=self.date.text(),
            system=self.system.text(),
            version=self.version.text(),
            valid=self.valid.text(),
            template=self._chosen,
        )

    @property
    def _lines(self) -> tuple[QLineEdit, ...]:
        """Every line that is typed."""
        of_template = (self.author, self.contact, self.confidential, self.logo)
        return (self.client, self.system, self.date, self.version, self.valid, *of_template)

    @property
    def _chosen(self) -> Template:
        return Template(
            self.sections.marked,
            self.opening.toPlainText(),
            self.author.text(),
            self.logo.text(),
            self.paper.key,
            self.hide_names.isChecked(),
            self.contact.text(),
            self.confidential.text(),
            self.own,
        )

    def _use_template(self) -> None:
        """Put what a template says into the fields; where it says nothing, what is typed stays."""
        try:
            found = self._templates.named(self.template.currentText())
        except LeadlineError as error:
            self.callout.tell_error(error)
            return
        self.sections.mark(found.sections)
        self.opening.setPlainText(found.opening)
        for name in ("author", "contact", "confidential", "logo"):
            if text := getattr(found, name):
                getattr(self, name).setText(text)
        self.paper.pick(found.paper or self.paper.key)
        self.hide_names.setChecked(found.hide_names or self.hide_names.isChecked())
        self.own = found.own or self.own
        self._show_rare()
        self._changed()

    def _ask_words(self) -> None:
        dialog = AdviceWordsDialog(self._appearance, self._report.advice, self.own, self)
        dialog.accepted.connect(lambda: self._use_words(dialog.own))
        dialog.open()

    def _use_words(self, own: tuple[OwnWords, ...]) -> None:
        self.own = own
        self._changed()

    def _keep_template(self) -> None:
        name = self.template.currentText().strip()
        try:
            path = self._templates.keep(name, self._chosen)
        except LeadlineError as error:
            self.callout.tell_error(error)
            return
        if self.template.findText(path.stem) < 0:
            self.template.addItem(path.stem)
        self.template.setCurrentText(path.stem)
        text = tr("Kept as {name}, for this dialog and the command line.", name=path.stem)
        self.kept_as.setText(text)
        self.kept_as.show()

    def _changed(self) -> None:
        self._allow(False)
        self._typed.start()

    def _show(self) -> None:
        self._allow(False)
        self.callout.tell_error(None)
        text = HIDDEN if self.hide_names.isChecked() else SHOWN
        self.hide_names.setToolTip(plain_tip(f"{text[:1].upper()}{text[1:]}."))
        self._report.show(self.wishes, SHARP * self.devicePixelRatioF())

    def _take(self, pages: PdfPages) -> None:
        self.preview.show_pages(pages.pictures)
        # Of several servers it is known with the first pages.
        self.words.setVisible(bool(self._report.advice))
        self._allow(not self._typed.isActive())

    def _refuse(self, error: LeadlineError) -> None:
        self.callout.tell_error(error)
        self._allow(self._report.pages is not None)

    def _allow(self, possible: bool) -> None:
        """Only what is shown can be saved."""
        self.save_pdf.setEnabled(possible)
        self.save_page.setEnabled(possible)

    def _choose_logo(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self,
            tr("Choose a logo"),
            self.logo.text() or str(Path.home()),
            tr("Pictures (*.png *.svg)"),
        )
        if name:
            self.logo.setText(name)

    def _save(self, ending: str) -> None:
        kinds = {tr("Report"): ending}
        path = ask_where(self, tr("Save the report"), f"{self._name}{ending}", kinds)
        if path is None:
            return
        self._allow(False)
        self._report.write(path)

    def done(self, result: int) -> None:
        """Close, however it came to that: what was typed stands here the next time."""
        self._remember()
        self._report.close()
        super().done(result)

    def _remember(self) -> None:
        chosen = self._chosen
        for name in KEPT:
            self._preferences.set_text(f"report/{name}", getattr(self, name).text())
        self._preferences.set_text(f"{WORDS}/{self._name}", written_own(self.own))
        self._preferences.set_text(f"{OPENING}/{self._name}", chosen.opening)
        self._preferences.set_text(PAPER, chosen.paper)
        self._preferences.set_switch(HIDE, chosen.hide_names)

    def _done(self, path: Path) -> None:
        self.written.emit(path)
        self.accept()
