"""All servers that are kept, each as the run that speaks for it was judged; read in a job."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from advisor.fleet.roles import oddities
from app.controllers.stored_runs import Shelf, StoredRuns
from app.runtime.jobs import Job, JobRunner
from app.runtime.translation import tr
from app.runtime.use_cases import UseCases
from probes.cancel import CancelToken
from probes.errors import LeadlineError, UsageError
from probes.figures import listed
from probes.targets.address import MySQLAddress, TargetKind

if TYPE_CHECKING:
    from advisor.fleet.server_row import ServerRow
    from probes.inventory.servers_here import ServerHere


class ServersController(QObject):
    """Lives in the GUI thread.

    ``odd`` is what each differs in from most of its role, once all have come; ``here`` are servers
    that run on this computer, once they were looked for.

    Signals: ``changed()`` as servers come and when all have come, ``written(Path)`` with a file of
    them, ``failed(LeadlineError)``.
    """

    changed = Signal()
    written = Signal(Path)
    failed = Signal(LeadlineError)

    def __init__(self, runner: JobRunner, use_cases: UseCases, stored_runs: StoredRuns) -> None:
        super().__init__()
        self._runner, self._use_cases, self._stored_runs = runner, use_cases, stored_runs
        self._rows: dict[str, ServerRow] = {}
        self.odd: Mapping[str, Sequence[str]] = {}
        self.here: tuple[ServerHere, ...] = ()
        self._read: Shelf | None = None
        self._job: Job | None = None

    @property
    def rows(self) -> tuple[ServerRow, ...]:
        """What has come so far, without what is about to be deleted."""
        kept = {run.id for run in self._stored_runs.shelf.runs}
        return tuple(row for row in self._rows.values() if row.run_id in kept)

    @property
    def reading(self) -> bool:
        """Whether servers are still coming."""
        return self._job is not None

    @property
    def new_here(self) -> tuple[ServerHere, ...]:
        """Those on this computer that no target leads to."""
        of_targets = [
            spec.mysql
            for spec in self._stored_runs.shelf.targets
            if spec.kind is TargetKind.LOCAL and spec.mysql is not None
        ]
        return tuple(
            each for each in self.here if not any(leads_to(one, each) for one in of_targets)
        )

    def look_here(self) -> None:
        """Look for the servers of this computer."""

        def take(found: tuple[ServerHere, ...]) -> None:
            self.here = found
            self.changed.emit()

        here = self._use_cases.servers_here
        self._runner.ask("servers here", lambda _token: here(), take, self.failed)

    def want(self) -> None:
        """Read them, unless nothing has changed since."""
        shelf = self._stored_runs.shelf
        if self._job is not None or shelf is self._read:
            return
        self._read = shelf
        found: dict[str, ServerRow] = {}

        def work(_token: CancelToken) -> Iterator[ServerRow | Mapping[str, Sequence[str]]]:
            rows = []
            with self._use_cases.open_store() as store:
                for row in self._use_cases.servers(store):
                    rows.append(row)
                    yield row
            yield oddities(rows)

        def take(one: ServerRow | Mapping[str, Sequence[str]]) -> None:
            if isinstance(one, Mapping):
                self.odd = one
                return
            found[one.target] = self._rows[one.target] = one
            self.changed.emit()

        def end() -> None:
            self._job, self._rows = None, found
            self.changed.emit()

        job = Job("read all servers", work)
        job.reported.connect(take)
        job.failed.connect(self.failed)
        job.done.connect(end)
        self._job = job
        self._runner.start(job)

    def write(self, path: Path, rows: Sequence[ServerRow]) -> None:
        """Write servers to a file, in the form that its ending says."""

        def work(_token: CancelToken) -> Path:
            from advisor.report.document.templates import Paper  # noqa: PLC0415 - in a job's thread
            from advisor.report.forms.by_ending import (  # noqa: PLC0415
                FLEET_FORMS,
                written_fleet,
            )
            from app.controllers.paper_report import write_file  # noqa: PLC0415

            ending = path.suffix.lower()
            if ending not in FLEET_FORMS:
                raise UsageError(
                    tr("{path} is none of the forms of this table.", path=path),
                    tr("End its name in {endings}.", endings=listed(FLEET_FORMS, "or")),
                )
            write_file(path, written_fleet(ending, rows, Paper.A4))
            return path

        self._runner.ask("write the servers", work, self.written.emit, self.failed)


def leads_to(address: MySQLAddress, server: ServerHere) -> bool:
    """Whether an address on this computer is that of a server that was found there."""
    if address.socket:
        return address.socket == server.socket
    return server.port is not None and address.port == server.port
