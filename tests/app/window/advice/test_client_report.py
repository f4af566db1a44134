"""A report for a client: shown as its pages before it is written, for advice and for drives."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from advisor.report.document.cover import OwnWords
from advisor.report.document.templates import Paper
from app.controllers.drive_keys import ReferenceKey
from app.controllers.paper_report import PaperReport
from app.controllers.selection import Choice
from app.views.dialogs.advice_words import AdviceWordsDialog
from app.views.dialogs.report import ReportDialog
from app.window.main_window import MainWindow
from app.window.parts import ADVICE, COMPARE
from tests.advisor.report.forms.pdf_reading import Pdf
from tests.app.window.conftest import caught_up
from tests.app.window.looking import chosen, texts
from tests.app.window.stage import RUN_1
from tests.present import present


@pytest.fixture
def window(qtbot: QtBot, done: MainWindow) -> MainWindow:
    done.show_page(ADVICE)
    caught_up(qtbot, done)
    qtbot.waitUntil(lambda: done.advice_controller.plan is not None)
    return done


def opened(qtbot: QtBot, window: MainWindow) -> ReportDialog:
    """The dialog that has just been asked for, its pages laid out."""
    dialog = window.findChildren(ReportDialog)[-1]
    qtbot.waitUntil(dialog.save_pdf.isEnabled)
    return dialog


def shown(dialog: ReportDialog) -> int:
    """How many pages there are to be turned."""
    return int(dialog.preview.page_text.text().split()[-1])


def answer(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(file), ""))


def test_the_pages_are_seen_and_written_and_what_was_typed_is_remembered(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.advice.report_button.click()
    dialog = opened(qtbot, window)
    assert dialog.focusWidget() is dialog.client
    QTest.keyClicks(dialog.client, "Example Shop")
    assert not dialog.save_pdf.isEnabled()
    dialog.paper.pick(Paper.LETTER.value)
    dialog.paper.picked.emit(Paper.LETTER.value)
    dialog.hide_names.setChecked(True)
    qtbot.waitUntil(dialog.save_pdf.isEnabled)
    assert "hosts and accounts are left out" in dialog.hide_names.toolTip()
    count = shown(dialog)
    for key, number in (
        (Qt.Key.Key_PageDown, 2),
        (Qt.Key.Key_End, count),
        (Qt.Key.Key_PageUp, count - 1),
        (Qt.Key.Key_Home, 1),
    ):
        QTest.keyClick(dialog.preview, key)
        assert dialog.preview.page_text.text() == f"Page {number} of {count}"
    assert not dialog.preview.grab().isNull()
    file = tmp_path / "client.pdf"
    answer(monkeypatch, file)
    with qtbot.waitSignal(dialog.written):
        QTest.keyClick(dialog.client, Qt.Key.Key_Return)
    pdf = Pdf(file.read_bytes())
    assert (len(pdf.pages), pdf.size) == (count, (612, 792))
    assert "What to decide" in {text for _, text, _ in pdf.outline()}
    assert window.notices.shown[-1].open.isVisible()
    window.pages.handing_over.report()
    again = opened(qtbot, window)
    wishes = again.wishes
    assert (wishes.client, wishes.paper, wishes.template.hide_names) == (
        "Example Shop",
        Paper.LETTER,
        True,
    )
    page = tmp_path / "client.html"
    answer(monkeypatch, page)
    with qtbot.waitSignal(again.written):
        again.save_page.click()
    assert "<dd>Example Shop</dd>" in page.read_text("utf-8")


def test_a_report_asked_for_while_its_run_is_read_opens_once_the_advice_is_there(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.selection.choose(Choice())
    window.parts.stored_runs.forget_opened()
    window.selection.choose(RUN_1)
    assert window.selection.loading
    window.pages.handing_over.report()
    assert not window.findChildren(ReportDialog)
    assert "as soon as the advice is there" in texts(window.notices)
    qtbot.waitUntil(lambda: bool(window.findChildren(ReportDialog)))
    opened(qtbot, window).reject()
    assert not chosen(window.errors.callout)


def test_what_is_wrong_is_said_in_the_dialog(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.pages.handing_over.report()
    dialog = opened(qtbot, window)
    dialog.logo.setText(__file__)
    qtbot.waitUntil(lambda: "neither PNG nor SVG" in chosen(dialog.callout))
    assert not dialog.save_pdf.isEnabled()
    dialog.logo.setText("")
    qtbot.waitUntil(dialog.save_pdf.isEnabled)
    assert chosen(dialog.callout) == ""
    answer(monkeypatch, tmp_path / "nowhere" / "client.pdf")
    dialog.save_pdf.click()
    qtbot.waitUntil(lambda: "can't be written" in chosen(dialog.callout))
    assert dialog.save_pdf.isEnabled()
    dialog.reject()


def test_advice_is_exported_on_paper_too(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "advice.pdf"
    answer(monkeypatch, file)
    with qtbot.waitSignal(window.pages.advice_export.written) as told:
        window.pages.handing_over.advice()
    assert told.args == [file]
    assert len(Pdf(file.read_bytes()).pages) > 3


def test_a_comparison_has_a_report_of_its_own(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.show_page(COMPARE)
    controller = window.pages.comparison_controller
    qtbot.waitUntil(lambda: len(controller.references) > 1)
    for one in controller.references[:2]:
        controller.pick(ReferenceKey(one.key), True)
    window.compare.press()
    qtbot.waitUntil(lambda: controller.comparison is not None)
    window.compare.report_button.click()
    dialog = opened(qtbot, window)
    file = tmp_path / "drives.html"
    answer(monkeypatch, file)
    with qtbot.waitSignal(dialog.written):
        dialog.save_page.click()
    text = file.read_text("utf-8")
    assert "2 drives compared" in text
    for one in controller.references[:2]:
        assert one.source in text


def test_a_dialog_may_be_closed_while_pages_or_a_file_are_made(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.pages.handing_over.report()
    window.findChildren(ReportDialog)[-1].reject()
    qtbot.waitUntil(lambda: not window.parts.runner.running)
    window.pages.handing_over.report()
    dialog = opened(qtbot, window)
    file = tmp_path / "client.pdf"
    answer(monkeypatch, file)
    dialog.save_pdf.click()
    dialog.reject()
    qtbot.waitUntil(file.exists)


def test_a_template_says_what_the_report_holds_and_is_kept_for_the_next(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.pages.handing_over.report()
    dialog = opened(qtbot, window)
    count = shown(dialog)
    assert dialog.template.currentText() == "client"
    dialog.template.setCurrentText("manager")
    dialog.template.activated.emit(dialog.template.currentIndex())
    qtbot.waitUntil(dialog.save_pdf.isEnabled)
    assert shown(dialog) < count
    assert not dialog.sections.actions_by_name["curves"].isChecked()
    dialog.sections.actions_by_name["plan"].trigger()
    dialog.opening.setPlainText("What we were asked.\n\nWhat we did.")
    dialog.author.setText("J. Roe")
    dialog.template.setEditText("house")
    dialog.keep.click()
    assert "Kept as house" in dialog.kept_as.text()
    dialog.reject()
    window.pages.handing_over.report()
    again = opened(qtbot, window)
    again.author.clear()
    again.template.setCurrentText("house")
    again.template.activated.emit(again.template.currentIndex())
    assert again.author.text() == "J. Roe"
    assert again.opening.toPlainText().endswith("What we did.")
    marked = again.sections.marked
    assert marked is not None
    here = {"summary", "risks", "forecast", "tried", "what-if", "plan"}
    assert marked - {"roles", "under"} == here
    again.template.setEditText("../elsewhere")
    again.keep.click()
    assert again.callout.isVisible()


def test_what_was_typed_stays_when_the_dialog_is_closed(qtbot: QtBot, window: MainWindow) -> None:
    window.pages.handing_over.report()
    dialog = opened(qtbot, window)
    dialog.client.setText("Example Shop")
    dialog.author.setText("Jo Doe")
    dialog.opening.setPlainText("What we were asked.\n\nWhat we did.")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    window.pages.handing_over.report()
    again = opened(qtbot, window)
    assert (again.client.text(), again.author.text()) == ("Example Shop", "Jo Doe")
    assert again.opening.toPlainText() == "What we were asked.\n\nWhat we did."
    again.close_button.click()
    # Another report has an opening of its own, and this one's is not lost by that.
    name, again._name = again._name, "leadline-db8"
    preferences = window.parts.preferences
    assert preferences.text(f"report/opening/{name}") == "What we were asked.\n\nWhat we did."
    assert preferences.text("report/opening/leadline-db8") == ""


def test_words_beside_advice_are_printed_and_stand_there_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.pages.handing_over.report()
    dialog = opened(qtbot, window)
    assert dialog.words.isVisible()
    dialog.words.click()
    (typing,) = dialog.findChildren(AdviceWordsDialog)
    rule, (words, who, until) = next(iter(typing.fields.items()))
    words.setPlainText("Seen in March,\ntoo.")
    who.setText("Ada")
    until.setText("1 June")
    typing.use.click()
    assert not dialog.save_pdf.isEnabled()
    qtbot.waitUntil(dialog.save_pdf.isEnabled)
    dialog.words.click()
    typing = next(one for one in dialog.findChildren(AdviceWordsDialog) if one.isVisible())
    typing.fields[rule][1].setText("Eve")
    typing.cancel.click()
    assert dialog.own == (OwnWords(rule, "Seen in March,\ntoo.", "Ada", "1 June"),)
    dialog.words.click()
    typing = next(one for one in dialog.findChildren(AdviceWordsDialog) if one.isVisible())
    typing.fields[rule][2].setText("2 June")
    QTest.keyClick(typing, Qt.Key.Key_Escape)
    assert dialog.own[0].until == "2 June"
    dialog.system.setText("Checkout")
    dialog.confidential.setText("For Example Shop")
    qtbot.waitUntil(dialog.save_pdf.isEnabled)
    file = tmp_path / "client.html"
    answer(monkeypatch, file)
    with qtbot.waitSignal(dialog.written):
        dialog.save_page.click()
    text = file.read_text("utf-8")
    for shown_text in ("Seen in March, too.", "Ada", "2 June", "advice for Checkout"):
        assert shown_text in text
    window.pages.handing_over.report()
    again = opened(qtbot, window)
    assert again.own == (OwnWords(rule, "Seen in March,\ntoo.", "Ada", "2 June"),)
    assert (again.system.text(), again.confidential.text()) == ("", "For Example Shop")


def test_a_closed_dialog_keeps_neither_its_pages_nor_what_they_were_made_of(
    qtbot: QtBot, window: MainWindow
) -> None:
    seen: list[weakref.ref[object]] = []
    for _ in range(3):
        window.pages.handing_over.report()
        dialog = opened(qtbot, window)
        paper = present(window.findChild(PaperReport))
        seen += [weakref.ref(dialog), weakref.ref(paper)]
        with qtbot.waitSignal(paper.destroyed):
            dialog.reject()
        del dialog, paper
    assert window.findChild(PaperReport) is None
    gc.collect()
    # The last one is forgotten with the next that is dressed.
    assert [each() for each in seen[:-2]] == [None] * 4


def test_a_dialog_that_is_closed_while_its_pages_are_made_is_forgotten_too(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.pages.handing_over.report()
    paper = present(window.findChild(PaperReport))
    with qtbot.waitSignal(paper.destroyed):
        window.findChildren(ReportDialog)[-1].reject()
