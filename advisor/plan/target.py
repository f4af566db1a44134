"""What a plan is checked against: the settings of the server in the case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from advisor.case import Case
from advisor.facts.server.option_files import FileLines, file_lines
from advisor.plan.foreign_words import NUMBER
from advisor.variables.catalogue import SETTINGS, span
from advisor.variables.defaults import Machine, default
from advisor.variables.entry import Span
from advisor.variables.standing import Standing
from probes.inventory.facts import MySQLFacts
from probes.version import ServerVersion

_YES = {"ON", "1", "YES", "TRUE", "DETECT_AND_RECOVER"}
_NO = {"OFF", "0", "NO", "FALSE"}


@dataclass(frozen=True, slots=True)
class PlanTarget:
    """The server's version and its settings; ``sandbox`` when they are the version's defaults.

    ``machine`` is what a start looks at, ``lines`` what stands in the option files, None where
    those were not read.
    """

    version: ServerVersion
    standings: Mapping[str, Standing] = field(default_factory=dict)
    sandbox: bool = False
    machine: Machine = field(default_factory=Machine)
    lines: FileLines | None = None

    def value(self, name: str) -> str | None:
        """A setting's text; None when the server lacks it, or its default is not known."""
        standing = self.standings.get(name)
        return None if standing is None else standing.value

    def known(self, name: str) -> Span | None:
        """What the catalogue knows of a setting in this version."""
        return span(self.version, name)

    @property
    def option_files(self) -> frozenset[str]:
        """The files that the server reads, as far as it or its machine reported them."""
        read = () if self.lines is None else self.lines.files
        unread = () if self.lines is None else (path for path, _ in self.lines.unread)
        named = (standing.origin for standing in self.standings.values())
        return frozenset((*read, *unread, *(origin for origin in named if "/" in origin)))

    def usual(self, name: str, values: Mapping[str, str]) -> str | None:
        """What a start makes of a setting that nobody states, beside these; None if not known."""
        others = {other: value for other, value in values.items() if other != name}
        return default(self.version, name, self.machine, others)


def target_of(case: Case) -> PlanTarget | None:
    """The case's server as a target; None when no server was looked at, or of no known family."""
    mysql = case.inventory.mysql
    if mysql is None or not mysql.version.is_known:
        return None
    standings = _defaults(mysql) if mysql.sandbox else _own(mysql)
    lines = None if mysql.sandbox else file_lines(case.inventory)
    return PlanTarget(mysql.version, standings, mysql.sandbox, machine_of(case), lines)


def machine_of(case: Case) -> Machine:
    """What a server there would look at when it starts."""
    host = case.inventory.host
    if host is None:
        return Machine()
    return Machine(
        host.cpu.threads, host.usable_memory_bytes, granted_cpus=case.inventory.granted_cpus
    )


def _own(mysql: MySQLFacts) -> dict[str, Standing]:
    return {
        variable.name: Standing(variable.name, variable.value, variable.origin)
        for variable in mysql.variables.values()
        if not variable.because
    }


def _defaults(mysql: MySQLFacts) -> dict[str, Standing]:
    """The version's defaults: the sandbox's own settings are Leadline's, not the user's."""
    known = {name: span(mysql.version, name) for name in SETTINGS}
    return {
        name: Standing(name, found.default, default=True)
        for name, found in known.items()
        if found is not None and found.default is not None
    }


def same(one: str, other: str) -> bool:
    """Whether two texts are one value to the server: 90 and 90.000000, ON and 1, OFF and 0."""
    if NUMBER.fullmatch(one) and NUMBER.fullmatch(other):
        return float(one) == float(other)
    first, second = one.upper(), other.upper()
    return first == second or {first, second} <= _YES or {first, second} <= _NO


def whole(text: str | None) -> int | None:
    """A value as a whole number, None when it is none."""
    return int(float(text)) if text is not None and NUMBER.fullmatch(text) else None
