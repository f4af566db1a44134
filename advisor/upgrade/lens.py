"""The upgrade lens: what moving a server to another version changes, in settings and in advice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from advisor.case import Case
from advisor.facts.server.lines import (
    fate_of,
    is_untried,
    refused_value,
    refused_words,
    reports_origins,
    same_value,
)
from advisor.facts.server.option_files import (
    ELSEWHERE,
    FileLines,
    OptionLine,
    Strange,
    StrangeLine,
    file_lines,
)
from advisor.judging.over_draws import judge
from advisor.outcomes import Judgement, NotJudged, Outcome, Recommendation, Verdict
from advisor.plan.target import machine_of
from advisor.upgrade.other_version import (
    NoServer,
    as_version,
    others_in,
    refused_in,
    server_of,
    stated_in,
)
from advisor.upgrade.refused_values import end_sentence, strange_sentence, values_named
from advisor.upgrade.refused_words import words_named, words_to_go
from advisor.upgrade.releases import between, newer_than_known, series_name, trial_command
from advisor.variables.catalogue import SETTINGS, fate, notes, span, word_fate
from advisor.variables.defaults import default
from advisor.variables.entry import Fate, Habit
from advisor.variables.option_values import kind_of
from probes.inventory.facts import DYNAMIC, MySQLFacts
from probes.inventory.option_files import takes_capitals
from probes.kinds.words import capital
from probes.version import ServerVersion

__all__ = [
    "AdviceChange",
    "AdviceFate",
    "LensReport",
    "LineFate",
    "Moved",
    "NoServer",
    "as_version",
    "lens",
]

SURPRISES = frozenset({Habit.LOSES, Habit.MEANS, Habit.CUT, Habit.IGNORED})
"""What a new version may do with an old line that its owner should hear of."""

NAMING = frozenset({"log_bin"})
"""Lines that give a name where the server shows a switch: they say more than any default."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A setting that nobody made, whose default differs; "" where a version has none to tell."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class LineFate:
    """What becomes of a value that somebody set.

    ``value`` is what it would be there, "" where it is gone. ``sentence`` says it for people.
    ``delete``: it should be taken out with the upgrade. REFUSED without it: a part of its value.
    """

    line: OptionLine
    fate: Fate
    value: str
    sentence: str
    delete: bool


class AdviceFate(StrEnum):
    """How advice changes: it comes, it goes (or nothing is left to do), it says something else."""

    NEW = "new"
    GONE = "gone"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class AdviceChange:
    """One rule whose outcome differs between the versions."""

    turn: AdviceFate
    before: Outcome
    after: Outcome

    @property
    def rule(self) -> str:
        """The rule's id."""
        return self.after.rule


@dataclass(frozen=True, slots=True)
class LensReport:
    """What moving a server to another version changes.

    ``moved`` are defaults, ``lines`` the values that somebody set and that fare differently or need
    a word; ``delete`` those to be taken out, ``pinned`` those that keep an old default alive.
    ``through`` are the series that an upgrade in place has to pass. ``warnings`` are sentences.
    ``judgement`` is the advice for the other version. ``stops`` say at which lines and files its
    start ends that are no options.
    """

    before: ServerVersion
    after: ServerVersion
    moved: tuple[Moved, ...]
    lines: tuple[LineFate, ...]
    pinned: tuple[OptionLine, ...]
    advice: tuple[AdviceChange, ...]
    through: tuple[ServerVersion, ...]
    warnings: tuple[str, ...]
    judgement: Judgement
    stops: tuple[str, ...] = ()

    @property
    def delete(self) -> tuple[LineFate, ...]:
        """The lines to take out with the upgrade."""
        return tuple(line for line in self.lines if line.delete)

    @property
    def change(self) -> tuple[LineFate, ...]:
        """The lines whose value the other version refuses, or words of it, though not the name."""
        stated = (each for each in self.lines if each.line.origin != DYNAMIC)
        return tuple(
            each
            for each in stated
            if refused_words(each.line, self.after) or refused_value(each.line, self.after)
        )

    @property
    def untried(self) -> tuple[LineFate, ...]:
        """The lines of which nobody knows whether the other version starts with them."""
        return tuple(
            each for each in self.lines if not each.delete and is_untried(each.line, self.after)
        )


