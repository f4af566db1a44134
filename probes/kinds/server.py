"""What asks a server: its threads are connections, and it has no block of its own."""

from __future__ import annotations

from dataclasses import dataclass

from probes.kinds.kind import Kind, ProbeKind, ProbeOptions, choice


@dataclass(frozen=True, slots=True)
class ServerOptions(ProbeOptions):
    """``working_set`` is the table that is asked, ``protocol`` how."""

    working_set: str = choice(
        cached="cached table",
        uncached="uncached table",
        existing="existing table",
        own="Leadline's table",
    )
    protocol: str = choice(wire=str, prepared="", sql="SQL text", handler="HANDLER")


@dataclass(frozen=True, slots=True)
class ImportOptions(ProbeOptions):
    """What other programs' results say.

    ``depth`` (requests that each job had in flight) or ``jobs`` (``1``: all of them are one job's)
    are there where a run has points of both kinds. ``mix`` is the share of reads in percent where
    reads and writes ran at once. ``statements`` are of which kinds, ``per_transaction`` how many of
    them one had (``14_reads_and_4_writes``); neither where nothing counted them.
    """

    depth: str = choice("depth {}")
    jobs: str = choice("depth of {} job")
    mix: str = choice()
    per_transaction: str = choice("{} each")
    statements: str = choice(
        reads="statements reads", writes="statements writes", both="statements both"
    )


def _kind(title: str, unit: str, part: Kind | None = Kind.MYSQL) -> ProbeKind:
    options = ServerOptions if part else ImportOptions
    return ProbeKind(title, f"{title}s", unit, "connection", part, options)


POINT_SELECT = _kind("primary-key lookup", "lookups")
PK_UPDATE = _kind("primary-key update", "updates")
OLTP = _kind("transaction", "transactions", None)
