"""Option lines under later versions.

## What it checks
What later series do with each line of the option files and each persisted value.

## Why it matters
A line that the next version does not know keeps the server down during an upgrade: MySQL 8.0
refuses the query cache's lines, 8.4 default_authentication_plugin, 9.7 the old redo files' lines.
So does a value that is gone while its name is not: NO_AUTO_CREATE_USER in sql_mode, TLSv1 in
tls_version.

## How it is judged
- For every line of the server's groups, whatever it is for: what each later series does with it, as
  tried on real servers: use, ignore, refuse. Of MySQL 8.4, which was not run, the manual says what
  it removed. A line with `loose_` is ignored where its name would be refused.
- Where an option takes words of a list (sql_mode, tls_version, binlog_format), each word of the
  line is judged in the same way. A refused word is named: watch, and take it out of the value.
- A line that the very next series refuses and that has no effect here: removal is proposed. One
  that has an effect here: watch, since its removal today changes the value at the next restart;
  remove it with the upgrade. One that only a later series refuses, or that the next one ignores:
  watch.
- Lines that nobody tried on the next series (options of plugins, misspelt names, words that no
  server of ours has): watch, with their names. They never count as fine. They are to be tried on
  the same build: Percona XtraDB Cluster knows Galera's, MySQL does not.
- What a later series does comes after what the next one does, which is said first.
- A line that this very version does not start with is no matter of an upgrade: another rule names
  it, and nothing is called fine beside it, nor beside a file that ends the start.
- The server has a variable that its version's own lists have not: its build or a plugin is another
  one, and the line counts as not tried on any later series.
- None of these: fine. Without the option files only the values that the server reports are judged,
  and the answer says so.

## How to check by hand
Run the new version's `mysqld --defaults-file=... --validate-config` (MySQL 8.0 and newer), or
`mariadbd --help --verbose` with the old option file.

## Risk and undo
Removing a line that has an effect here changes the value at the next restart. Use the new version's
own setting instead, where it has one.

## When it is wrong
When no upgrade is planned. A `loose_` prefix turns the refusal of a name into a warning; that of a
value only on MariaDB, and not of every one.

## References
- MySQL 8.0 and 8.4 reference manuals, "What Is New", on removed variables
- MariaDB documentation, upgrade notes of each series
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.facts.server.lines import (
    MYSQL_LINES,
    Lines,
    fate_of,
    is_name_untried,
    is_untried,
    refused_value,
    refused_words,
)
from advisor.facts.server.option_files import OptionLine
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Card, Facts, Inapplicable, Knowledge, Stakes, Unjudged, rule
from advisor.rules.lines._removal import all_named, checked, named, removal, them
from advisor.steps import Needs
from advisor.upgrade.refused_values import values_named, values_to_write
from advisor.upgrade.refused_words import words_named, words_to_go
from advisor.upgrade.releases import (
    VALIDATION,
    build_of,
    is_of_plugin,
    later_series,
    series_name,
    trial_command,
)
from advisor.variables.entry import Fate
from probes.figures import counted, listed
from probes.kinds.words import capital
from probes.version import ServerVersion

NO_START = "A server that does not start during the upgrade."


@rule(
    topic="Option file",
    do="Clear the lines that the next version refuses",
    needs=(MYSQL_VERSION, MYSQL_LINES),
    findings=("B01",),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Name what a later series refuses."""
    version, stated = facts.version, facts.get(MYSQL_LINES)
    # What this very version refuses is another rule's, and no matter of an upgrade.
    of_files = (*stated.absent, *stated.others)
    passed = [line for line in of_files if fate_of(line, version) is not Fate.REFUSED]
    lines = (*stated.written, *passed)
    later = later_series(version)
    if not later:
        return Inapplicable(f"No series after {series_name(version)} is known here.")
    upcoming = series_name(later[0])
    card = facts.card(
        _starts(upcoming, stated, lines),
        formula=f"refused by any of {len(later)} later series: 0 of {counted(len(lines), 'line')}",
        flips_when="a line sets what a later series refuses",
    )
    refused = {each: _with(lines, each, Fate.REFUSED) for each in later}
    first = next((each for each in later if refused[each]), None)
    untried = [line for line in lines if is_untried(line, later[0])]
    if first is not None:
        series = series_name(first)
        formula = f"refused by {series}: {len(refused[first])} of {counted(len(lines), 'line')}"
        card = card.but(
            formula=formula, confidence=Confidence.HIGH, valid=f"For an upgrade to {series}."
        )
        if first is later[0]:
            return _stopped(facts, card, first, refused[first], lines)
    later_on = (
        "" if first is None else f" Later, {series_name(first)} {_refuses(refused[first], first)}"
    )
    if untried:
        build = _build(facts, lines)
        return card.watch(
            _try_it(later[0], build, untried),
            saw=_not_tried(untried, later[0], build, lines) + later_on,
            formula=f"not tried on {build}: {len(untried)} of {counted(len(lines), 'line')}",
            confidence=Confidence.HIGH,
            flips_when=f"{build} takes the option file, or no upgrade to it is planned",
            valid=f"For an upgrade to {build}.",
            cost_of_error=NO_START,
        )
    idle = _with(lines, later[0], Fate.IGNORED)
    new = [line for line in idle if fate_of(line, version) is not Fate.IGNORED]
    if not new:
        if first is not None:
            return card.watch(
                f"{upcoming} still starts. {_way_out(refused[first], first)} before "
                f"{series_name(first)}.",
                saw=f"{upcoming}, which comes next, takes {counted(len(lines), 'line')}.{later_on}",
                flips_when=f"no upgrade beyond {upcoming} is planned",
                cost_of_error=NO_START,
            )
        return _unknown(stated) or card.fine()
    return card.watch(
        "The line has no effect after the upgrade. Remove it then.",
        saw=f"{upcoming} starts with {named(new)} and ignores {them(new)}.{later_on}",
        formula=f"ignored by {upcoming}: {len(new)} of {counted(len(lines), 'line')}",
        confidence=Confidence.HIGH,
        flips_when=f"no upgrade to {upcoming} is planned",
        valid=f"For an upgrade to {upcoming}.",
        cost_of_error="An option file that shows other values than the server's.",
    )


