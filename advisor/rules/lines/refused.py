"""Option lines that end the server's start.

## What it checks
Whether the server's next start takes the value of every line of its option files, and whether every
line is an option.

## Why it matters
`innodb_buffer_pool_size = 1.5G` ends the start: numbers have no fraction, and MariaDB goes on
without InnoDB until it aborts. So does "innodb_io_capacity 2000" without "=", a tag of a template
that was not filled in, and a comment without its "#". The running server says nothing of it.

## How it is judged
- A number: digits and a suffix (K, M, G; T, P and E since MySQL 8.0.14 and MariaDB 10.3), with any
  letters behind it: 512MB is 512M. A fraction, a blank before the suffix, a percent sign, `0x1000`,
  `12abc` and `${x}G` end the start of every version. `-1` ends that of MariaDB 10.11 and newer,
  nothing after the "=" that of MySQL 8.0 and newer.
- A number with a fraction, such as a percentage: digits and a point, and nothing behind them.
- A word of a list: one that this version refuses, or a text that can be no word.
- A switch takes every text: another rule names those that it makes OFF of.
- A line without a name that an option can have, and on MySQL and older MariaDB one in capitals.
- A line that a later one overrides ends the start as well. Values that may be secrets are hidden
  and not judged.
- A variable that servers show and that is no option, such as `log_bin_basename` or `hostname`.
- Any of these: a correction by hand is proposed, with the value that was meant where that is clear.
  The running server did not take the line so: the confidence shows whether the file was written to
  since its start.
- A pool, a redo log or a log buffer below the least that its setting takes, without a unit, such
  as a pool of 384, where that would fit into memory as MiB (of a redo log: into 64 GiB, our
  choice): MySQL raises it to the least, and MariaDB's InnoDB does not start with so small a pool.
  A unit is proposed. Any other small size is raised, which another rule says.
- None, and all files read: fine.

## How to check by hand
`mysqld --validate-config` (MySQL 8.0 and newer) names the first such line. MariaDB looks at
InnoDB's values at a real start alone: `mariadbd --help` takes them.

## Risk and undo
None on the running server: it reads its option files at a start alone. Put the line back to undo
it.

## When it is wrong
When a vendor's build, or a plugin, takes the value or the name.

## References
- MySQL reference manual, "Using Option Files" and "Program Option Modifiers"
- MySQL reference manual, "Using Options to Set Program Variables", on suffixes
- MariaDB documentation, "Configuring MariaDB with Option Files"
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE
from advisor.facts.server.option_files import (
    MYSQL_OPTION_FILES,
    FileLine,
    FileLines,
    Strange,
    StrangeLine,
    one_blank,
)
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.outcomes import Confidence, Knowledge
from advisor.rulekit import Answer, Facts, Stakes, rule
from advisor.rules.lines._by_hand import (
    AT_A_START,
    BACK,
    NO_RESTART,
    certainty,
    corrections,
    unfinished,
)
from advisor.rules.lines._removal import AT_MOST, checked
from advisor.upgrade.refused_values import strange_sentence, value_sentence
from advisor.variables.catalogue import span
from probes.figures import counted, size
from probes.version import ServerVersion

POOL = "innodb_buffer_pool_size"
MOST_MEANT = float(64 << 30)
"""No larger a redo log is meant by a figure without a unit, nor a pool where the memory isn't
known (our choice)."""

IN_MIB = {
    "innodb_log_file_size": MOST_MEANT,
    "innodb_redo_log_capacity": MOST_MEANT,
    "innodb_log_buffer_size": float(4 << 30),
}
"""Sizes besides the pool's that are written in MiB, and the most that each may be meant to have."""

_SET_BY = {"log_bin_basename": "log_bin", "relay_log_basename": "relay_log"}
"""The option that a variable follows from, where there is one."""

_HARMLESS = re.compile(r"[a-zA-Z][\w-]*:? [\w.]+")
"""A name and a value with all but the "=" between them."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A line that ends a start: what is said of it, and what is done by hand."""

    saw: str
    work: str
    edited: bool


