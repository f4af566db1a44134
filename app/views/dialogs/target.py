"""Adding or changing a target."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent, QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from advisor.runs.events import ConnectionReport
from app.controllers.run_controller import RunController
from app.presenters.target_form import TargetForm, form_of, rows_shown
from app.runtime.jobs import Job
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.dialogs.servers_here import ServersHere, way_to
from app.views.widgets.buttons import Button, Segments
from app.views.widgets.callout import Callout
from app.views.widgets.captioned_rows import CaptionedRows
from app.views.widgets.growing import FieldArea, Growing
from app.views.widgets.labels import label
from app.views.widgets.layouts import row
from app.views.widgets.turned import DropDown
from probes.errors import LeadlineError, UsageError
from probes.inventory.servers_here import ServerHere
from probes.targets.address import TargetKind, TargetSpec, TlsMode

KINDS = (
    (TargetKind.SSH.value, "A machine over &SSH"),
    (TargetKind.LOCAL.value, "MySQL on &this computer"),
    (TargetKind.MYSQL.value, "MySQL &alone"),
)

ABOUT = {
    TargetKind.SSH: "Measures the machine's drives, and its MySQL server when there is one.",
    TargetKind.LOCAL: "Measures this computer's drives and a MySQL server that runs here.",
    TargetKind.MYSQL: (
        "For a cloud database whose machine can't be reached: lookups are measured "
        "from this computer, and the round trip is shown."
    ),
}

TLS = {
    TlsMode.VERIFIED: "Verified (default)",
    TlsMode.VERIFY_CA: "Verified, whatever name the certificate has",
    TlsMode.VERIFY_IDENTITY: "Verified, on loopback too",
    TlsMode.UNVERIFIED: "Unverified: the password goes to any server with TLS",
    TlsMode.DISABLED: "Off: whoever is on the way can read along",
}

WIDTH = 600


class TargetDialog(QDialog):
    """Fills in a target, tries the connection, and hands the target over.

    Signals: ``saved(TargetSpec, old_name)``; the old name is "" for a new target.
    """

    saved = Signal(object, str)

    def __init__(
        self,
        appearance: Appearance,
        run_controller: RunController,
        taken: Collection[str],
        spec: TargetSpec | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """``taken`` are names in use; ``spec`` is the target to change, None adds one."""
        super().__init__(parent)
        appearance.dress(self)
        self._appearance, self._run_controller = appearance, run_controller
        self._old = spec.name if spec is not None else ""
        self._taken = [name for name in taken if name != self._old]
        self._job: Job | None = None
        self._taken_server: ServerHere | None = None
        self.setWindowTitle(tr("Change the target") if spec is not None else tr("Add a target"))
        self.setMinimumWidth(WIDTH)
        self._fields()
        self._build()
        self._fill(form_of(spec) if spec is not None else TargetForm())
        self._first_field().setFocus()
        if spec is None:
            self.servers.look(run_controller)

    def _kind_picked(self, _key: str = "") -> None:
        """A server of this computer is filled in for this computer alone."""
        here = self.kind.key == TargetKind.LOCAL.value
        if here and self.servers.servers and self._mysql == way_to(None):
            self.servers.pick_first()
        elif not here and self._taken_server is not None:
            if self._mysql == way_to(self._taken_server):
                self._fill_mysql(way_to(None))
            self._taken_server = None
        self._adapt()

    def _take_server(self, server: ServerHere) -> None:
        self._taken_server = server
        self._fill_mysql(way_to(server))
        self._adapt()

    @property
    def _mysql(self) -> tuple[str, str, str]:
        return self.way.key, self.mysql_socket.text(), self.mysql_port.text()

    def _fill_mysql(self, values: tuple[str, str, str]) -> None:
        way, socket, port = values
        self.way.pick(way)
        self.mysql_socket.setText(socket)
        self.mysql_port.setText(port)

    def _fields(self) -> None:
        self.kind = Segments(KINDS)
        self.kind.picked.connect(self._kind_picked)
        self.name = self._line(tr("Name in the list"), tr("taken from the address"))
        self.ssh_host = self._line(tr("SSH host"), tr("name, address, or Host of ~/.ssh/config"))
        self.ssh_port = self._line(tr("SSH port"), "22")
        self.ssh_user = self._line(tr("SSH user"), tr("as in ~/.ssh/config"))
        self.identity = self._line(tr("Identity file"), tr("as in ~/.ssh/config, or the SSH agent"))
        self.with_mysql = QCheckBox(tr("A MySQL server &runs there"))
        self.with_mysql.toggled.connect(self._adapt)
        self.servers = ServersHere()
        self.servers.found.connect(self._kind_picked)
        self.servers.picked.connect(self._take_server)
        self.way = Segments((("tcp", tr("TC&P")), ("socket", tr("Unix s&ocket"))))
        self.way.picked.connect(self._adapt)
        self.mysql_host = self._line(tr("MySQL host"), "127.0.0.1")
        self.mysql_port = self._line(tr("MySQL port"), "3306")
        self.mysql_socket = self._line(tr("Socket"), "/run/mysqld/mysqld.sock")
        self.mysql_user = self._line(tr("MySQL user"), tr("from the option file"))
        self.defaults = self._line(tr("Option file"), "~/.my.cnf")
        self.tls = DropDown()
        self.tls.setAccessibleName("TLS")
        for mode, text in TLS.items():
            self.tls.addItem(text, mode)
        for host in (self.ssh_host, self.mysql_host):
            host.editingFinished.connect(self._take_apart)
        self.tls_ca = self._line(tr("CA file"), tr("the system's own"))
        self.directory = self._line(tr("Directory"), tr("chosen by the plan"))
        self.sudo = QCheckBox(tr("Trace the server's work by &sudo -n"))
        self.sudo.setToolTip(
            tr(
                "Where the account is not root, what looks at the server is run by sudo -n, so "
                "that the kernel may trace its reads, writes and syncs. It never asks for a "
                "password."
            )
        )
        self.memory = self._line(tr("Memory"), tr("of the class, or 64G"))
        self.machine_class = self._line(tr("Instance class"), "db.r6g.2xlarge")
        self.volume_iops = self._line(tr("Volume's IOPS"), "3000")
        self.volume_throughput = self._line(tr("Volume's throughput"), "125 MiB/s")

    def _line(self, name: str, placeholder: str) -> QLineEdit:
        field = QLineEdit()
        field.setAccessibleName(name)
        field.setPlaceholderText(placeholder)
        field.textEdited.connect(self._corrected)
        return field

    def _take_apart(self) -> None:
        """Put an address that was pasted whole into its fields; its faults are said when saved."""
        try:
            parts = self.form.taken_apart()
        except UsageError:
            return
        for field, text in (
            (self.ssh_host, parts.ssh_host),
            (self.ssh_port, parts.ssh_port),
            (self.ssh_user, parts.ssh_user),
            (self.mysql_host, parts.mysql_host),
            (self.mysql_port, parts.mysql_port),
            (self.mysql_user, parts.mysql_user),
        ):
            if field.text() != text and field.text().strip() != text:
                field.setText(text)

    def _first_field(self) -> QLineEdit:
        """Where the address of the chosen kind begins."""
        if self.kind.key == TargetKind.SSH.value:
            return self.ssh_host
        return self.mysql_socket if self.mysql_host.isHidden() else self.mysql_host

    def _corrected(self) -> None:
        """What was said of the fields before is not about them any more."""
        if self._job is None and self.callout.isVisible():
            self.callout.hide()
            # The fields stay where they are while one is typed in.
            self._growing.fit()

    def _build(self) -> None:
        self._about = label("", "quiet", wrap=True)
        self._rows = rows = CaptionedRows(self._appearance)
        rows.put("host", tr("&Host"), self.ssh_host, beside=(tr("Port"), self.ssh_port))
        rows.put("user", tr("&User"), self.ssh_user)
        rows.put("identity", tr("&Identity file"), self.identity, browse=True)
        rows.put("with_mysql", "", self.with_mysql)
        rows.put("found", tr("Runs &here"), self.servers)
        rows.put("way", tr("Connection"), self.way)
        rows.put(
            "mysql_host", tr("M&ySQL host"), self.mysql_host, beside=(tr("Port"), self.mysql_port)
        )
        rows.put("socket", tr("Soc&ket"), self.mysql_socket)
        rows.put("mysql_user", tr("MySQL us&er"), self.mysql_user)
        rows.put("defaults", tr("Option &file"), self.defaults, browse=True)
        rows.put("tls", tr("T&LS"), self.tls)
        rows.put("tls_ca", tr("CA file"), self.tls_ca, browse=True)
        rows.put("directory", tr("&Directory"), self.directory)
        rows.put("sudo", "", self.sudo)
        rows.put("machine_class", tr("Instance class"), self.machine_class)
        rows.put("memory", tr("&Memory"), self.memory)
        rows.put("volume_iops", tr("Volume's IOPS"), self.volume_iops)
        rows.put("volume_throughput", tr("Volume's throughput"), self.volume_throughput)
        rows.put("name", tr("&Name"), self.name)
        self.callout = Callout(self._appearance)
        self.test = Button(self._appearance, tr("Test &connection"), "plug")
        self.test.clicked.connect(self.test_connection)
        self.cancel = Button(self._appearance, tr("Cancel"))
        self.cancel.clicked.connect(self.reject)
        self.save = Button(self._appearance, tr("Save target"), "check", "primary")
        self.save.setDefault(True)
        self.save.setShortcut(QKeySequence("Ctrl+Return"))
        self.save.clicked.connect(self._save)
        layout = QVBoxLayout(self)
        self._growing = Growing(self, layout)
        layout.setContentsMargins(*(tokens.SPACE_XL,) * 4)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(self.kind)
        layout.addWidget(self._about)
        layout.addSpacing(tokens.SPACE_S)
        layout.addWidget(FieldArea(rows, tr("The target's address")), 1)
        layout.addWidget(
            label(
                tr("Passwords are asked for when they are needed, and never kept in the list."),
                "small",
            )
        )
        layout.addWidget(self.callout)
        layout.addSpacing(tokens.SPACE_S)
        layout.addLayout(row(self.test, None, self.cancel, self.save))

    def _fill(self, form: TargetForm) -> None:
        self.kind.pick(form.kind.value)
        self.with_mysql.setChecked(form.with_mysql)
        self.sudo.setChecked(form.sudo)
        self.way.pick("socket" if form.by_socket else "tcp")
        self.tls.setCurrentIndex(list(TLS).index(form.tls))
        for field, text in (
            (self.name, form.name),
            (self.ssh_host, form.ssh_host),
            (self.ssh_port, form.ssh_port),
            (self.ssh_user, form.ssh_user),
            (self.identity, form.identity_file),
            (self.mysql_host, form.mysql_host),
            (self.mysql_port, form.mysql_port),
            (self.mysql_socket, form.mysql_socket),
            (self.mysql_user, form.mysql_user),
            (self.defaults, form.defaults_file),
            (self.tls_ca, form.tls_ca_file),
            (self.directory, form.directory),
            (self.memory, form.memory),
            (self.machine_class, form.machine_class),
            (self.volume_iops, form.volume_iops),
            (self.volume_throughput, form.volume_throughput),
        ):
            field.setText(text)
        self._adapt()

    @property
    def form(self) -> TargetForm:
        """The fields as they are."""
        return TargetForm(
            kind=TargetKind(self.kind.key),
            name=self.name.text(),
            ssh_host=self.ssh_host.text(),
            ssh_port=self.ssh_port.text(),
            ssh_user=self.ssh_user.text(),
            identity_file=self.identity.text(),
            with_mysql=self.with_mysql.isChecked(),
            by_socket=self.way.key == "socket",
            mysql_host=self.mysql_host.text(),
            mysql_port=self.mysql_port.text(),
            mysql_socket=self.mysql_socket.text(),
            mysql_user=self.mysql_user.text(),
            defaults_file=self.defaults.text(),
            # Qt keeps the text alone.
            tls=TlsMode(self.tls.currentData()),
            tls_ca_file=self.tls_ca.text(),
            directory=self.directory.text(),
            memory=self.memory.text(),
            machine_class=self.machine_class.text(),
            volume_iops=self.volume_iops.text(),
            volume_throughput=self.volume_throughput.text(),
            sudo=self.sudo.isChecked(),
        )

    def _adapt(self, _value: object = None) -> None:
        """Show the fields that the kind of target needs."""
        form = self.form
        shown = rows_shown(form)
        with self._growing.at_once():
            self._rows.show_rows({**shown, "found": shown["found"] and bool(self.servers.servers)})
            self._about.setText(ABOUT[form.kind])
            self.callout.hide()

    def _spec(self) -> TargetSpec | None:
        """The target, or None when a field is at fault, which is shown."""
        form = self.form
        if form.kind is TargetKind.MYSQL:
            form = replace(form, by_socket=False, directory="")
        try:
            return form.spec(self._taken)
        except UsageError as error:
            self.callout.tell_error(error)
            return None

    def test_connection(self) -> None:
        """Try the connection in a job, or stop trying."""
        if self._job is not None:
            self._job.cancel()
            return
        spec = self._spec()
        if spec is None:
            return
        job = self._run_controller.test(spec)
        job.reported.connect(self._connected)
        job.failed.connect(self._not_connected)
        job.cancelled.connect(self.callout.hide)
        job.done.connect(self._tested)
        self._job = job
        self.test.display(tr("Stop"), "square", "")
        self.callout.display("", tr("Connecting to {target}.", target=spec.name))
        self._run_controller.begin(job)

    def _connected(self, report: ConnectionReport) -> None:
        first, *others = report.lines or (tr("Connected."),)
        # An account that sees too little is no success.
        self.callout.display("warn" if report.lacks else "good", first, "\n".join(others))

    def _not_connected(self, error: LeadlineError) -> None:
        self.callout.tell_error(error)

    def _tested(self) -> None:
        self._job = None
        self.test.display(tr("Test &connection"), "plug", "")

    def _save(self) -> None:
        spec = self._spec()
        if spec is not None:
            self.saved.emit(spec, self._old)
            self.accept()

    def done(self, result: int) -> None:
        """Close; a test that still goes on is stopped and not listened to any more."""
        if self._job is not None:
            self._job.reported.disconnect(self._connected)
            self._job.failed.disconnect(self._not_connected)
            self._job.cancelled.disconnect(self.callout.hide)
            self._job.done.disconnect(self._tested)
            self._job.cancel()
            self._job = None
        self.servers.stop_listening()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing means cancelling."""
        self.reject()
        event.accept()
