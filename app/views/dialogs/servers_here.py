"""The servers of this computer, or of one behind SSH, to be picked from instead of typed."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal

from app.controllers.run_controller import RunController
from app.fields.target_field import DEFAULT_PORT, SOCKET, TCP
from app.runtime.jobs import Job
from app.runtime.translation import tr
from app.views.widgets.turned import DropDown
from probes.inventory.servers_here import ServerHere


class ServersHere(DropDown):
    """One row for each server that was found, and one for any other.

    ``here`` are this computer's. Signals: ``found()`` when there are any of these;
    ``picked(ServerHere)``, also by ``pick_first``.
    """

    found = Signal()
    picked = Signal(ServerHere)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Servers that run there"))
        # A long path is cut, and whole in the list that opens.
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(20)
        self.servers: tuple[ServerHere, ...] = ()
        self.here: tuple[ServerHere, ...] = ()
        self._job: Job | None = None
        self.activated.connect(self._pick)

    def look(self, run_controller: RunController) -> None:
        """Look for them in a job."""
        self._job = run_controller.find_servers()
        self._job.reported.connect(self._found)
        self._job.done.connect(self._looked)
        run_controller.begin(self._job)

    def stop_listening(self) -> None:
        """Whatever is still found is not offered any more."""
        if self._job is not None:
            self._job.reported.disconnect(self._found)
            self._job.done.disconnect(self._looked)
            self._job = None

    def pick_first(self) -> None:
        """As if a person had picked it: the first that no other person of this computer may run."""
        at = next((at for at, server in enumerate(self.servers) if not server.persons), None)
        self.setCurrentIndex(len(self.servers) if at is None else at)
        if at is not None:
            self._pick(at)

    def offer(self, servers: tuple[ServerHere, ...]) -> None:
        """Offer these and any other, unless they are offered already."""
        if servers == self.servers:
            return
        self.servers = servers
        self.clear()
        if servers:
            self.addItems([_named(server) for server in servers])
            self.addItem(tr("Another one"))

    def show_led_to(self, fields: Mapping[str, str]) -> None:
        """Show the one that the fields of a target lead to, else that it is another one."""
        led_to = [at for at, each in enumerate(self.servers) if fields_lead_to(fields, each)]
        if self.currentIndex() not in led_to:
            self.setCurrentIndex(led_to[0] if led_to else len(self.servers))

    def _found(self, servers: tuple[ServerHere, ...]) -> None:
        self.here = servers
        if servers:
            self.offer(servers)
            self.found.emit()

    def _looked(self) -> None:
        self._job = None

    def _pick(self, at: int) -> None:
        if at < len(self.servers):
            self.picked.emit(self.servers[at])


def way_to(server: ServerHere | None) -> dict[str, str]:
    """The fields that lead to a server; None is no server in particular."""
    socket = server.socket if server is not None else ""
    port = str(server.port or DEFAULT_PORT) if server is not None else DEFAULT_PORT
    return {"way": SOCKET if socket else TCP, "mysql_socket": socket, "mysql_port": port}


def fields_lead_to(fields: Mapping[str, str], server: ServerHere | None) -> bool:
    """Whether the fields of a target lead to a server; None is no server in particular."""
    return way_to(server).items() <= fields.items()


def _named(server: ServerHere) -> str:
    where = [server.socket, "" if server.port is None else tr("port {port}", port=server.port)]
    return tr(
        "{where}: {program}, account {account}, process {pid}",
        program=server.program,
        account=server.account,
        pid=server.pid,
        where=", ".join(each for each in where if each),
    )
