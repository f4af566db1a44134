"""The window's texts: each translated where it is said, and all of them in each language."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

import pytest
from PySide6.QtCore import QTranslator

from app.runtime.translation import speak, tr, tr_later, tr_n
from app.window.language import LANGUAGES
from tests.app.window_texts import ROOT, saying, translated, untranslated

FOLDER = ROOT / "resources" / "languages"
OTHERS = sorted(code for code in LANGUAGES if code != "en")

NAMES = re.compile(
    r"Ctrl\+.*|Esc|MM|(?:\d+ )?[KMG]iB(?:/s)?|CPU|SSH|TLS|SQL|MySQL|O_DIRECT|HANDLER|Leadline:?"
    r"|<.*>|padding-right:.*|Ansible|RDS|Azure|Cloud SQL|Shell|English|Deutsch|LEADLINE_LANGUAGE"
)
"""What is called so in each language, and markup."""

ENGLISH = {
    # What advice says, as in every document.
    "presenters/advice_card.py": {"Confidence: {}", "Needs ", "No restart", "would change if"},
    "presenters/advice_rows.py": {", because ", " · saves "},
    "presenters/headlines.py": {
        " of  judged rules ask for a change; first: .",
        "1 of  judged rules asks for a change: .",
        " to data. ",
    },
    # For whoever mends a fault.
    "presenters/diagnostics.py": {
        "Home: ",
        "Leadline ",
        "Nothing was logged since the start.",
        "Python , ",
    },
    "window/frame.py": {"Leadline "},
    "window/main_window.py": {"Qt , ", "x at "},
    # A variable's name.
    "runtime/single_window.py": {"XDG_RUNTIME_DIR"},
    # What a report of the comparison says, too.
    "presenters/candidates.py": {"This computer"},
    # Keys, and the servers' own words.
    "presenters/axes.py": {"block size", "flush rate"},
    "presenters/phrases.py": {"page cleaner"},
    "presenters/overview.py": {
        "AUTO",
        "COMMAND-LINE",
        "COMMAND_LINE",
        "COMPILE-TIME",
        "COMPILED",
        "CONFIG",
        "DYNAMIC",
        "EXPLICIT",
        "GLOBAL",
        "Innodb_os_log_fsyncs",
        "Innodb_pages_read",
        "Innodb_pages_written",
        "PERSISTED",
        "Questions",
        "SERVER",
        "Threads_running",
    },
    "presenters/watch_timeline.py": {"{calls}, MiB/s"},
}
"""Texts of modules that stay as they are."""


@dataclass(frozen=True, slots=True)
class Message:
    """A text of a catalogue; ``said`` has a form for each number where it counts something."""

    text: str
    apart: str
    counts: bool
    state: str
    said: tuple[str, ...]


def messages(code: str) -> Iterator[Message]:
    for found in ET.parse(FOLDER / f"{code}.ts").iter("message"):
        translation = found.find("translation")
        assert translation is not None
        forms = [form.text or "" for form in translation.findall("numerusform")]
        yield Message(
            found.findtext("source") or "",
            found.findtext("comment") or "",
            found.get("numerus") == "yes",
            translation.get("type", ""),
            tuple(forms or [translation.text or ""]),
        )


def holes(text: str) -> set[str]:
    """The names of the figures that a text takes."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.fixture
def backwards() -> Iterator[None]:
    """A language that says everything from its end to its start."""
    speak(lambda text, _apart, _n: text[::-1])
    yield
    speak(None)


@pytest.mark.parametrize("path", saying(), ids=lambda path: str(path.relative_to(ROOT / "app")))
def test_what_is_said_is_translated(path: Path) -> None:
    allowed = ENGLISH.get(path.relative_to(ROOT / "app").as_posix(), set())
    found = [text for text in untranslated(path) if not NAMES.fullmatch(text.strip())]
    assert sorted(set(found) - allowed) == []


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_has_the_texts_of_the_sources_and_no_others(code: str) -> None:
    sources = {text for path in (ROOT / "app").rglob("*.py") for text in translated(path)}
    known = [(each.text, each.apart) for each in messages(code)]
    assert sorted(sources - set(known)) == []
    assert sorted(set(known) - sources) == []
    assert len(known) == len(set(known))


@pytest.mark.parametrize("code", OTHERS)
def test_each_text_has_its_translation_with_the_same_figures(code: str) -> None:
    wrong = [
        each
        for each in messages(code)
        if each.state
        or not all(each.said)
        or any(
            holes(form) != holes(each.apart if each.counts else each.text)
            for form in each.said[-1:]
        )
        or not all(holes(form) <= holes(each.apart or each.text) for form in each.said)
        or any("&" in each.text and form.count("&") != 1 for form in each.said)
    ]
    assert wrong == []


@pytest.mark.parametrize("code", OTHERS)
def test_what_is_compiled_says_what_the_catalogue_says(code: str) -> None:
    compiled = QTranslator()
    assert compiled.load(str(FOLDER / f"{code}.qm"))
    for each in messages(code):
        for number, said in zip((1, 2) if each.counts else (-1,), each.said, strict=True):
            assert compiled.translate("", each.text, each.apart, number) == said


def test_german_addresses_nobody() -> None:
    texts = [said for each in messages("de") for said in each.said]
    texts.append((ROOT / "resources" / "texts" / "about.de.md").read_text(encoding="utf-8"))
    assert [text for text in texts if re.search(r"\b(Sie|Ihnen|Ihre?[mnrs]?)\b", text)] == []


def test_english_needs_no_catalogue() -> None:
    assert tr("{here} of {count}", here=2, count=3) == "2 of 3"
    assert tr("{no figure}") == "{no figure}"
    assert tr_later("Home") == "Home"
    assert [tr_n("1 run of {name}", "{n} runs of {name}", n, name="a") for n in (0, 1, 2345)] == [
        "0 runs of a",
        "1 run of a",
        "2,345 runs of a",
    ]


@pytest.mark.usefixtures("backwards")
def test_texts_are_found_when_they_are_shown() -> None:
    assert tr("emoH") == "Home"
    assert tr(tr_later("emoH")) == "Home"
    assert tr_n("1 nur", "n nur", 3) == "run 1"