@rule(
    topic="Option file",
    needs=(MYSQL_VERSION, MYSQL_OPTION_FILES),
    uses=(HOST_MEMORY_USABLE,),
    stakes=Stakes.DATA,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Name the lines that the next start does not take."""
    version, files = facts.version, facts.get(MYSQL_OPTION_FILES)
    stops = _stops(files, version)
    card = facts.card(
        f"{version} takes every line of its option files as far as their values are known here "
        f"({checked(files.lines)}).",
        formula=f"{len(stops)} of {counted(len(files.lines) + len(files.strange), 'line')} "
        f"{'ends' if len(stops) == 1 else 'end'} a start",
        flips_when="a line is written that is no option, or whose value this version does not take",
    )
    if stops:
        confidence, because = certainty(edited=all(stop.edited for stop in stops))
        more = f" {len(stops) - AT_MOST} more lines do so." if len(stops) > AT_MOST else ""
        return card.recommend(
            corrections("lines that a start takes", [stop.work for stop in stops]),
            saw=" ".join(stop.saw for stop in stops[:AT_MOST]) + more,
            effect="Corrected, the lines end no start.",
            confidence=confidence,
            because=because,
            risk=AT_A_START,
            flips_when="the line is corrected or taken out",
            cost_of_error=NO_RESTART,
        )
    memory = facts.find(HOST_MEMORY_USABLE) or MOST_MEANT
    small = [line for line in _last(files) if _lacks_unit(line, version, memory)]
    if small:
        ends = version.is_mariadb and any(line.name == POOL for line in small)
        return card.recommend(
            corrections("sizes with a unit", [_unit(line) for line in small], BACK),
            saw=" ".join(_small_text(line, version) for line in small),
            effect="The setting has the size that was meant.",
            stakes=Stakes.DATA if ends else Stakes.TIME,
            confidence=Confidence.HIGH,
            because="The setting takes no such small size.",
            formula=f"{counted(len(small), 'size')} without a unit below the least",
            risk="The size that was meant is not known here: it may be more than the machine has.",
            flips_when="the size has a unit",
            cost_of_error="A server with the least memory that the setting takes, or none at all.",
        )
    return unfinished(files) or card.fine()


def _stops(files: FileLines, version: ServerVersion) -> list[Stop]:
    """All of them, by file and line."""
    stops: list[tuple[str, int, Stop]] = [
        (line.origin, line.number, _value(line, version)) for line in files.refused
    ]
    stops += [
        (each.file, each.number, _strange(each, version)) for each in files.strange if each.ends
    ]
    order = {file: at for at, file in enumerate(dict.fromkeys(file for file, _, _ in stops))}
    return [stop for _, _, stop in sorted(stops, key=lambda one: (order[one[0]], one[1]))]


def _last(files: FileLines) -> list[FileLine]:
    return [lines[-1] for lines in files.by_name().values()]


def _placed(line: FileLine) -> str:
    return f"{one_blank(line.text)} ({line.place})"


def _value(line: FileLine, version: ServerVersion) -> Stop:
    if line.refused is None:
        return _only_shown(line, version)
    instead = line.refused.instead
    name, where = _name(line), f"In {line.place}"
    work = (
        f"{where}, write {name} = {instead} in place of {one_blank(line.text)}"
        if instead
        else f"{where}, write the value that was meant in place of {one_blank(line.text)}, or take "
        "the line out"
    )
    return Stop(value_sentence(_placed(line), line.name, line.refused, version), work, line.edited)


def _only_shown(line: FileLine, version: ServerVersion) -> Stop:
    """A line of a variable that servers show and that is no option."""
    option = _SET_BY.get(line.name, "")
    sets = f" {option} is the option that sets it." if option else ""
    saw = (
        f"{version} does not start with {_placed(line)}: {line.name} is a variable that the server "
        f"shows, and no option.{sets}"
    )
    instead = f", or write the value as {option}" if option else ""
    return Stop(saw, f"In {line.place}, take the line out{instead}", line.edited)


def _name(line: FileLine) -> str:
    return line.text.partition("=")[0].strip()


def _strange(line: StrangeLine, version: ServerVersion) -> Stop:
    where = f"In {line.file}, line {line.number}"
    work = f"{where}, take the line out, or begin it with #"
    name, _, value = one_blank(line.text).partition(" ")
    if line.why is Strange.CAPITALS:
        work = f"{where}, write the name in small letters"
    elif _HARMLESS.fullmatch(f"{name} {value}"):
        work = f"{where}, write {name.rstrip(':')} = {value}"
    return Stop(strange_sentence(line, version), work, line.edited)


def _lacks_unit(line: FileLine, version: ServerVersion, memory_bytes: float) -> bool:
    """Whether it is a size that can only have been meant in MiB, or a larger unit."""
    most, known = {POOL: memory_bytes, **IN_MIB}.get(line.name), span(version, line.name)
    if most is None or known is None or known.low is None or not (line.raw or "").isdigit():
        return False
    value = int(line.raw or 0)
    return 0 < value < known.low and value << 20 <= most


def _unit(line: FileLine) -> str:
    return (
        f"In {line.place}, write the size that was meant, with its unit, in "
        f"place of {one_blank(line.text)}"
    )


def _small_text(line: FileLine, version: ServerVersion) -> str:
    known = span(version, line.name)
    least = "" if known is None or known.low is None else f" of at least {size(int(known.low))}"
    return (
        f"With no unit, {_placed(line)} is {counted(int(line.raw or 0), 'byte')}; the setting "
        f"takes sizes{least}."
    )
