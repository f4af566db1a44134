"""What the window's own thread spends on what users do in it, by CPU time, against its bars.

A window off screen over a stored run of more than a hundred points and a store of a thousand runs
(those of ``compare_list.py``): pages, runs, rules, looks, a live run, a chart of fifty curves. A
*turn* is what the event loop does without hearing keys and mouse. Medians of ``--rounds``, each in
a process of its own; ``--against TREE`` measures another checkout in turn with this one.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from window_rounds import (
    ROOT,
    Figures,
    arguments,
    measured_in_turn,
    rows,
    turns,
    write_section,
)

ROUNDS, RUNS = 5, 1000
LIVE_S = 6.0
UPDATES = 40
CURVES = 50
"""Beside each other in one chart, far more than a comparison has."""

CLOCK = ", by the clock"

BARS = {
    "page change": 60.0,
    "a run of 100 points and more opened": 80.0,
    f"the sidebar filled with {RUNS:,} runs": 150.0,
    f"Compare opened with {RUNS:,} runs": 150.0,
    "theme switched": 300.0,
    "longest turn when a rule is chosen": 16.0,
    "longest turn of a page change": 16.0,
    "longest turn of a run ticked in Compare": 16.0,
    f"{CURVES} curves drawn": 20.0,
    "an update of What if, all threads": 1000 / 30,
    "live run, % of a core": 10.0,
    "resident, MiB": 200.0,
}
"""The most that each may take, in milliseconds where it says nothing else."""


def main() -> int:
    """Print and write a row for each action; 1 when one takes longer than it may."""
    asked = arguments(__doc__, ROUNDS).parse_args()
    found = measured_in_turn(__file__, asked, measured, _fill)
    told = f"CPU ms of the window's thread, median of {asked.rounds}"
    lines = [told, "", *rows(found, BARS, decimals=1)]
    print("\n".join(lines))
    if asked.against is None:
        write_section("What users do in it", lines)
    here = {name: median(one[name] for one in found[0]) for name in found[0][0]}
    return int(any(figure > BARS.get(name, math.inf) for name, figure in here.items()))


def _fill(store: Path) -> None:
    """A thousand runs of the first one's points, the last of a longer plan."""
    from compare_list import fill  # noqa: PLC0415 - a child of another tree has none

    fill(store, RUNS - 1)
    sys.path.insert(0, str(ROOT))
    from advisor.runs.requests import CheckRequest  # noqa: PLC0415 - a child imports another's
    from advisor.store.store import Store  # noqa: PLC0415
    from probes.cancel import CancelToken  # noqa: PLC0415
    from probes.plans.plan import PlanName  # noqa: PLC0415
    from probes.targets.address import TargetSpec  # noqa: PLC0415
    from probes.targets.silent import Silent  # noqa: PLC0415
    from tests.app.window.replay import Replay  # noqa: PLC0415

    with Store.open(store) as opened:
        asked = CheckRequest(TargetSpec(), plan=PlanName.THOROUGH)
        list(Replay(store).measure(opened, asked, Silent(), CancelToken()))


@dataclass
class Cost:
    """What an action took: all of its turns and the longest of them in CPU milliseconds.

    ``clock`` is what all of them took by the clock.
    """

    whole: float
    longest: float
    clock: float


def measured(tree: Path, store: Path) -> Figures:
    """CPU milliseconds of each action in the window of ``tree``."""
    sys.path.insert(0, str(tree))
    from app.window.application import build, make_application  # noqa: PLC0415 - of that tree
    from tests.app.window.replay import Replay  # noqa: PLC0415

    application = make_application(["leadline"])
    replay = Replay(store, pause_s=0.1)
    window = build(application, replay.use_cases(), {})
    window.resize(1280, 800)
    window.show_page(0)
    window.show()
    return Walk(application, window).figures()


