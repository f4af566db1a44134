"""The forms of a plan by their names, for both fronts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from advisor.plan.change_plan import ChangePlan
from advisor.plan.export import ansible, cnf, markdown, rds, shell, sql


@dataclass(frozen=True, slots=True)
class Format:
    """One form: its name on the command line, its title, its file's suffix, how it is written."""

    name: str
    title: str
    suffix: str
    apply: Callable[[ChangePlan], str]
    undo: Callable[[ChangePlan], str]


FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        Format("sql", "SQL", ".sql", sql.apply, sql.undo),
        Format("cnf", "Option file", ".cnf", cnf.apply, cnf.undo),
        Format("ansible", "Ansible play", ".yml", ansible.apply, ansible.undo),
        Format("rds", "Parameter group (RDS, Aurora)", ".json", rds.apply, rds.undo),
        Format("shell", "Shell script for the machine", ".sh", shell.apply, shell.undo),
        Format("md", "Text", ".md", markdown.apply, markdown.undo),
    )
}
"""Every form by its name."""
