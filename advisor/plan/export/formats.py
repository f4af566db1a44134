"""The forms of a plan for programs by their names, and which of them suits a server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from advisor.plan.change_plan import ChangePlan
from advisor.plan.export import ansible, cnf, container, managed, rds, shell, sql
from advisor.variables.managed import service_of
from probes.inventory.facts import MySQLFacts
from probes.version import ServerVersion


@dataclass(frozen=True, slots=True)
class Format:
    """One form: its name on the command line, its title, its file's suffix, how it is written."""

    name: str
    title: str
    suffix: str
    apply: Callable[[ChangePlan], str]
    undo: Callable[[ChangePlan], str]


FOR_PROGRAMS: dict[str, Format] = {
    one.name: one
    for one in (
        Format("sql", "SQL", ".sql", sql.apply, sql.undo),
        Format("cnf", "Option file", ".cnf", cnf.apply, cnf.undo),
        Format(
            "container",
            "Container (Compose, ConfigMap, operator's resource)",
            ".yml",
            container.apply,
            container.undo,
        ),
        Format("ansible", "Ansible play", ".yml", ansible.apply, ansible.undo),
        Format("rds", "Parameter group (RDS, Aurora)", ".json", rds.apply, rds.undo),
        Format(
            "azure",
            "Parameters of Azure Database for MySQL (az)",
            ".sh",
            managed.apply_azure,
            managed.undo_azure,
        ),
        Format(
            "gcloud",
            "Flags of Cloud SQL (gcloud)",
            ".sh",
            managed.apply_google,
            managed.undo_google,
        ),
        Format("shell", "Shell script for the machine", ".sh", shell.apply, shell.undo),
    )
}
"""Each by its name."""

TEXT = "md"
"""The name of the form that people read."""


def suits(form: str, version: ServerVersion | None) -> bool:
    """Whether a plan for a server may be given in a form.

    A managed service takes no statements, lines or commands of a machine: what it takes, and the
    plan as text, are all there is. Every form suits a server whose owner sets it: the plan may be
    carried out on its like elsewhere.
    """
    service = service_of(version)
    return service is None or form in {service.form, TEXT}


def usual_form(server: MySQLFacts | None) -> str:
    """The form that suits a server: statements, or what its service takes in place of them.

    Without a server of the user's there is an option file for a new one, or the machine alone.
    """
    if server is None:
        return "shell"
    if server.sandbox:
        return "cnf"
    service = service_of(server.version)
    return "sql" if service is None else service.form