def lens(case: Case, version: ServerVersion, judged: Judgement | None = None) -> LensReport:
    """Hold a case against another version of its server; raises NoServer without one.

    ``judged`` is the case's own judgement where it is at hand: to judge takes long.
    """
    mysql = server_of(case)
    other = as_version(case, version)
    judgement = judge(other)
    stated = {} if mysql.sandbox else {line.name: line for line in stated_in(case)}
    after = server_of(other)
    files = file_lines(case.inventory)
    others = () if mysql.sandbox else others_in(case)
    fates = [_fate(line, mysql.version, version, after) for line in (*stated.values(), *others)]
    if not mysql.sandbox:
        fates += [_fate_of_refused(line, version) for line in refused_in(case)]
    kept = [_kept(one) for one in fates if one is not None]
    return LensReport(
        before=mysql.version,
        after=version,
        moved=_moved(case, mysql, after, stated),
        lines=tuple(kept),
        pinned=tuple(line for line in stated.values() if _pins(line, case, version)),
        advice=_turns(judge(case) if judged is None else judged, judgement),
        through=between(mysql.version, version) if version.flavour is mysql.version.flavour else (),
        warnings=_warnings(mysql, version, files),
        judgement=judgement,
        stops=() if mysql.sandbox else _stops(files, version),
    )


def _fate(
    line: OptionLine, before: ServerVersion, version: ServerVersion, after: MySQLFacts
) -> LineFate | None:
    """Say what becomes of a line; None where nothing does."""
    what, where = fate_of(line, version), series_name(version)
    value = after.value(line.name) or ""
    known = span(version, line.name)
    if refused := values_named([line], version):
        return LineFate(line, what, "", refused, False)
    if words := words_named([line], version):
        usable = [] if known is None else [w for w in known.words if _takes(version, line, w)]
        takes = f" It takes {', '.join(usable)}." if usable else ""
        sentence = f"{words}{takes} {capital(words_to_go([line], version))}."
        return LineFate(line, what, "", sentence, False)
    if what is Fate.REFUSED:
        return LineFate(line, what, "", f"{where} refuses to start with {line}.", True)
    if what is Fate.IGNORED:
        sentence = f"{where} starts with {line} and does nothing with it."
        return LineFate(line, what, value, sentence, True)
    usual = None if known is None or line.name in NAMING else known.default
    if usual is not None and same_value(value, usual):
        sentence = f"{line} is {where}'s default."
        return LineFate(line, what, value, sentence, True)
    sentences = [note.text for note in notes(version, line.name) if note.habit in SURPRISES]
    old = {note.text for note in notes(before, line.name)}
    sentences = [text for text in sentences if text not in old]
    if known is not None and not same_value(value, line.value):
        sentences.insert(0, f"{where} cuts {line} to {value}.")
    if what is Fate.DEPRECATED and fate(before, line.name) is not Fate.DEPRECATED:
        sentences.insert(0, f"{where} takes {line} and calls it deprecated.")
    if is_untried(line, version):
        sentences.insert(0, f"Not tried on {where}: run {trial_command(version)} there.")
    return LineFate(line, what, value, " ".join(sentences), False) if sentences else None


def _fate_of_refused(line: OptionLine, version: ServerVersion) -> LineFate | None:
    """Say what becomes of a line that ends the start today; None where the other version starts."""
    what = fate_of(line, version)
    if what is Fate.REFUSED:
        sentences = values_named([line], version) or words_named([line], version)
        if sentences:
            return LineFate(line, what, "", sentences, False)
        return LineFate(
            line, what, "", f"{series_name(version)} refuses to start with {line}.", True
        )
    if kind_of(version, line.name) is not None:
        return None
    sentence = f"Not tried on {series_name(version)}: run {trial_command(version)} there."
    return LineFate(line, Fate.UNKNOWN, "", sentence, False)


def _takes(version: ServerVersion, line: OptionLine, word: str) -> bool:
    return word_fate(version, line.name, word) is Fate.TAKEN


def _kept(fate_of_line: LineFate) -> LineFate:
    """What was set while the server runs stands nowhere, so there is nothing to take out."""
    stands = fate_of_line.line.origin not in {DYNAMIC, ELSEWHERE}
    return replace(fate_of_line, delete=fate_of_line.delete and stands)


