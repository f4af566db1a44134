"""--for and --memory: a starting configuration for a server that is not there yet."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from advisor.amounts import size_bytes
from advisor.case import Case
from advisor.plan.export.formats import Format
from advisor.report.document.blocks import Block, beside, text
from advisor.report.report import Report
from advisor.report.sections.plan import starting_in_short
from advisor.report.terminal.next_commands import case_named
from advisor.run import RunState
from advisor.runs.at_hand import version_at_hand
from advisor.target_config.starting import (
    StartingConfiguration,
    check_memory,
    starting_configuration,
)
from advisor.upgrade.releases import known_version
from app.cli.arguments.choice import AdviceChoice
from probes.errors import TargetError, UsageError
from probes.targets.address import TargetKind
from probes.version import ServerVersion, dotted

NEEDS_A_SERVER = "sql"
"""The form of a plan that only a running server can take."""


@dataclass(frozen=True, slots=True)
class NewServer:
    """What was asked for: a version, and its machine's memory as typed, "" for this one's."""

    version: ServerVersion
    memory: str = ""

    def on(self, case: Case) -> StartingConfiguration:
        """Its starting configuration on a case's machine; raises UsageError."""
        memory_bytes = size_bytes(self.memory) if self.memory else None
        return starting_configuration(case, self.version, memory_bytes)


def asked_for(version: str, memory: str) -> NewServer | None:
    """What --for and --memory say; None without both.

    Without --for it is the server whose program is installed here. Raises UsageError.
    """
    if not version and not memory:
        return None
    if memory:
        check_memory(size_bytes(memory))  # refused before anything is measured
    if not version:
        return NewServer(_at_hand(), memory.strip())
    try:
        return NewServer(known_version(version), memory.strip())
    except ValueError as error:
        raise UsageError(str(error), "") from error


def _at_hand() -> ServerVersion:
    found = version_at_hand()
    if found is None:
        raise UsageError(
            "--memory is for a new server, and no server program was found here.",
            "Name the version: --for mysql-8.4.",
        )
    return found


def check_alone(wanted: NewServer, form: Format | None, *, undo: bool, others: bool) -> None:
    """Refuse what makes no sense for a server that is not there; raises UsageError."""
    if others:
        raise UsageError(
            f"--for is about a new {wanted.version}, and --as, --only and --without about the "
            "server that was looked at.",
            "Call it once for each.",
        )
    if undo:
        raise UsageError(
            "A new server has no settings to go back to.", "Leave --undo out, or --for."
        )
    if form is not None and form.name == NEEDS_A_SERVER:
        raise UsageError(
            "There is no server yet that could run statements.",
            "--cnf gives the option file that it starts with.",
        )


def begin(report: Report, wanted: NewServer) -> AdviceChoice:
    """The choice of a new server's starting configuration; raises UsageError."""
    start = wanted.on(report.case)
    return AdviceChoice(report, start.plan, None, start)


def with_start(
    tell: Callable[[Report, Sequence[Block]], Iterable[Block]], wanted: NewServer | None
) -> Callable[[Report], Iterable[Block]]:
    """Add the starting configuration that was asked for, or that helps where no server was seen.

    ``tell`` gets a report and what stands below it.
    """

    def with_configuration(report: Report) -> Iterable[Block]:
        new = wanted or _helpful(report)
        # A part of a drive's curves would make another configuration than all of them.
        if new is None or report.run.state is not RunState.DONE:
            return tell(report, ())
        return tell(report, begun_in_short(report, new, new.on(report.case)))

    return with_configuration


def begun_in_short(report: Report, new: NewServer, start: StartingConfiguration) -> list[Block]:
    """A new server's starting configuration, and the command that gives it as a file."""
    return [*starting_in_short(start), *_how(report, new, start)]


def _helpful(report: Report) -> NewServer | None:
    """The server at hand, where the user has none here and a drive was measured."""
    mysql, host = report.case.inventory.mysql, report.case.inventory.host
    if not report.case.usable or host is None or host.usable_memory_bytes is None:
        return None
    if mysql is not None:
        return NewServer(mysql.version) if mysql.sandbox and mysql.version.is_known else None
    if report.target.kind is not TargetKind.LOCAL:
        return None
    try:
        version = version_at_hand()
    except TargetError:
        return None
    return None if version is None else NewServer(version)


def _how(report: Report, new: NewServer, start: StartingConfiguration) -> list[Block]:
    if not start.plan.written():
        return [text("  Its own defaults are right for this machine.")]
    named = f"--for {new.version.flavour}-{dotted(new.version.numbers[:2])}"
    memory = f" --memory {shlex.quote(new.memory)}" if new.memory else ""
    command = f"leadline advise {case_named(report)} {named}{memory} --cnf -o leadline.cnf"
    return [beside(f"`{command}` gives it as an option file.")]
