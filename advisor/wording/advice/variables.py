"""A setting of the catalogue in words and as a document."""

from __future__ import annotations

from typing import Any

from advisor.variables.catalogue import MARIADB, MYSQL, fate, notes, span
from advisor.variables.defaults import FORMULAS
from advisor.variables.entry import OPEN, Fate, Note, Span, UnknownLine, ValueKind
from advisor.variables.naming import span_text
from advisor.variables.sheets import Sheet
from probes import figures
from probes.version import ServerVersion, dotted

FATES = {
    Fate.TAKEN: "works",
    Fate.DEPRECATED: "works, and is to go",
    Fate.IGNORED: "does nothing",
    Fate.REFUSED: "stops the server from starting",
    Fate.UNKNOWN: "nobody has tried",
}
"""What becomes of a line of the option file."""

FAMILIES = {MYSQL: "MySQL", MARIADB: "MariaDB"}

_ENDLESS = 2**62
"""What no machine can hold: the server's own type ends there, and nothing else."""


def default_text(known: Span, sheet: Sheet) -> str:
    """The default, or how it comes about; with both, the default comes first."""
    words = FORMULAS[known.formula].words if known.formula else ""
    if known.default is None:
        return words
    plain = _amount(known.default, sheet) or "empty"
    return f"{plain} ({words})" if words and words != plain else plain


def values_text(known: Span, sheet: Sheet) -> str:
    """What may be set: words, or the bounds of a number; "" where nothing bounds it."""
    if sheet.kind is ValueKind.SWITCH:
        return "OFF, ON"
    if known.words:
        return ", ".join(known.words)
    if known.low is None or known.high is None:
        return ""
    low = _amount(f"{known.low:.10g}" if isinstance(known.low, float) else str(known.low), sheet)
    if known.high >= _ENDLESS:
        return f"{low} or more"
    return f"{low} to {_amount(str(known.high), sheet)}"


def change_text(known: Span) -> str:
    """What a change takes."""
    if known.rebuild:
        return "a new data directory"
    if known.call:
        return f"SELECT {known.call}(...)"
    return "SET GLOBAL" if known.dynamic else "a restart"


def state_text(known: Span) -> str:
    """What else is to be known of it: deprecated, not in every build; "" where it is plain."""
    state = "" if known.state == "kept" else str(known.state)
    return f"{state}, not in every build".lstrip(", ") if known.optional else state


def line_text(line: UnknownLine) -> str:
    """What a line does in versions that lack the setting."""
    return f"{span_text(line.since, line.before)}: missing; a line {FATES[line.fate]}."


def _amount(text: str, sheet: Sheet) -> str:
    if sheet.kind is ValueKind.SIZE and text.isdigit():
        return figures.size(int(text))
    return text


def facts_of(sheet: Sheet, version: ServerVersion | None = None) -> dict[str, Any]:
    """A sheet as a JSON document; with a version, what holds in it alone."""
    document: dict[str, Any] = {
        "name": sheet.name,
        "category": sheet.category,
        "kind": sheet.kind,
        "unit": sheet.unit,
        "summary": sheet.summary,
        "risk": sheet.risk,
        "session": sheet.session,
    }
    if version is None:
        return document | {
            "spans": [_where(each) | _span(each) for each in sheet.spans],
            "missing": [
                _where(each) | {"line": each.fate, "measured": each.measured}
                for each in sheet.lines
            ],
            "notes": [_where(each) | _note(each) for each in sheet.notes],
        }
    known = span(version, sheet.name)
    return document | {
        "version": str(version),
        "exists": known is not None,
        **({} if known is None else _span(known) | {"run": known.was_measured(version)}),
        "line": fate(version, sheet.name),
        "notes": [_note(each) for each in notes(version, sheet.name)],
    }


def _where(each: Span | UnknownLine | Note) -> dict[str, Any]:
    before = None if each.before == OPEN else dotted(each.before)
    return {
        "flavour": each.flavour,
        "since": dotted(each.since),
        "before": before,
    }


def _span(known: Span) -> dict[str, Any]:
    return {
        "default": known.default,
        "computed": FORMULAS[known.formula].words if known.formula else None,
        "low": known.low,
        "high": known.high,
        "step": known.step,
        "words": known.words,
        "takes": change_text(known),
        "state": known.state,
        "optional": known.optional,
        "measured": known.measured,
    }


def _note(note: Note) -> dict[str, Any]:
    return {"habit": note.habit, "text": note.text, "measured": note.measured}
