"""Choosing what to measure, and seeing what that will do before it starts."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from advisor.events import PlanMade
from advisor.session import CheckRequest
from app.bench import Bench
from app.preferences import Preferences
from app.state import State
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.callout import Callout
from app.views.parts import Button, Picture, Segments, bullet, clear, label, row
from probes.errors import LeadlineError
from probes.inventory.facts import Role
from probes.plans.plan import PlanName
from probes.targets.address import TargetKind, TargetSpec

SETTLE_MS = 350
"""How long the choices must rest before the plan is made again."""

PLANS = (
    (PlanName.QUICK.value, "&Quick"),
    (PlanName.STANDARD.value, "&Standard"),
    (PlanName.THOROUGH.value, "&Thorough"),
)

ABOUT = {
    "quick": "The whole job within 90 s: enough to see where the drive's knee is.",
    "standard": "About five minutes: every power of two up to 256 threads, longer points.",
    "thorough": "About half an hour: up to 1024 threads, five block sizes, narrow intervals.",
}


class ProbeSetup(QWidget):
    """The form on the left, the plan on the right.

    Signals: ``changed()`` when another request is asked for.
    """

    changed = Signal()

    def __init__(
        self, appearance: Appearance, bench: Bench, state: State, preferences: Preferences
    ) -> None:
        super().__init__()
        self._appearance, self._bench = appearance, bench
        self._state, self._preferences = state, preferences
        self._asked: CheckRequest | None = None
        self._touched: set[str] = set()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE_MS)
        self._timer.timeout.connect(self._preview)
        self._build()
        bench.planned.connect(self._planned)
        bench.looked.connect(self._looked)
        state.chosen.connect(self.show_target)
        self.show_target()

    def _build(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, tokens.SPACE_S, 0, tokens.SPACE_XL)
        layout.setSpacing(tokens.SPACE_XL)
        layout.addWidget(self._form(), 5)
        layout.addWidget(self._plan_card(), 6)

    def _form(self) -> QWidget:
        self.directory = QLineEdit()
        self.directory.setPlaceholderText("Chosen by the plan")
        self.directory.setAccessibleName("Directory")
        self.directory.textEdited.connect(self._edited)
        self.browse = Button(self._appearance, "", "folder-open", "", "Choose a directory")
        self.browse.setFixedWidth(42)
        self.browse.clicked.connect(self._browse)
        self.plan = Segments(PLANS)
        self.plan.pick(self._preferences.text("probe/plan", PlanName.QUICK.value))
        self.plan.picked.connect(self._edited)
        self._about = label("", "small", wrap=True)
        self.sandbox = QCheckBox("&Measure a private throwaway MySQL server too")
        self.sandbox.clicked.connect(self._sandbox_clicked)
        caption = label("&Directory", "heading")
        caption.setBuddy(self.directory)
        form = QWidget()
        layout = QVBoxLayout(form)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_S)
        layout.addWidget(caption)
        layout.addLayout(row(self.directory, self.browse))
        self._directory_note = label(
            "The drive under this directory is measured, in files of Leadline's own that are "
            "gone when the run ends.",
            "small",
            wrap=True,
        )
        layout.addWidget(self._directory_note)
        layout.addSpacing(tokens.SPACE_L)
        layout.addWidget(label("Plan", "heading"))
        layout.addWidget(self.plan)
        layout.addWidget(self._about)
        layout.addSpacing(tokens.SPACE_L)
        layout.addWidget(label("Server", "heading"))
        layout.addWidget(self.sandbox)
        self._sandbox_note = label("", "small", wrap=True)
        layout.addWidget(self._sandbox_note)
        layout.addStretch(1)
        return form

    def _plan_card(self) -> QFrame:
        card = QFrame()
        card.setProperty("role", "panel")
        self._lines = QVBoxLayout()
        self._lines.setSpacing(tokens.SPACE_M)
        self.callout = Callout(self._appearance)
        self.show_plan = Button(self._appearance, "Show &what it will do", "eye")
        self.show_plan.clicked.connect(self._preview)
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, tokens.SPACE_S, 0)
        inner.setSpacing(tokens.SPACE_M)
        inner.addLayout(self._lines)
        inner.addWidget(self.callout)
        inner.addLayout(row(self.show_plan, None))
        inner.addStretch(1)
        body.setObjectName("clear")
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(body)
        scroll.setObjectName("clearScroll")
        layout = QVBoxLayout(card)
        layout.setContentsMargins(*(tokens.SPACE_L,) * 4)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(label("What it will do", "heading"))
        layout.addWidget(scroll, 1)
        return card

    @property
    def request(self) -> CheckRequest:
        """What a press of the button would start."""
        spec = replace(self._state.spec, directory=self.directory.text().strip())
        return CheckRequest(
            spec, PlanName(self.plan.key), sandbox=self.sandbox.isChecked() and self._can_sandbox
        )

    @property
    def _can_sandbox(self) -> bool:
        return self._state.spec.kind is not TargetKind.MYSQL

    def show_target(self) -> None:
        """Fill the form for the chosen target."""
        spec = self._state.spec
        local = spec.kind is TargetKind.LOCAL
        remote = spec.kind is TargetKind.MYSQL
        remembered = self._preferences.text(f"probe/directory/{spec.name}", spec.directory)
        self.directory.setText(remembered or self._likely_directory())
        self.directory.setEnabled(not remote)
        self.browse.setVisible(local)
        self._directory_note.setVisible(not remote)
        self.sandbox.setEnabled(self._can_sandbox)
        self._sandbox_by_default(spec)
        self._refresh()

    def _likely_directory(self) -> str:
        """Where the plan would measure, as the last look has found; "" before that."""
        looked = self._bench.look_at(self._state.spec.name)
        inventory = looked.inventory if looked is not None else None
        storage = inventory.role(Role.PROBE) if inventory is not None else None
        return storage.path if storage is not None else ""

    def _sandbox_by_default(self, spec: TargetSpec) -> None:
        """Tick it where no server was found, until the user has decided."""
        if spec.name in self._touched:
            return
        remembered = self._preferences.text(f"probe/sandbox/{spec.name}")
        if remembered:
            self.sandbox.setChecked(remembered == "yes")
            return
        looked = self._bench.look_at(spec.name)
        server = looked is not None and looked.inventory is not None and looked.inventory.mysql
        self.sandbox.setChecked(self._can_sandbox and spec.mysql is None and not server)

    def _looked(self, target: str) -> None:
        if target == self._state.choice.target and not self._bench.looking(target):
            if not self.directory.text():
                self.directory.setText(self._likely_directory())
            self._sandbox_by_default(self._state.spec)
            self._refresh()

    def _sandbox_clicked(self) -> None:
        self._touched.add(self._state.spec.name)
        self._edited()

    def _browse(self) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self, "Choose the directory to measure", self.directory.text()
        )
        if chosen:
            self.directory.setText(chosen)
            self._edited()

    def _edited(self, _value: object = None) -> None:
        self._refresh()

    def _refresh(self) -> None:
        request = self.request
        self._about.setText(ABOUT[request.plan.value])
        self._sandbox_note.setText(_sandbox_text(self._state.spec, self._can_sandbox))
        if request != self._asked:
            self._bench.drop_plan(request.target.name)
            self._asked = None
            # While a run goes on, nothing else shall touch the target.
            if _asks_nobody(request.target) and self._state.busy is None:
                self._timer.start()
        self._planned(request.target.name)
        self.changed.emit()

    def _preview(self) -> None:
        request = self.request
        self._asked = request
        self._bench.preview(request)

    def remember(self) -> None:
        """Keep the choices for the next time; they have just been used."""
        request = self.request
        name = request.target.name
        self._preferences.set_text("probe/plan", request.plan.value)
        self._preferences.set_text(f"probe/directory/{name}", request.target.directory)
        if name in self._touched:
            self._preferences.set_text(
                f"probe/sandbox/{name}", "yes" if self.sandbox.isChecked() else "no"
            )

    @property
    def plan_made(self) -> PlanMade | None:
        """The plan that is shown."""
        found = self._bench.plan_for(self._state.choice.target)
        return found if isinstance(found, PlanMade) else None

    def _planned(self, target: str) -> None:
        if target != self._state.choice.target:
            return
        found = self._bench.plan_for(target)
        planning = self._bench.planning(target) or self._timer.isActive()
        clear(self._lines)
        self.callout.tell_error(found if isinstance(found, LeadlineError) else None)
        self.show_plan.setVisible(found is None and not planning)
        if isinstance(found, PlanMade):
            for line in found.lines:
                self._lines.addLayout(self._line(line, warning=line in found.plan.warnings))
        elif planning:
            self._lines.addWidget(label("Making the plan.", "quiet"))
        elif found is None:
            about = "Leadline connects to make the plan: files, bytes, seconds and commands."
            self._lines.addWidget(label(about, "quiet", wrap=True))
        self.changed.emit()

    def _line(self, text: str, *, warning: bool) -> QHBoxLayout:
        picture = Picture(
            self._appearance,
            "triangle-alert" if warning else "chevron-right",
            "warn" if warning else "accent",
        )
        return bullet(picture, label(text, wrap=True, select=True))


def _asks_nobody(spec: TargetSpec) -> bool:
    """Whether connecting needs no password: only then a plan is made without being asked for."""
    return spec.kind is TargetKind.LOCAL and spec.mysql is None


def _sandbox_text(spec: TargetSpec, possible: bool) -> str:
    if not possible:
        return "A throwaway server needs the server's machine, and only MySQL can be reached here."
    text = (
        "Started beside the probe files with its own data directory, 64 MiB of buffer pool and no "
        "network; removed at the end."
    )
    if spec.mysql is not None:
        return f"{text} Without it, primary-key lookups run on the target's own server."
    return f"{text} It shows what the drive means to MySQL where no server runs."
