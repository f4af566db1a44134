"""Takes every page and every dialog, to be looked at: with good, doubtful or no data."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from docs.build.photographer import CHECK, LONGEST_MS, Photographer

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog

SIZES = ((1024, 640), (1280, 800), (1920, 1080))
SETTLED_MS = 1500
"""What a view draws a moment after it is shown."""

GOOD, DOUBTFUL, EMPTY = "good", "doubtful", "empty"
DOUBT = "The rate swung: its 95 % interval goes from 6.26 k/s to 18.8 k/s."
FINGERPRINT = "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDyxE9XaDwGm5ILq3E"
LONG = "The plan was copied: 4 steps, 3 while the server runs, 1 with a restart. " * 2

OVERVIEW, WATCH, PROBE, ADVICE, COMPARE, WHAT_IF = range(6)


class EveryView(Photographer):
    """All views of one data."""

    def run(self, data: str) -> None:
        """Each page at each size, then each dialog."""
        window = self.window
        self.wait(LONGEST_MS, lambda: window.loaded)
        if data != EMPTY:
            window.try_sample()
            self.wait(LONGEST_MS, lambda: window.advice_controller.plan is not None)
            window.notices.clear()
        for name, page, show in self._views(data):
            window.show_page(page)
            self.wait(SETTLED_MS)
            show()
            self.wait(SETTLED_MS)
            for width, height in SIZES:
                window.resize(width, height)
                self.take(f"{name}-{data}-{width}x{height}")
        window.resize(*SIZES[0])
        for name, dialog in self._dialogs(data):
            self.wait(SETTLED_MS)
            self.take(f"dialog-{name}-{data}", dialog)
            dialog.reject()
        if data == GOOD:
            self._notices()

    def _views(self, data: str) -> Iterable[tuple[str, int, Callable[[], object]]]:
        """Of each view its name, its page and what is to be done there."""
        nothing: Callable[[], object] = lambda: None  # noqa: E731 - one of a table's cells
        yield "home", OVERVIEW, nothing
        yield "watch", WATCH, nothing if data == EMPTY else self._watched
        yield "probe", PROBE, nothing if data == EMPTY else self._open_check
        if data != EMPTY:
            yield "probe-map", PROBE, self._map
            yield "probe-point", PROBE, self._point
        for side in ("advice", "plan", "lens"):
            yield f"advice-{side}", ADVICE, partial(self.window.advice.show_side, side)
        yield "what-if", WHAT_IF, nothing
        for name in ("servers", "history", "help"):
            yield name, OVERVIEW, getattr(self.window.asides, name).show
        yield "lab", OVERVIEW, self.window.pages.going.ask_lab
        yield "compare", COMPARE, nothing
        if data != EMPTY:
            yield "compare-curves", COMPARE, self._compared
            for mode in ("ratios", "under"):
                yield f"compare-{mode}", COMPARE, self.window.compare.modes.button(mode).click
        yield "trial", OVERVIEW, self._trial

    def _dialogs(self, data: str) -> Iterator[tuple[str, QDialog]]:
        """Each dialog by its name, as it opens; it is closed before the next."""
        from PySide6.QtWidgets import QDialog

        from probes.targets.address import TargetKind

        window, pages = self.window, self.window.pages
        asked: dict[str, Callable[[], object]] = {
            "add-target": pages.targets.add,
            "add-here": pages.targets.add_here,
            "add-mysql": partial(pages.targets.open, None, TargetKind.MYSQL),
            "texts": pages.importing.ask_server,
            "go-to": pages.commands.ask,
            "settings": window.show_settings,
            "drives": pages.benching.ask,
            "diagnostics": window.show_diagnostics,
        }
        if data != EMPTY:
            asked |= {"report": self._report, "own-words": self._own_words}
            asked |= {"name": self._name, "prices": self._prices}
        for name, ask in asked.items():
            ask()
            self.wait(LONGEST_MS, partial(self._any_open, QDialog))
            found = [one for one in window.findChildren(QDialog) if one.isVisible()]
            assert found, name
            yield name, found[-1]
            for one in found[:-1]:
                one.reject()
        if data == EMPTY:
            yield from self._questions()

    def _any_open(self, kind: type[QDialog]) -> bool:
        return any(one.isVisible() for one in self.window.findChildren(kind))

    def _questions(self) -> Iterator[tuple[str, QDialog]]:
        """What a connection asks, and what is asked before a run is stopped."""
        from app.controllers.run import LiveRun
        from app.runtime.questions import CertificateQuestion, HostKeyQuestion, PasswordQuestion
        from app.views.dialogs import closing, questions

        looks, window = self.window.parts.appearance, self.window
        password = PasswordQuestion("root@db7", "db7 asks for a password.")
        yield "password", questions.PasswordDialog(looks, password, window)
        key = HostKeyQuestion("db7.example", "ssh-ed25519", FINGERPRINT)
        yield "host-key", questions.HostKeyDialog(looks, key, window)
        shown = CertificateQuestion("db7.example:3306", ":".join(["A4"] * 32))
        yield "certificate", questions.CertificateDialog(looks, shown, window)
        runs = [LiveRun("local", "quick"), LiveRun("db7", "quick")]
        yield "closing", closing.ClosingDialog(looks, runs, window)
        yield "stopping", closing.StoppingDialog(looks, runs[:1], window)

    def _notices(self) -> None:
        """Three that stack, one of them of two lines, and an error above a page."""
        from probes.errors import UsageError

        window = self.window
        window.show_page(OVERVIEW)
        window.notices.display("Run 2 is deleted.", lambda: None)
        window.notices.display(LONG)
        window.notices.tell_saved(Path("/home/jo/reports") / f"{'leadline-' * 8}shop.pdf")
        window.show_error(UsageError("db7 does not answer.", "Is the address right?"))
        self.take(f"notices-{GOOD}-1024x640")

    def _report(self) -> None:
        from advisor.target_names import SAMPLE
        from app.controllers.selection import Choice

        # The page of a trial was this computer's, which has nothing to report.
        self.window.selection.choose(Choice(SAMPLE))
        self.window.show_page(ADVICE)
        self.wait(LONGEST_MS, lambda: self.window.advice_controller.plan is not None)
        self.window.pages.handing_over.report()
        self.wait(3000)

    def _own_words(self) -> None:
        from app.views.dialogs.report import ReportDialog

        self._report()
        self.wait(LONGEST_MS, partial(self._any_open, ReportDialog))
        self.window.findChildren(ReportDialog)[-1].words.click()

    def _name(self) -> None:
        from advisor.target_names import SAMPLE
        from app.controllers.selection import Choice

        self.window.selection.choose(Choice(SAMPLE, CHECK))
        self.window.sidebar.name_chosen()

    def _prices(self) -> None:
        self.window.show_page(COMPARE)
        self.wait(SETTLED_MS)
        self._compared()
        self.window.pages.benching.ask_prices()

    def _trial(self) -> None:
        """On this computer: the sample is known from a file."""
        from app.controllers.selection import Choice

        self.window.selection.choose(Choice())
        self.window.pages.going.try_change("")

    def _watched(self) -> None:
        self.wait(LONGEST_MS, lambda: self.window.selection.watching is not None)

    def _open_check(self) -> None:
        from advisor.target_names import SAMPLE
        from app.controllers.selection import Choice

        selection = self.window.selection
        selection.choose(Choice(SAMPLE, CHECK))
        self.wait(LONGEST_MS, lambda: selection.run is not None and bool(selection.run.points))
        self.window.show_page(PROBE)

    def _map(self) -> None:
        self.window.probe.measure.panel.pane.modes.button("map").click()

    def _point(self) -> None:
        self.window.probe.measure.panel.pane.modes.button("curves").click()
        self.open_point()

    def _compared(self) -> None:
        self.pick_drives()
        self.compare()
        self.window.compare.modes.button("curves").click()


def doubted() -> None:
    """Keep the sample as if many of its points had been disturbed."""
    from advisor.runs.sample import take_sample
    from advisor.store.store import DATABASE, Store

    home = Path(os.environ["LEADLINE_HOME"])
    with Store.open(home / DATABASE) as store:
        list(take_sample(store))
    with sqlite3.connect(home / DATABASE) as database:
        asked = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        for (name,) in database.execute(asked).fetchall():
            database.execute(f"DROP TRIGGER {name}")
        for trust, every in (("doubtful", 3), ("rejected", 7)):
            database.execute(
                "UPDATE points SET trust = ?, doubts = ? WHERE id % ? = 0",
                (trust, json.dumps([DOUBT]), every),
            )
    database.close()
