"""Option lines as later versions take them.

## What it checks
What becomes of each line of the option files, and of each persisted value, in the series that come
after this one.

## Why it matters
A line that the next version does not know keeps the server down in the middle of an upgrade: MySQL
8.0 refuses the query cache's lines, 9.7 those of the old redo files. Taken out before, the upgrade
starts.

## How it is judged
- For every line the catalogue tells what each later series does with it: heed, pass over, refuse.
  A line with `loose_` is passed over where it would be refused.
- A line that the very next series refuses and that does nothing here: recommend to take it out. One
  that does its work here: watch, since taken out today it changes the value at the next restart; it
  goes with the upgrade. One that only a later series refuses, or that the next one passes over:
  watch.
- None: fine. Lines that nobody has tried are left out.

## How to check by hand
Run the new version's `mysqld --defaults-file=... --validate-config` (MySQL 8.0 and newer), or
`mariadbd --help --verbose` with the old option file.

## Risk and undo
Taking a line that works here out today changes the value at the next restart. What it did is to be
said in the new version's own settings, where it has any.

## When it is wrong
When no upgrade will come. A `loose_` prefix turns a refusal into a warning.

## References
- MySQL 8.0 and 8.4 reference manuals, "What Is New", on removed variables
- MariaDB documentation, upgrade notes of each series
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from advisor.facts.known import MYSQL_LINES, MYSQL_VERSION
from advisor.facts.lines import OptionLine, fate_of
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rules.lines._removal import counted, named, removal
from advisor.steps import Needs
from advisor.upgrade.releases import later_series, series_name
from advisor.variables.entry import Fate
from probes.version import ServerVersion


@rule(topic="Option file", needs=(MYSQL_VERSION, MYSQL_LINES), findings=("B01",))
def check(facts: Facts) -> Answer:
    """Name what a later series refuses."""
    version = facts.get(MYSQL_VERSION)
    stated = facts.get(MYSQL_LINES)
    # What this very version refuses is another rule's, and no matter of an upgrade.
    passed = [line for line in stated.absent if fate_of(line, version) is not Fate.REFUSED]
    lines = (*stated.written, *passed)
    later = later_series(version)
    if not later:
        return Inapplicable(f"No series after {series_name(version)} is known here.")
    refused = {each: _with(lines, each, Fate.REFUSED) for each in later}
    first = next((each for each in later if refused[each]), None)
    if first is None:
        return _started(version, lines, later)
    stopping = refused[first]
    if first is later[0]:
        working = [line for line in stopping if fate_of(line, version) is not Fate.IGNORED]
        if working:
            return _goes_with_the_upgrade(version, first, working, lines)
        return _refused(version, first, stopping, lines)
    return Judged(
        Verdict.WATCH,
        f"{series_name(first)} refuses to start with {named(stopping)}.",
        effect=f"{series_name(later[0])} still starts. Take {_them(stopping)} out on the way.",
        confidence=Confidence.HIGH,
        flips_when=f"no upgrade beyond {series_name(later[0])} is planned",
        gain=0.1,
        formula=_formula(stopping, lines, first),
        because="the catalogue tells what each series does with the line",
        valid=f"For an upgrade from {version} to {series_name(first)}.",
        cost_of_error="A server that does not start on the night of the upgrade.",
    )


def _goes_with_the_upgrade(
    version: ServerVersion,
    target: ServerVersion,
    working: Sequence[OptionLine],
    lines: Sequence[OptionLine],
) -> Answer:
    return _stopped(
        version,
        target,
        working,
        lines,
        verdict=Verdict.WATCH,
        effect=f"Take {_them(working)} out together with the upgrade, and {series_name(target)} "
        f"starts. Not before: until then {'it does its' if len(working) == 1 else 'they do their'} "
        "work here.",
    )


def _refused(
    version: ServerVersion,
    target: ServerVersion,
    stopping: Sequence[OptionLine],
    lines: Sequence[OptionLine],
) -> Answer:
    judged = _stopped(
        version,
        target,
        stopping,
        lines,
        verdict=Verdict.RECOMMEND,
        effect=f"{version} does nothing with {_them(stopping)}: taken out today, nothing changes, "
        f"and {series_name(target)} starts.",
    )
    harmless = replace(judged, risk="None on this version.", side_effects="None.")
    return harmless.by(removal(stopping, Needs.NOTHING))


def _stopped(
    version: ServerVersion,
    target: ServerVersion,
    stopping: Sequence[OptionLine],
    lines: Sequence[OptionLine],
    *,
    verdict: Verdict,
    effect: str,
) -> Judged:
    """What is said of the next series where it refuses lines."""
    return Judged(
        verdict,
        f"{series_name(target)}, which comes next, refuses to start with {named(stopping)}.",
        effect=effect,
        confidence=Confidence.HIGH,
        flips_when=f"no upgrade to {series_name(target)} is planned",
        gain=0.25,
        formula=_formula(stopping, lines, target),
        because="the catalogue tells what each series does with the line",
        valid=f"For an upgrade from {version} to {series_name(target)}.",
        cost_of_error="A server that does not start on the night of the upgrade.",
    )


def _started(
    version: ServerVersion, lines: Sequence[OptionLine], later: Sequence[ServerVersion]
) -> Answer:
    idle = _with(lines, later[0], Fate.IGNORED)
    new = [line for line in idle if fate_of(line, version) is not Fate.IGNORED]
    upcoming = series_name(later[0])
    if not new:
        return Judged(
            Verdict.FINE,
            f"{upcoming} starts with every line of this server that is known ({counted(lines)} "
            "looked at), and so do the series after it, as far as they were tried.",
            effect="Nothing to take out for an upgrade.",
            flips_when="one line sets what a later series refuses",
            formula=f"refused by any of {len(later)} later series: 0 of {counted(lines)}",
            because="the catalogue tells what each series does with the line",
            valid=f"For upgrades from {version}.",
        )
    return Judged(
        Verdict.WATCH,
        f"{upcoming} starts with {named(new)} and does nothing with {_them(new)}.",
        effect="What the line does today is gone after the upgrade. Take it out then.",
        confidence=Confidence.HIGH,
        flips_when=f"no upgrade to {upcoming} is planned",
        gain=0.1,
        formula=f"passed over by {upcoming}: {len(new)} of {counted(lines)}",
        because="the catalogue tells what each series does with the line",
        valid=f"For an upgrade from {version} to {upcoming}.",
        cost_of_error="A file that promises what the server does not do.",
    )


def _with(
    lines: Sequence[OptionLine], version: ServerVersion, wanted: Fate
) -> tuple[OptionLine, ...]:
    return tuple(line for line in lines if fate_of(line, version) is wanted)


def _formula(
    stopping: Sequence[OptionLine], lines: Sequence[OptionLine], target: ServerVersion
) -> str:
    return f"refused by {series_name(target)}: {len(stopping)} of {counted(lines)}"


def _them(lines: Sequence[OptionLine]) -> str:
    return "it" if len(lines) == 1 else "them"
