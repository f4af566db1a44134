"""A case as if another version of its server ran there.

What somebody set stays set, as far as the other version takes it; everything else gets the other
version's default. The load and the drive stay as they were measured.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace

from advisor.case import Case
from advisor.facts.server.lines import in_file, lines_of, reports_origins, same_value
from advisor.facts.server.option_files import ELSEWHERE, FileLine, OptionLine, file_lines
from advisor.plan.target import machine_of
from advisor.variables.catalogue import SETTINGS, span
from advisor.variables.defaults import default
from advisor.variables.entry import Span
from probes.boundary.malformed import Malformed
from probes.boundary.numbers import whole_from_text
from probes.inventory.facts import Inventory, MySQLFacts, StatusWindow, Variable
from probes.version import ServerVersion


class NoServer(ValueError):
    """The case holds no server that another version could stand in for."""


def as_version(case: Case, version: ServerVersion) -> Case:
    """Make the same case with another version of its server; raises NoServer without one.

    Of Leadline's own server only the version changes: rules take its defaults anyway.
    """
    mysql = server_of(case)
    if mysql.sandbox:
        return _with_server(case, replace(mysql, version=version))
    variables = _variables(case, version)
    window = mysql.window
    capacity = _redo_bytes(mysql, variables, version)
    if window is not None and capacity:
        window = _shows(window, "Innodb_redo_log_capacity_resized", str(capacity))
    return _with_server(case, replace(mysql, version=version, variables=variables, window=window))


def server_of(case: Case) -> MySQLFacts:
    """Give the case's server; raises NoServer where there is none of a known family."""
    mysql = case.inventory.mysql
    if mysql is None or not mysql.version.is_known:
        raise NoServer("The case holds no MySQL or MariaDB server to see as another version.")
    return mysql


def stated_in(case: Case) -> tuple[OptionLine, ...]:
    """Give what somebody set, of what the catalogue knows, with what the option files alone know.

    Where neither the server nor the files tell, a value counts that differs from its default: of
    some settings (MariaDB's log_bin) a server calls every value its own.
    """
    mysql = server_of(case)
    files = file_lines(case.inventory)
    lines = lines_of(mysql, files)
    found = (*lines.written, *lines.running, *lines.started, *lines.absent)
    known = tuple(line for line in found if line.name in SETTINGS)
    known_names = {line.name for line in known}
    if reports_origins(mysql):
        own = {each.name for each in mysql.variables.values() if each.origin == "AUTO"}
        by_name = {} if files is None else files.by_name()
        more = _unusual(case, ELSEWHERE, known_names | own)
        return (*known, *(_in_its_file(line, by_name.get(line.name)) for line in more))
    where = "an option file" if files is None else ELSEWHERE
    return (*known, *_unusual(case, where, known_names))


def others_in(case: Case) -> tuple[OptionLine, ...]:
    """Give the lines and values set at the start that the catalogue does not know.

    They are options of every kind, plugins' among them; no default of theirs is known.
    """
    lines = lines_of(server_of(case), file_lines(case.inventory))
    found = (*lines.written, *lines.started, *lines.others)
    return tuple(line for line in found if line.name not in SETTINGS)


def refused_in(case: Case) -> tuple[OptionLine, ...]:
    """Give the lines of the option files with a value that the case's own version does not take."""
    return lines_of(server_of(case), file_lines(case.inventory)).refused


def _unusual(case: Case, where: str, known_names: Container[str]) -> Iterator[OptionLine]:
    """The values that differ from their defaults, but for those of ``known_names``."""
    mysql, machine = server_of(case), machine_of(case)
    shown = _texts(mysql.variables)
    for name, value in sorted(shown.items()):
        usual = default(mysql.version, name, machine, shown)
        if name not in known_names and usual is not None and not same_value(value, usual):
            yield OptionLine(name, value, where)


def _in_its_file(line: OptionLine, lines: list[FileLine] | None) -> OptionLine:
    """The line as it stands in an option file, with the server's value; itself where in none."""
    return replace(in_file(lines), value=line.value) if lines else line


def _with_server(case: Case, mysql: MySQLFacts) -> Case:
    inventory: Inventory = replace(case.inventory, mysql=mysql)
    return replace(case, inventory=inventory)


def _variables(case: Case, version: ServerVersion) -> dict[str, Variable]:
    """What the other version would show: what is set, else its defaults, else what it was."""
    mysql = server_of(case)
    set_there = {
        line.name: Variable(line.name, _taken(known, line.value), line.origin)
        for line in stated_in(case)
        if (known := span(version, line.name)) is not None
    }
    strange = {name: each for name, each in mysql.variables.items() if name not in SETTINGS}
    settings = _texts(set_there)
    machine = machine_of(case)
    usual: dict[str, Variable] = {}
    for name in SETTINGS:
        known = span(version, name)
        if known is None or name in set_there:
            continue
        value = default(version, name, machine, settings)
        if value is not None:
            usual[name] = Variable(name, value, "COMPILED")
        elif name in mysql.variables and known == span(mysql.version, name):
            usual[name] = mysql.variables[name]
    return strange | usual | set_there


def _texts(variables: Mapping[str, Variable]) -> dict[str, str]:
    return {variable.name: variable.value for variable in variables.values()}


def _taken(known: Span, value: str) -> str:
    """Cut a number to what the version allows, as the server does."""
    try:
        number = float(value)
    except ValueError:
        return value
    if known.low is not None and number < known.low:
        return f"{known.low:g}" if known.low % 1 else str(int(known.low))
    if known.high is not None and number > known.high:
        return f"{known.high:g}" if known.high % 1 else str(int(known.high))
    return value


def _redo_bytes(
    mysql: MySQLFacts, variables: Mapping[str, Variable], version: ServerVersion
) -> int | None:
    """Tell the redo log's size that a server makes of old lines; None where it heeds none."""
    stated = {name for name, each in variables.items() if each.origin != "COMPILED"}
    if span(version, "innodb_redo_log_capacity") is None or "innodb_redo_log_capacity" in stated:
        return None
    names = ("innodb_log_file_size", "innodb_log_files_in_group")
    if not stated & set(names) or not all(name in variables for name in names):
        return None
    try:
        size, files = (whole_from_text(variables[name].value, name) for name in names)
    except Malformed:
        return None
    return size * files


def _shows(window: StatusWindow, name: str, value: str) -> StatusWindow:
    before, after = ({**sample, name: value} for sample in (window.before, window.after))
    return replace(window, before=before, after=after)