def _moved(
    case: Case, before: MySQLFacts, after: MySQLFacts, stated: Mapping[str, OptionLine]
) -> tuple[Moved, ...]:
    """The settings that nobody made and that would be others."""
    machine = machine_of(case)
    moved = []
    for name in sorted(SETTINGS):
        if name in stated or span(after.version, name) is None:
            continue
        old, new = before.value(name), after.value(name)
        if before.sandbox:
            old = default(before.version, name, machine)
            new = default(after.version, name, machine)
        has_old = span(before.version, name) is not None
        if has_old and old is not None and new is not None and not same_value(old, new):
            moved.append(Moved(name, old, new))
    return tuple(moved)


def _pins(line: OptionLine, case: Case, version: ServerVersion) -> bool:
    """Whether a line holds the old version's default against another one of the new."""
    mysql = server_of(case)
    if fate(version, line.name) is Fate.IGNORED:
        return False
    was = span(mysql.version, line.name)
    comes = span(version, line.name)
    if was is None or comes is None or was.default is None or comes.default is None:
        return False
    return same_value(line.value, was.default) and not same_value(was.default, comes.default)


def _turns(before: Judgement, after: Judgement) -> tuple[AdviceChange, ...]:
    old, new = _by_rule(before), _by_rule(after)
    turns = []
    for rule, outcome in new.items():
        was = old[rule]
        if _says(was) == _says(outcome):
            continue
        if not (asks(was) or asks(outcome)):
            continue
        if not asks(was):
            turn = AdviceFate.NEW
        elif not asks(outcome):
            turn = AdviceFate.GONE
        else:
            turn = AdviceFate.OTHER
        turns.append(AdviceChange(turn, was, outcome))
    return tuple(turns)


def asks(outcome: Outcome) -> bool:
    """Whether it asks for something, or to be watched."""
    return isinstance(outcome, Recommendation) and outcome.verdict is not Verdict.FINE


def _by_rule(judgement: Judgement) -> dict[str, Outcome]:
    outcomes: tuple[Outcome, ...] = (
        *judgement.recommendations,
        *judgement.not_judged,
        *judgement.not_applicable,
    )
    return {outcome.rule: outcome for outcome in outcomes}


def _says(outcome: Outcome) -> tuple[str, str, str]:
    """What counts as another advice: verdict and value, not the wording of figures."""
    if isinstance(outcome, Recommendation):
        return outcome.verdict.value, outcome.setting, outcome.proposed
    return ("not judged" if isinstance(outcome, NotJudged) else "not applicable", "", "")


def _stops(files: FileLines | None, version: ServerVersion) -> tuple[str, ...]:
    """Say where the other version's start ends in the option files, beside values."""
    if files is None:
        return ()
    strange = [strange_sentence(line, version) for line in files.strange if _stays(line, version)]
    return (*map(end_sentence, files.ends), *strange)


def _stays(line: StrangeLine, version: ServerVersion) -> bool:
    """Whether the other version ends its start at a line, too; capitals it may take."""
    return line.why is Strange.NO_OPTION or takes_capitals(version) is False


def _warnings(
    mysql: MySQLFacts, version: ServerVersion, files: FileLines | None
) -> tuple[str, ...]:
    """What the comparison can't know, and what an upgrade in place does not do."""
    sentences = [f"{version} is {newer}."] if (newer := newer_than_known(version)) else []
    if version.flavour is not mysql.version.flavour:
        sentences.append(
            f"{series_name(version)} does not take over a data directory of {mysql.version}: dump "
            "the data and load it there."
        )
    elif version.numbers[:2] < mysql.version.numbers[:2]:
        sentences.append(
            f"{series_name(version)} does not open a data directory that {mysql.version} has used: "
            "dump the data and load it there."
        )
    elif mysql.version.is_mysql and (through := between(mysql.version, version)):
        names = ", ".join(series_name(each) for each in through)
        sentences.append(f"An upgrade in place goes through every series between: {names}.")
    if not mysql.sandbox and not reports_origins(mysql):
        which = "each one" if files is None else "each one outside the option files"
        sentences.append(
            f"{mysql.version} does not report where a value was set, so {which} that differs from "
            "its default counts as set."
        )
    if not mysql.sandbox and (files is None or files.unread):
        sentences.append(
            "Not all option files were read, so lines without a variable were not checked: run "
            f"{trial_command(version)} of {series_name(version)} with them."
        )
    return tuple(sentences)
