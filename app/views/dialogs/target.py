"""Adding or changing a target."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from advisor.runs.events import ConnectionReport
from app.controllers.run_controller import RunController
from app.fields.field import FieldShape
from app.fields.target import FIELDS, TargetForm, form_of
from app.fields.target_field import KINDS, always
from app.runtime.jobs import Job
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.dialogs.servers_here import ServersHere, fields_lead_to, way_to
from app.views.widgets.buttons import Button, Segments
from app.views.widgets.callout import Callout
from app.views.widgets.fields import FieldRows, Fields
from app.views.widgets.growing import FieldArea, GrowingDialog
from app.views.widgets.labels import label
from app.views.widgets.layouts import row
from probes.errors import LeadlineError, UsageError
from probes.inventory.servers_here import ServerHere
from probes.mysql.any_address import any_address
from probes.targets.address import TargetKind, TargetSpec

ABOUT = {
    TargetKind.SSH: "",
    TargetKind.LOCAL: "",
    TargetKind.CONTAINER: (
        "By docker, podman or kubectl exec, here or behind SSH; its volume's drive is measured."
    ),
    TargetKind.MYSQL: (
        "For a cloud database whose machine can't be reached: lookups and the round trip are "
        "measured from here."
    ),
}

WIDTH = 640
FOUND, MORE = "found", "more"
"""The rows of the servers that run there and of what few need, which are no fields of a target."""

PASTED = 3
"""More letters than this at once were pasted: nobody types them so."""


class TargetDialog(QDialog):
    """Fills in a target, tries the connection, and hands the target over.

    Signals: ``saved(TargetSpec, old_name, watch)``; the old name is "" for a new target, ``watch``
    says that its server is to be watched at once.
    """

    saved = Signal(object, str, bool)

    def __init__(
        self,
        appearance: Appearance,
        run_controller: RunController,
        taken: Collection[str],
        spec: TargetSpec | None = None,
        parent: QWidget | None = None,
        *,
        kind: TargetKind = TargetKind.SSH,
    ) -> None:
        """``taken`` are names in use; ``spec`` is what to change, None adds one of ``kind``."""
        super().__init__(parent)
        appearance.dress(self)
        self._appearance, self._run_controller = appearance, run_controller
        self._old = spec.name if spec is not None else ""
        self._taken = [name for name in taken if name != self._old]
        self._job: Job | None = None
        self._taken_server: ServerHere | None = None
        self._there: tuple[ServerHere, ...] = ()
        self._address, self._letters = "", 0
        self._filled: dict[str, tuple[Any, Any]] = {}
        self.setWindowTitle(tr("Change the target") if spec is not None else tr("Add a target"))
        self.setMinimumWidth(WIDTH)
        self._make_fields()
        self._build()
        self._fill(form_of(spec) if spec is not None else TargetForm(kind))
        self._first_field().setFocus()
        if spec is None:
            self.servers.look(run_controller)

    def _kind_picked(self, _key: str = "") -> None:
        """A server of this computer is filled in for this computer alone."""
        here = self.kind.key == TargetKind.LOCAL.value
        over_ssh = self.kind.key == TargetKind.SSH.value
        self.servers.offer(self._there if over_ssh and self._there else self.servers.here)
        if here and self.servers.servers and self._is_at(None):
            self.servers.pick_first()
        elif not here and self._taken_server is not None:
            if self._is_at(self._taken_server):
                self.fields.fill(way_to(None))
            self._taken_server = None
        self._adapt()

    def _take_server(self, server: ServerHere) -> None:
        self._taken_server = server
        self.fields.fill(way_to(server))
        self._adapt()

    def _is_at(self, server: ServerHere | None) -> bool:
        """Whether the fields lead to this server."""
        return fields_lead_to(self.fields.values(), server)

    def _make_fields(self) -> None:
        self.kind = Segments(KINDS)
        self.kind.picked.connect(self._kind_picked)
        self.servers = ServersHere()
        self.servers.found.connect(self._kind_picked)
        self.servers.picked.connect(self._take_server)
        self.fields = Fields(TargetForm, self)
        self.fields.changed.connect(self._corrected)
        self.fields.switches["with_mysql"].toggled.connect(self._adapt)
        self.fields.segments["way"].picked.connect(self._adapt)
        address = self.fields.lines["address"]
        address.editingFinished.connect(self._leave_address)
        address.textEdited.connect(self._address_edited)
        for host in ("ssh_host", "mysql_host"):
            self.fields.lines[host].editingFinished.connect(self._take_apart)

    def _address_edited(self, text: str) -> None:
        """What is pasted is read at once, what is typed when it is whole."""
        pasted = len(text) - self._letters > PASTED
        self._letters = len(text)
        if pasted:
            self._take_address()

    def _leave_address(self) -> None:
        """Fill the fields, unless a button is being pressed: rows that come would move it away."""
        if self.focusWidget() not in (self.save, self.watch, self.test, self.cancel):
            self._take_address()

    def _take_address(self) -> None:
        """Fill the fields that the address stands for; its faults are said when it is used."""
        base = self.form
        try:
            form, password = base.at_address()
            shown = any_address(self.fields.lines["address"].text()).text
        except UsageError:
            return
        if base.address:
            self._there = ()
            both = {name: (getattr(base, name), getattr(form, name)) for name in FIELDS}
            self._filled = {name: each for name, each in both.items() if each[0] != each[1]}
            self.fields.lines["address"].setText(shown)
            self._address, self._letters = shown, len(shown)
            self._show_form(form)
            if password:
                self.callout.display("", tr("The password in it is left out: it is asked for."))

    def _take_apart(self) -> None:
        """Put an address that was pasted whole into its fields; its faults are said when saved."""
        try:
            parts = self.form.taken_apart()
        except UsageError:
            return
        for name, line in self.fields.lines.items():
            text = getattr(parts, name)
            if text not in (line.text(), line.text().strip()):
                line.setText(text)
        if parts.kind.value != self.kind.key:
            self.kind.pick(parts.kind.value)
            self._adapt()

    def _first_field(self) -> QLineEdit:
        """Where the address of the chosen kind begins."""
        lines = self.fields.lines
        if not self._old:
            return lines["address"]
        if self.kind.key == TargetKind.SSH.value:
            return lines["ssh_host"]
        if self.kind.key == TargetKind.CONTAINER.value:
            return lines["container"]
        return lines["mysql_socket" if lines["mysql_host"].isHidden() else "mysql_host"]

    def _corrected(self) -> None:
        """What was said of the fields before is not about them any more."""
        if self.servers.servers:
            self.servers.show_led_to(self.fields.values())
        if self._job is None and self.callout.isVisible():
            self.callout.hide()
            # The fields stay where they are while one is typed in.
            self._growing.fit()

    def _build(self) -> None:
        self._about = label("", "quiet", wrap=True)
        self._more = Button(self._appearance, tr("More"), "chevron-right", "quiet")
        self._more.setCheckable(True)
        self._more.toggled.connect(self._adapt)
        self._top = FieldRows(self._appearance)
        self._top.put("address", FIELDS["address"].caption, self.fields.widgets["address"])
        self._rows = rows = FieldRows(self._appearance)
        # What few need stands below the button that shows it.
        for name, field in sorted(FIELDS.items(), key=lambda item: item[1].more is always):
            widget = self.fields.widgets[name]
            if name == "address":
                continue
            if field.more is always and MORE not in rows:
                rows.put(MORE, "", self._more)
            if name == "mysql_host":
                rows.put(FOUND, tr("Ser&ver"), self.servers)
            if field.beside:
                rows.put_beside(field.beside, field.caption, widget)
            else:
                caption = "" if field.shape is FieldShape.SWITCH else field.caption
                rows.put(name, caption, widget, browse=field.shape is FieldShape.FILE)
        self.callout = Callout(self._appearance)
        self.test = Button(self._appearance, tr("Test &connection"), "plug")
        self.test.clicked.connect(self.test_connection)
        self.cancel = Button(self._appearance, tr("Cancel"))
        self.cancel.clicked.connect(self.reject)
        self.save = Button(self._appearance, tr("Save target"), "check", "primary")
        self.save.setDefault(True)
        self.save.setShortcut(QKeySequence("Ctrl+Return"))
        self.save.clicked.connect(partial(self._save, watch=False))
        self.watch = Button(self._appearance, tr("Save and &watch"), "eye")
        self.watch.clicked.connect(partial(self._save, watch=True))
        layout = QVBoxLayout(self)
        self._growing = GrowingDialog(self, layout)
        layout.setContentsMargins(*(tokens.SPACE_XL,) * 4)
        layout.setSpacing(tokens.SPACE_M)
        layout.addLayout(self._top)
        layout.addWidget(self.kind)
        layout.addWidget(self._about)
        layout.addSpacing(tokens.SPACE_S)
        layout.addWidget(FieldArea(rows, tr("The target's address")), 1)
        layout.addWidget(label(tr("Passwords are never kept."), "small"))
        layout.addWidget(self.callout)
        layout.addSpacing(tokens.SPACE_S)
        layout.addLayout(row(self.test, None, self.cancel, self.watch, self.save))

    def _fill(self, form: TargetForm) -> None:
        self.kind.pick(form.kind.value)
        self.fields.fill({name: getattr(form, name) for name in FIELDS})
        self._show_more(form)
        self._adapt()

    def _show_form(self, form: TargetForm) -> None:
        """Fill in what an address says; that itself stays as it stands."""
        self.kind.pick(form.kind.value)
        filled = {name: getattr(form, name) for name in FIELDS if name != "address"}
        self.fields.fill(filled)
        self._kind_picked()
        self._show_more(form)

    def _show_more(self, form: TargetForm) -> None:
        """Nothing that is filled in stays behind the button."""
        usual = TargetForm(form.kind)
        if any(
            field.more(form) and field.shown(form) and getattr(form, name) != getattr(usual, name)
            for name, field in FIELDS.items()
        ):
            self._more.setChecked(True)

    @property
    def form(self) -> TargetForm:
        """The fields as they are; of an address what is not in them yet.

        What another address had filled in is not of this one.
        """
        values = self.fields.values()
        if values["address"] == self._address:
            values["address"] = ""
        elif values["address"].strip():
            filled = self._filled.items()
            values |= {name: old for name, (old, new) in filled if values[name] == new}
        return TargetForm(TargetKind(self.kind.key), **values)

    def _adapt(self, _value: object = None) -> None:
        """Show the fields that the kind of target needs."""
        form, more = self.form, self._more.isChecked()
        shown = {
            name: field.shown(form) and (more or not field.more(form))
            for name, field in FIELDS.items()
        }
        local = form.kind is TargetKind.LOCAL
        found = bool(self.servers.servers) and (local or (self._is_there and form.with_mysql))
        if found:
            self.servers.show_led_to(self.fields.values())
        with self._growing.at_once():
            self._more.display(
                tr("Less") if more else tr("More"),
                "chevron-down" if more else "chevron-right",
                "quiet",
            )
            self._top.show_rows({"address": not self._old})
            self._rows.show_rows({**shown, FOUND: found, MORE: True})
            self._about.setText(ABOUT[form.kind])
            self._about.setVisible(bool(ABOUT[form.kind]))
            self.callout.hide()

    def _spec(self) -> TargetSpec | None:
        """The target, or None when a field is at fault, which is shown."""
        try:
            spec = self.form.spec(self._taken)
        except UsageError as error:
            # The field at fault may be one of those that few need.
            self._more.setChecked(self._more.isChecked() or not self.form.address)
            self.callout.tell_error(error)
            return None
        self._take_address()
        return spec

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
        if report.servers:
            self._offer_there(report.servers)
        # An account that sees too little is no success.
        self.callout.display(
            "warn" if report.lacks else "good",
            first,
            "\n".join(others),
            copies="\n".join(report.grants),
        )

    def _offer_there(self, servers: tuple[ServerHere, ...]) -> None:
        """Offer what runs on the machine that was reached; the first is filled in."""
        if self.kind.key == TargetKind.SSH.value:
            self._there = servers
            self.fields.switches["with_mysql"].setChecked(True)
            self.servers.offer(servers)
            if self._is_at(None):
                self.servers.pick_first()
        self._adapt()

    @property
    def _is_there(self) -> bool:
        """Whether the servers of the machine behind SSH are offered."""
        return self.kind.key == TargetKind.SSH.value and bool(self._there)

    def _not_connected(self, error: LeadlineError) -> None:
        self.callout.tell_error(error)

    def _tested(self) -> None:
        self._job = None
        self.test.display(tr("Test &connection"), "plug", "")

    def _save(self, _checked: bool = False, *, watch: bool) -> None:
        spec = self._spec()
        if spec is not None:
            self.saved.emit(spec, self._old, watch)
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