class Walk:
    """Does what users do, one after the other."""

    def __init__(self, application: Any, window: Any) -> None:
        self.application, self.window = application, window
        self.found: dict[str, float] = {}

    def cost(self, act: Callable[[], object], until: Callable[[], bool] = lambda: True) -> Cost:
        """What ``act`` takes, with all that follows of it."""
        found = list(turns(self.application, act, until, 0.002))
        cpu = [turn.cpu for turn in found]
        return Cost(sum(cpu), max(cpu), sum(turn.clock for turn in found))

    def _tell(self, name: str, cost: Cost) -> None:
        self.found[name] = cost.whole
        self.found[name + CLOCK] = cost.clock

    def figures(self) -> dict[str, float]:
        """All of it, by the names of ``BARS`` and some more."""
        from app.controllers.selection import Choice  # noqa: PLC0415 - of the tree measured

        window, shelf = self.window, self.window.parts.stored_runs.shelf
        self.cost(lambda: None, lambda: not window.run_controller.looking("local"))
        self.cost(lambda: None, lambda: len(window.parts.stored_runs.shelf.runs) > 1)
        shelf = window.parts.stored_runs.shelf
        # What the window reads of itself is over by then.
        self.cost(lambda: None)
        self.found["nothing, for comparison"] = self.cost(lambda: None).whole
        # A round before may have left a live run of few points.
        newest, older = sorted(shelf.runs, key=lambda run: -run.points)[:2]
        self._pages(Choice("local", newest.id))
        window.show_page(2)
        self.cost(partial(window.selection.choose, Choice("local", older.id)))
        self.cost(partial(window.selection.choose, Choice("local", newest.id)))
        stored = window.parts.stored_runs
        stored._opened.clear()
        self.cost(partial(window.selection.choose, Choice("local", older.id)))
        stored._opened.pop(newest.id, None)
        opened = self.cost(
            partial(window.selection.choose, Choice("local", newest.id)),
            lambda: window.selection.run is not None,
        )
        self.found["points of that run"] = float(len(window.selection.run.points))
        self._tell("a run of 100 points and more opened", opened)
        self.found["longest turn of a run opened"] = opened.longest
        self._rules()
        self._lists()
        self._themes()
        self._curves()
        self._what_if()
        self._live()
        self.found["resident, MiB"] = _resident_mib()
        return self.found

    def _pages(self, choice: Any) -> None:
        """Each page twice: the second time as on every day."""
        self.cost(partial(self.window.selection.choose, choice))
        costs: list[tuple[Cost, int]] = []
        for turn in range(2):
            for page in (0, 1, 2, 3, 4, 5):
                cost = self.cost(partial(self.window.show_page, page))
                if turn:
                    costs.append((cost, page))
        self._tell("page change", max((cost for cost, _ in costs), key=lambda one: one.whole))
        self.found["longest turn of a page change"] = max(cost.longest for cost, _ in costs)
        for cost, page in costs:
            self.found[f"to page {page + 1}"] = cost.whole
            self.found[f"to page {page + 1}, its longest turn"] = cost.longest

    def _rules(self) -> None:
        """One after the other, from the first that has measured points."""
        self.window.show_page(3)
        listed = self.window.advice.list
        self.cost(lambda: None, lambda: listed.model().rowCount() > 3)
        from app.presenters.advice_rows import AdviceRow  # noqa: PLC0415 - of the tree measured
        from app.views.advice.rule_model import ROW  # noqa: PLC0415

        model = listed.model()
        indexes = [model.index(at, 0) for at in range(model.rowCount())]
        rules = [index for index in indexes if isinstance(index.data(ROW), AdviceRow)][:6]
        # Each once before: widgets are made for the first that needs them.
        for rule in rules:
            self.cost(partial(listed.setCurrentIndex, rule))
        costs = [self.cost(partial(listed.setCurrentIndex, rule)) for rule in rules]
        self.found["a rule chosen"] = max(cost.whole for cost in costs)
        self.found["longest turn when a rule is chosen"] = max(cost.longest for cost in costs)

    def _lists(self) -> None:
        sidebar = self.window.sidebar

        def fill() -> None:
            sidebar.shown = []
            sidebar.fill()

        self._tell(f"the sidebar filled with {RUNS:,} runs", self.cost(fill))
        controller = self.window.comparison_controller
        self.window.show_page(2)
        self.cost(lambda: None)
        opened = self.cost(partial(self.window.show_page, 4), lambda: bool(controller.references))
        self._tell(f"Compare opened with {RUNS:,} runs", opened)
        self._ticks()

    def _ticks(self) -> None:
        """Runs are ticked with the space bar; the first has most to follow."""
        from PySide6.QtCore import Qt  # noqa: PLC0415 - only a round needs Qt
        from PySide6.QtTest import QTest  # noqa: PLC0415

        tree = self.window.compare.list.tree
        controller, model = self.window.comparison_controller, tree.model()
        group, costs = model.index(0, 0), []
        for at in range(3):
            tree.setCurrentIndex(model.index(at, 0, group))
            press = partial(QTest.keyClick, tree, Qt.Key.Key_Space)
            picked = len(controller.picked) + 1
            costs.append(self.cost(press, partial(self._are_picked, picked)))
        self._tell("a run ticked in Compare", max(costs, key=lambda one: one.whole))
        self.found["longest turn of a run ticked in Compare"] = max(one.longest for one in costs)

    def _are_picked(self, number: int) -> bool:
        return len(self.window.comparison_controller.picked) == number

    def _themes(self) -> None:
        from app.theme.appearance import Mode  # noqa: PLC0415 - of the tree measured

        self.window.show_page(2)
        self.cost(lambda: None)
        costs = [
            self.cost(partial(self.window.choose_appearance, mode))
            for mode in (Mode.DARK, Mode.LIGHT, Mode.DARK, Mode.LIGHT)
        ]
        self._tell("theme switched", max(costs, key=lambda one: one.whole))

    def _curves(self) -> None:
        """The chart of a page with fifty curves, each drawn with its points."""
        from app.presenters.curves import Series  # noqa: PLC0415 - of the tree measured

        panel = self.window.probe.measure.panel
        picture = panel.picture
        first: Series = picture.series[0]
        many = replace(picture, series=tuple(replace(first, index=at) for at in range(CURVES)))
        chart = panel.chart

        def draw() -> None:
            chart.show_picture(many, None, chart.options)
            for view in chart.views:
                view.viewport().repaint()

        self.cost(draw)
        begun = time.thread_time()
        for _ in range(20):
            draw()
        self.found[f"{CURVES} curves drawn"] = 1000 * (time.thread_time() - begun) / 20

    def _what_if(self) -> None:
        """A slider that is moved on: six curves over both charts, with bands, and both bars."""
        from PySide6.QtCore import QEventLoop, QTimer  # noqa: PLC0415 - only a round needs Qt

        from app.controllers.selection import Selection  # noqa: PLC0415
        from tests.advisor.forecasts.live_servers import (  # noqa: PLC0415
            COMMITS,
            READS_16K,
            on_a_slow_drive,
        )
        from tests.app.window.runs import done_run  # noqa: PLC0415

        watched = on_a_slow_drive(reads_16k=READS_16K, commits=COMMITS)
        seen, before = done_run(watched, plan_name=""), Selection.watching
        Selection.watching = property(lambda _selection: seen)  # type: ignore[assignment]
        window, size = self.window, self.window.size()
        controller = window.pages.what_if_controller
        window.resize(1440, 900)
        self.cost(partial(window.show_page, 5), lambda: controller.found is not None)
        pool = window.what_if.knobs.knobs["buffer_pool"]
        loop, moves = QEventLoop(), iter(range(UPDATES))

        def move() -> None:
            at = next(moves, None)
            if at is None:
                loop.quit()
            else:
                pool.slider.setValue(pool.knob.start + 1 + at % 6)

        # The next move waits until the last one is drawn.
        controller.answered.connect(lambda: QTimer.singleShot(0, loop, move))
        used, begun = time.process_time(), time.monotonic()
        move()
        loop.exec()
        used, lasted = time.process_time() - used, time.monotonic() - begun
        self.found["an update of What if, all threads"] = 1000 * used / UPDATES
        self.found["updates of What if a second"] = UPDATES / lasted
        window.resize(size)
        Selection.watching = before  # type: ignore[method-assign]

    def _live(self) -> None:
        """A run whose events come as often as real ones: what the whole process takes of a core."""
        from PySide6.QtCore import QEventLoop, QTimer  # noqa: PLC0415 - only a round needs Qt

        window = self.window
        window.show_page(2)
        window.pages.going.go_probing()
        self.cost(lambda: None, lambda: window.probe.setup.plan_made is not None)
        window.pages.going.probe_now()
        self.cost(lambda: None, lambda: window.selection.run is not None)
        loop = QEventLoop()
        cpu, begun = time.process_time(), time.monotonic()
        QTimer.singleShot(int(1000 * LIVE_S), loop, loop.quit)
        loop.exec()
        taken = time.process_time() - cpu
        self.found["live run, % of a core"] = 100 * taken / (time.monotonic() - begun)


def _resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    sys.exit(main())
