"""Which language the window speaks: the chosen one, else the system's, else English."""

from __future__ import annotations

import os
from importlib.resources import files

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from app.runtime.translation import speak

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Each by its own name. The texts stand in English; another has a catalogue among the resources."""

SYSTEM = ""
WANTED = "LEADLINE_LANGUAGE"
"""Counts more than what was chosen, for one start."""


def language(chosen: str) -> str:
    """The code of the language to speak; ``chosen`` is one, or ``SYSTEM``."""
    told = (os.environ.get(WANTED, SYSTEM), chosen)
    wished = [code for code in told if code] or QLocale.system().uiLanguages()
    codes = (name.replace("_", "-").partition("-")[0] for name in wished)
    return next((code for code in codes if code in LANGUAGES), "en")


def load_language(application: QApplication, code: str) -> None:
    """Have the window speak it from now on, and Qt's own dialogs too; before the first widget."""
    if code == "en":
        return
    ours, of_qt = QTranslator(application), QTranslator(application)
    if ours.load(str(files("resources").joinpath("languages", f"{code}.qm"))):
        speak(lambda text, apart, n: ours.translate("", text, apart, n))
    if of_qt.load(f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(of_qt)
