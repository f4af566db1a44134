"""Takes each page light and dark, at three sizes, with good, doubtful and no data, to be looked at.

The pages of the sample: as it ships, with a third of its points doubtful and some rejected, and a
first start. Nothing is measured. ``QT_SCALE_FACTOR=2`` in the environment takes them for screens
of twice the dots.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from screenshots import (
    ADVICE,
    CHECK,
    COMPARE,
    LONGEST_MS,
    OVERVIEW,
    PROBE,
    ROOT,
    WATCH,
    WHAT_IF,
    Photographer,
    display,
)

SIZES = ((1024, 700), (1440, 900), (1920, 1080))
GOOD, DOUBTFUL, EMPTY = "good", "doubtful", "empty"
DOUBT = "The rate swung: its 95 % interval goes from 6.26 k/s to 18.8 k/s."

SETTLED_MS = 1500
"""What a view draws a moment after it is shown."""


class Matrix(Photographer):
    """Takes every view at every size."""

    def __init__(self, folder: Path, data: str) -> None:
        super().__init__(folder, "/var/tmp", sample_alone=True)
        self.data = data

    def run(self) -> None:
        """All views, one after the other."""
        window = self.window
        self.wait(LONGEST_MS, lambda: window.loaded)
        if self.data != EMPTY:
            window.try_sample()
            self.wait(LONGEST_MS, lambda: window.advice_controller.plan is not None)
            window.notice.hide()
        for name, page, show in self._views():
            window.show_page(page)
            self.wait(SETTLED_MS)
            show()
            self.wait(SETTLED_MS)
            for width, height in SIZES:
                window.resize(width, height)
                self.take(f"{name}-{self.data}-{width}x{height}")

    def _views(self) -> Iterable[tuple[str, int, Callable[[], object]]]:
        """Of each view its name, its page and what is to be done there."""
        nothing: Callable[[], object] = lambda: None  # noqa: E731 - one of a table's cells
        yield "home", OVERVIEW, nothing
        yield "watch", WATCH, nothing if self.data == EMPTY else self._watched
        yield "probe", PROBE, nothing if self.data == EMPTY else self._open_check
        if self.data != EMPTY:
            yield "probe-map", PROBE, self._map
            yield "probe-point", PROBE, self._point
        for side in ("advice", "plan", "lens"):
            yield f"advice-{side}", ADVICE, partial(self.window.advice.show_side, side)
        yield "what-if", WHAT_IF, nothing
        yield "compare", COMPARE, nothing
        if self.data != EMPTY:
            yield "compare-curves", COMPARE, self._compared
            for mode in ("ratios", "under"):
                yield f"compare-{mode}", COMPARE, self.window.compare.modes.button(mode).click

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


def main() -> int:
    """Take them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "pictures")
    parser.add_argument("data", choices=[GOOD, DOUBTFUL, EMPTY])
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="leadline-shots-") as home, display():
        os.environ["LEADLINE_HOME"] = home
        if chosen.data == DOUBTFUL:
            doubted()
        photographer = Matrix(chosen.out, chosen.data)
        photographer.run()
        photographer.close()
    print(f"{len(list(chosen.out.glob('*.png')))} pictures in {chosen.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
