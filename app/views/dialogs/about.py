"""What this is, its shortcuts, and the licences of what ships with it."""

from __future__ import annotations

from importlib.resources import files

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QTextBrowser, QVBoxLayout, QWidget

from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.layouts import row
from app.views.widgets.markdown import show_markdown
from probes._version import __version__


class AboutDialog(QDialog):
    """Shows the text that ships in ``resources/texts``."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("About Leadline")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(600, 560)
        text = files("resources").joinpath("texts", "about.md").read_text("utf-8")
        page = QTextBrowser()
        page.setProperty("role", "page")
        page.setOpenExternalLinks(True)
        show_markdown(page, text.replace("{version}", __version__))
        close = Button(appearance, "Close", "", "primary")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(tokens.SPACE_XL,) * 4)
        layout.setSpacing(tokens.SPACE_L)
        layout.addWidget(page, 1)
        layout.addLayout(row(None, close))
