"""Every sheet is whole: no gap inside, no overlap, no default out of its own range."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from itertools import pairwise

import pytest

from advisor.variables.defaults import FORMULAS
from advisor.variables.entry import (
    Fate,
    Note,
    Numbers,
    Span,
    State,
    UnknownLine,
    ValueKind,
    numbers,
)
from advisor.variables.options import LISTS
from advisor.variables.sheets import SHEETS, Sheet, read_sheet
from advisor.wording.advice.variables import default_text, values_text
from probes.version import Flavour
from tests.each import of_each


def padded(version: Numbers) -> Numbers:
    return (*version, 0, 0)[:3]


def parts_of(sheet: Sheet, flavour: Flavour) -> list[Span | UnknownLine]:
    parts: list[Span | UnknownLine] = [*sheet.spans, *sheet.lines]
    found = [part for part in parts if part.flavour is flavour]
    return sorted(found, key=lambda part: padded(part.since))


@of_each(SHEETS)
def test_versions_neither_overlap_nor_run_backwards(sheet: Sheet) -> None:
    for flavour in (Flavour.MYSQL, Flavour.MARIADB):
        parts = parts_of(sheet, flavour)
        assert parts, "nothing is known of this family"
        assert all(padded(part.since) < padded(part.before) for part in parts)
        for one, other in pairwise(parts):
            assert padded(one.before) <= padded(other.since), (one, other)


@of_each(SHEETS)
def test_measured_versions_lie_inside(sheet: Sheet) -> None:
    parts: list[Span | UnknownLine | Note] = [*sheet.spans, *sheet.lines, *sheet.notes]
    for part in parts:
        for version in part.measured:
            inside = padded(part.since) <= numbers(version) < padded(part.before)
            assert inside, (part, version)


@of_each(SHEETS)
def test_defaults_are_values_that_may_be_set(sheet: Sheet) -> None:
    for span in sheet.spans:
        assert span.default is not None or span.formula, span
        if span.default is None or span.state is State.IGNORED:
            continue
        if sheet.kind is ValueKind.SWITCH:
            assert span.default in {"ON", "OFF"}
        if sheet.kind in {ValueKind.NUMBER, ValueKind.SIZE}:
            assert span.low is not None
            assert span.high is not None
            # MariaDB shows 0 for a size that it chooses itself.
            assert span.low <= float(span.default) <= span.high or span.default == "0"
        if span.words and span.default:
            assert span.default in span.words


@of_each(SHEETS)
def test_words_are_told_for_words_alone(sheet: Sheet) -> None:
    for span in sheet.spans:
        assert bool(span.words) <= (sheet.kind is ValueKind.WORD)
        assert not span.words or span.low is None
        assert not span.formula or span.formula in FORMULAS


@of_each(SHEETS)
def test_sentences_are_sentences(sheet: Sheet) -> None:
    sentence = re.compile(r"[A-Z0-9a-z].*[.]", re.DOTALL)
    for text in (sheet.summary, *(note.text for note in sheet.notes)):
        assert sentence.fullmatch(text), text
        assert "  " not in text
        assert not re.search(r"\b[FBS]\d{1,3}\b", text), "an id that no reader can look up"
    assert sheet.phrase == sheet.phrase.strip().rstrip(".")
    assert sheet.risk in {"none", "low", "medium", "high"}


@of_each(SHEETS)
def test_it_can_be_said(sheet: Sheet) -> None:
    for span in sheet.spans:
        assert default_text(span, sheet)
        assert values_text(span, sheet) or sheet.kind in {
            ValueKind.TEXT,
            ValueKind.PATH,
            ValueKind.WORD,
        }


def test_a_file_is_named_after_its_setting() -> None:
    folder = files("resources").joinpath("variables")
    names = {file.name.removesuffix(".toml") for file in folder.iterdir() if "toml" in file.name}
    assert names == set(SHEETS)


def test_every_formula_is_used() -> None:
    assert {span.formula for sheet in SHEETS.values() for span in sheet.spans} - {""} == set(
        FORMULAS
    )


def test_notes_are_of_both_families() -> None:
    notes: list[Note] = [note for sheet in SHEETS.values() for note in sheet.notes]
    assert {note.flavour for note in notes} == {Flavour.MYSQL, Flavour.MARIADB}


def test_a_sheet_that_is_none_is_refused() -> None:
    told = tomllib.loads('name = "x"\ncategory = "y"\nkind = "colour"\nunit = ""\nsummary = ""')
    with pytest.raises(ValueError, match="colour"):
        read_sheet(told | {"risk": "none"})


def test_an_option_without_a_variable_is_not_called_ignored() -> None:
    """A server that lists an option uses it, whatever it shows of variables."""
    lines = [
        (sheet.name, line, LISTS[line.flavour])
        for sheet in SHEETS.values()
        for line in sheet.lines
        if line.fate in {Fate.IGNORED, Fate.REFUSED}
    ]
    called = [
        (name, run)
        for name, line, lists in lines
        for run, letter in zip(lists.servers, lists.letters.get(name, ""), strict=False)
        if letter == "l" and line.since <= run < line.before
    ]
    assert called == []
