"""What people must know before they change a setting: where it comes from, what becomes of it."""

from __future__ import annotations

from advisor.plan import relations
from advisor.plan.target import same
from advisor.plan.writing import persistable
from advisor.steps import Needs, SetVariable
from advisor.variables.catalogue import MARIADB, span
from advisor.variables.entry import State
from advisor.variables.managed import service_of
from probes.inventory.facts import COMMAND_LINE
from probes.version import ServerVersion


def notes(
    version: ServerVersion, step: SetVariable, shows: str, *, written: bool = True
) -> tuple[str, ...]:
    """The sentences for one setting; ``shows`` is what the server will say of it.

    Where it is not ``written`` into an option file, a start sets the value on its own. What is
    about option files and statements is left out where a service sets the server.
    """
    if service_of(version) is not None:
        return tuple(filter(None, (_dated(version, step), _rounding(step, shows))))
    sentences = (
        _origin(step) if written else _default(step),
        _dated(version, step),
        _rounding(step, shows),
        _later(version, step),
        _volatile(version, step) if written else "",
    )
    return tuple(sentence for sentence in sentences if sentence)


def _origin(step: SetVariable) -> str:
    origin = step.standing.origin
    if step.standing.persisted:
        return (
            f"{step.name} is persisted in the data directory, which wins over every option file: "
            "a line there does nothing until it is reset."
        )
    if origin == COMMAND_LINE:
        return f"{step.name} is set on the server's command line: change it there, too."
    if origin.startswith("/"):
        return f"{step.name} is set in {origin}: replace that line."
    return ""


def _default(step: SetVariable) -> str:
    """What to do about a value that a start comes to once nothing says otherwise."""
    if step.standing.origin == COMMAND_LINE:
        return f"{step.name} is set on the server's command line: take it out there."
    return "This is the default: no option file has to say it."


def _dated(version: ServerVersion, step: SetVariable) -> str:
    known = span(version, step.name)
    if known is None or known.state is not State.DEPRECATED:
        return ""
    return f"{step.name} is deprecated: a later version may take it no more."


def _rounding(step: SetVariable, shows: str) -> str:
    if same(step.value, shows):
        return ""
    return f"The server rounds {step.value} to its own steps and makes {shows} of it."


def _later(version: ServerVersion, step: SetVariable) -> str:
    if step.name == "open_files_limit":
        return "It takes what the service may open at most: LimitNOFILE of its unit."
    if step.needs is not Needs.DYNAMIC:
        return ""
    if step.name == "innodb_log_file_buffering":
        return "Once on, it stays on until a restart."
    if step.name != "innodb_buffer_pool_size":
        return ""
    if not relations.settles_later(version, step.name):
        return "The statement returns when the pool has its new size."
    late = " Until then the variable shows the old size." if version.before(MARIADB, 10, 8) else ""
    return (
        "The server resizes in the background; Innodb_buffer_pool_resize_status shows its "
        f"progress. Wait for the end before you change the size again.{late}"
    )


def _volatile(version: ServerVersion, step: SetVariable) -> str:
    if step.needs is not Needs.DYNAMIC or persistable(version, step.name):
        return ""
    return "A restart forgets it, unless the option file says it, too."