def _build(facts: Facts, lines: Sequence[OptionLine]) -> str:
    """The build of the next series that knows these lines."""
    names = [line.name for line in lines]
    return build_of(facts.version, later_series(facts.version)[0], names)


def _unknown(stated: Lines) -> Unjudged | None:
    """Say why nothing is fine where a line ends this version's own start, too."""
    if not stated.stops:
        return None
    return Unjudged(
        "No version starts with these option files as they are: lines.refused and "
        "lines.unreadable say why."
    )


def _stopped(
    facts: Facts,
    card: Card,
    target: ServerVersion,
    stopping: Sequence[OptionLine],
    lines: Sequence[OptionLine],
) -> Answer:
    """Judge lines that the very next series refuses."""
    series, version = series_name(target), facts.version
    working = [line for line in stopping if fate_of(line, version) is not Fate.IGNORED]
    refused = working or stopping
    untried = [line for line in lines if is_untried(line, target)]
    card = card.but(
        saw=f"{series}, which comes next, {_refuses(refused, target)}"
        + (f" {_not_tried(untried, target, _build(facts, lines), lines)}" if untried else ""),
        formula=f"refused by {series}: {len(refused)} of {counted(len(lines), 'line')}",
        flips_when=f"no upgrade to {series} is planned",
        cost_of_error=NO_START,
    )
    if working:
        still = "it has an effect" if len(working) == 1 else "they have an effect"
        return card.watch(
            f"{_way_out(working, target)} with the upgrade, so that {series} starts. Not before: "
            f"until then {still} here.",
        )
    return card.recommend(
        removal(stopping, Needs.NOTHING),
        effect=f"{version} ignores {them(stopping)}: removal changes nothing today, and "
        f"{series} starts.",
        risk="None on this version.",
    )


def _starts(upcoming: str, stated: Lines, lines: Sequence[OptionLine]) -> str:
    """Say that all is taken, and of what that is known."""
    if stated.files_read:
        return (
            f"{upcoming} starts with every line of this server's option files ({checked(lines)}), "
            "and so do the series after it, as far as they were tried."
        )
    return (
        f"{upcoming} starts with every value that this server reports as set ({checked(lines)}), "
        "and so do the series after it, as far as they were tried. The option files were not read: "
        "options without a variable were not checked."
    )


def _refuses(lines: Sequence[OptionLine], version: ServerVersion) -> str:
    """Name the lines that a version refuses, and the words that it refuses them for."""
    why = " ".join(filter(None, (words_named(lines, version), values_named(lines, version))))
    return f"refuses to start with {all_named(lines)}.{f' {why}' if why else ''}"


def _way_out(lines: Sequence[OptionLine], version: ServerVersion) -> str:
    """Say what to take out: the lines, or of those whose name stays the words alone."""
    gone = [
        line
        for line in lines
        if not refused_words(line, version) and refused_value(line, version) is None
    ]
    changes = (words_to_go(lines, version), values_to_write(lines, version))
    words = listed([each for each in changes if each])
    if not words:
        return f"Remove {them(gone)}"
    return f"Remove {named(gone)} and {words}" if gone else capital(words)


def _try_it(target: ServerVersion, build: str, untried: Sequence[OptionLine]) -> str:
    """Say how the new version tries the lines; what is asked first starts no plugin."""
    command = trial_command(target)
    of_plugins = [] if command != VALIDATION else [one for one in untried if is_of_plugin(one.name)]
    with_it = f"Run `{command}` of {build} with the option file before the upgrade"
    if not of_plugins:
        return f"{with_it}: it names the first line that it refuses."
    start = f"a test server of {build} that loads the plugins, and start it before the upgrade"
    if len(of_plugins) == len(untried):
        return (
            f"Give the option file to {start}: `{command}` checks no options of plugins, as these "
            "are."
        )
    return (
        f"{with_it}: it names the first line that it refuses, but checks no options of plugins. "
        f"Give {all_named(of_plugins)} to {start}."
    )


def _not_tried(
    untried: Sequence[OptionLine],
    version: ServerVersion,
    series: str,
    lines: Sequence[OptionLine],
) -> str:
    """Say of which lines nobody knows in ``series``: of their names, or of the values alone."""
    names = [line for line in untried if is_name_untried(line, version)]
    values = [line for line in untried if line not in names]
    text = f"Not tried on {series}: {all_named(names)}." if names else ""
    if not values:
        return text
    one = len(values) == 1
    what = f"the {'value' if one else 'values'} of {counted(len(values), 'line')}"
    were = "was" if one else "were"
    if names:
        return f"{text} Nor {were} {what}: {all_named(values)}."
    every = f"The names of all {len(lines)} lines were" if len(lines) > 1 else "The line's name was"
    return f"{every} tried on {series}, {what} {were} not: {all_named(values)}."


def _with(
    lines: Sequence[OptionLine], version: ServerVersion, wanted: Fate
) -> tuple[OptionLine, ...]:
    return tuple(line for line in lines if fate_of(line, version) is wanted)
