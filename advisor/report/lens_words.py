"""The look from another version in words: a headline, and sections of labelled sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.facts.server.option_files import ELSEWHERE, OptionLine
from advisor.judging.agenda import Part, part_of
from advisor.outcomes import NotJudged, Outcome, Recommendation, Verdict
from advisor.upgrade.lens import AdviceChange, AdviceFate, LensReport, LineFate, Moved, asks
from advisor.upgrade.releases import series_name
from advisor.variables.naming import value_text
from advisor.wording.advice.evidence_card import change_of
from advisor.wording.advice.gains import EYE
from probes.figures import counted
from probes.inventory.facts import COMMAND_LINE

UNSET = "nothing"

DEFAULTS, ADVICE = "Defaults that move", "Advice that changes"
"""The titles of the sections that a version mostly has, and the last ones."""

STOPS = "Lines that end the start"
"""The title of what comes first."""

TURNS = {
    AdviceFate.NEW: "New",
    AdviceFate.GONE: "Gone",
    AdviceFate.OTHER: "Changes",
}


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One thing that changes: what it is about, what becomes of it, and a quieter note."""

    what: str
    text: str
    note: str = ""


def headline(report: LensReport) -> str:
    """What the other version changes, in figures."""
    moved, deleted, turned = len(report.moved), len(report.delete), len(_telling(report))
    changed, untried = len(report.change), len(report.untried)
    parts = [
        _some(len(report.stops), "line ends its start", "lines end its start"),
        _some(moved, "default moves", "defaults move"),
        _some(deleted, "line should go", "lines should go"),
        _some(changed, "line has a value that is refused", "lines have values that are refused"),
        _some(untried, "line was not tried", "lines were not tried"),
        _some(turned, "rule advises otherwise", "rules advise otherwise"),
    ]
    filled = [part for part in parts if part]
    if not filled:
        return f"As {series_name(report.after)} nothing here would change."
    return f"As {series_name(report.after)}: {', '.join(filled)}."


def sections(report: LensReport) -> Iterator[tuple[str, list[ChangeRow]]]:
    """What there is to tell, the gravest first; sections without anything are left out.

    A rule that has no wish in either version is left out.
    """
    named = (*report.delete, *report.change, *report.untried)
    others = [each for each in report.lines if each not in named]
    pinned = [
        ChangeRow(
            str(line), f"keeps the default of {series_name(report.before)} alive", _where(line)
        )
        for line in report.pinned
    ]
    found = (
        (STOPS, [ChangeRow("The next start", each) for each in report.stops]),
        ("Delete these lines", [_line(each) for each in report.delete]),
        ("Change these lines", [_line(each) for each in report.change]),
        ("Lines that were not tried", [_line(each) for each in report.untried]),
        ("Lines to look at", [_line(each) for each in others]),
        ("Lines that hold an old default", pinned),
        (DEFAULTS, [_moved(each) for each in report.moved]),
        (ADVICE, [_turned(each) for each in _telling(report)]),
    )
    return ((title, rows) for title, rows in found if rows)


def _telling(report: LensReport) -> list[AdviceChange]:
    """The turns of advice that asks for something, or asked for it before."""
    return [each for each in report.advice if asks(each.before) or asks(each.after)]


def _some(number: int, one: str, many: str) -> str:
    return counted(number, one, many) if number else ""


def _line(each: LineFate) -> ChangeRow:
    return ChangeRow(str(each.line), each.sentence, _where(each.line))


def _where(line: OptionLine) -> str:
    """Where a value is set, in words that follow "is set"."""
    if line.persisted:
        return "by SET PERSIST"
    if line.origin == COMMAND_LINE:
        return "on the command line"
    if line.origin == ELSEWHERE:
        return "outside the option files"
    return f"in {line.place}" if "/" in line.origin else "in an option file"


def _moved(each: Moved) -> ChangeRow:
    before, after = value_text(each.name, each.before), value_text(each.name, each.after)
    return ChangeRow(each.name, f"{before or UNSET} → {after or UNSET}")


def _turned(each: AdviceChange) -> ChangeRow:
    setting = _setting(each)
    after, before = (_outcome(one, named=not setting) for one in (each.after, each.before))
    if (other := _other_value(each)) is not None:
        # Of one setting its name and today's value are said once.
        before = f"→ {value_text(other.setting, other.proposed)}"
    text = f"{TURNS[each.turn]}: {after} (today: {before})"
    return ChangeRow(setting or each.after.title, text)


def _setting(each: AdviceChange) -> str:
    """The one setting that both outcomes are about; "" where it is not one alone."""
    found = [one for one in (each.before, each.after) if isinstance(one, Recommendation)]
    settings = {one.setting for one in found}
    return settings.pop() if len(settings) == 1 else ""


def _other_value(each: AdviceChange) -> Recommendation | None:
    """Today's advice where both change one setting from one value; else None."""
    found = [
        one
        for one in (each.before, each.after)
        if isinstance(one, Recommendation)
        and one.verdict is Verdict.RECOMMEND
        and one.now
        and one.proposed
    ]
    alike = len({(one.setting, value_text(one.setting, one.now)) for one in found}) == 1
    return found[0] if alike and len(found) == 2 else None


def _outcome(outcome: Outcome, *, named: bool) -> str:
    """How a rule ended, in a few words; those of the list of advice."""
    if isinstance(outcome, Recommendation):
        if outcome.verdict is Verdict.RECOMMEND:
            return change_of(outcome, named=named) or "a change"
        if outcome.verdict is Verdict.FINE:
            return "fine"
        return "minor" if part_of(outcome) is Part.MINOR else EYE
    return "not judged" if isinstance(outcome, NotJudged) else "not about it"
