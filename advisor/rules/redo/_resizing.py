"""How the redo log gets another size: as a whole, by the size of its files, or by hand."""

from __future__ import annotations

from advisor.facts.server.variables import variable
from advisor.facts.watched.redo import redo_files
from advisor.model.server.redo_log import MIB
from advisor.rulekit import Change, Facts, change
from advisor.steps import Needs, Procedure
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from probes.figures import size


def made_to(facts: Facts, wanted: int, setting: Standing) -> tuple[Change, str, str]:
    """A log of ``wanted`` bytes: the change, how to see that it was made, and its side effects."""
    version, shown = facts.version, f"SELECT @@GLOBAL.{setting.name};"
    if setting.name == "innodb_redo_log_capacity":
        return (
            change(version, setting, str(wanted)),
            f"{shown}\nSHOW GLOBAL STATUS LIKE 'Innodb_redo_log_capacity_resized';",
            "The old log-file settings are ignored once innodb_redo_log_capacity is set.",
        )
    each = size_of_each(wanted, files_of(facts))
    if version.before(MYSQL, 5, 6, 8):
        return _by_hand(setting, each), shown, ""
    return change(version, setting, str(each)), shown, ""


def files_of(facts: Facts) -> int:
    """How many files have the size that is set; one where that is the size of the whole log."""
    if facts.find(variable("innodb_redo_log_capacity")) is not None:
        return 1
    in_group = facts.find(variable("innodb_log_files_in_group"))
    return redo_files(facts.version, None if in_group is None else in_group.number)


def size_of_each(wanted: int, files: int) -> int:
    """The size of each of them, in whole MiB, where all hold ``wanted`` bytes."""
    return -(-wanted // (files * MIB)) * MIB


def _by_hand(setting: Standing, each: int) -> Change:
    """MySQL before 5.6.8 does not resize its files: it has to find none of them."""
    line = f"{setting.name} = {each}"
    steps = (
        "SET GLOBAL innodb_fast_shutdown = 0; then stop the server and see that it ended cleanly.",
        "Move ib_logfile0 and ib_logfile1 to a safe place; do not delete them yet.",
        f"Put {line} into the option file and start the server: it makes new files.",
    )
    back = (
        "Stop the server cleanly, move the new files away, take the line back and start again.",
    )
    procedure = Procedure(f"Give each redo log file {size(each)}", steps, back, Needs.RESTART)
    return Change(str(each), Needs.RESTART, (procedure,))
