"""Does in a window what users do, in a process of its own: what its thread spends on it, as JSON.

A window off screen over a stored run of more than a hundred points and a store of a thousand runs:
pages, runs, rules, looks, a live run, a chart of fifty curves; or the list of runs alone. A *turn*
is what the event loop does without hearing keys and mouse.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.window.first_frame import resident_mib
from benchmarks.window.reading import look_at_reports, read_help

LIVE_S, WATCHED_S = 6.0, 3.0
UPDATES, CURVES = 40, 50
CLOCK = ", by the clock"
OVERVIEW, PROBE, ADVICE, COMPARE, WHAT_IF = 0, 2, 3, 4, 5
SETTLED_S = 0.45
"""What is asked for within this after an action is part of it: views gather news for 0.4 s."""


def main(store: str, part: str) -> None:
    """Walk, print the figures, and end this process."""
    from app.window.application import build, make_application
    from tests.app.window.replay import Replay

    application = make_application(["leadline"])
    whole = part == "use"
    window = build(application, Replay(Path(store), pause_s=0.1 if whole else 0.0).use_cases(), {})
    window.resize(*((1280, 800) if whole else (1440, 900)))
    window.show_page(OVERVIEW if whole else PROBE)
    window.show()
    walk = Walk(application, window)
    walk.settle()
    (walk.use if whole else walk.compare)()
    print(json.dumps(walk.found), flush=True)
    # The window's jobs need not end in order.
    os._exit(0)


@dataclass
class Cost:
    """What an action took: all of its turns and the longest of them in CPU milliseconds.

    ``clock`` is what all of them took by the clock, ``blocked`` the longest.
    """

    whole: float
    longest: float
    clock: float
    blocked: float


class Walk:
    """One thing after the other, each with what it costs."""

    def __init__(self, application: Any, window: Any) -> None:
        self.application, self.window = application, window
        self.found: dict[str, float] = {}

    def cost(
        self,
        act: Callable[[], object] = lambda: None,
        until: Callable[[], bool] = lambda: True,
        pause_s: float = 0.002,
    ) -> Cost:
        """What ``act`` takes, with all that follows of it."""
        cpu, clock = zip(*self._turns(act, until, pause_s), strict=True)
        return Cost(sum(cpu), max(cpu), sum(clock), max(clock))

    def _turns(
        self, act: Callable[[], object], until: Callable[[], bool], pause_s: float
    ) -> Iterator[tuple[float, float]]:
        """What ``act`` takes, and each turn of the event loop that follows: by CPU and clock, ms.

        They end ``SETTLED_S`` after ``until`` first holds: what came last has its followers, too.
        """
        end, do = math.inf, act
        while time.monotonic() < end:
            clock, cpu = time.perf_counter(), time.thread_time()
            do()
            yield 1000 * (time.thread_time() - cpu), 1000 * (time.perf_counter() - clock)
            if do is not act:
                if end == math.inf and until():
                    end = time.monotonic() + SETTLED_S
                time.sleep(pause_s)
            do = self.application.processEvents

    def _tell(self, name: str, cost: Cost) -> None:
        self.found[name] = cost.whole
        self.found[name + CLOCK] = cost.clock

    def settle(self) -> None:
        """Wait for what the window reads of itself at its start."""
        runs = self.window.parts.stored_runs
        self.cost(until=lambda: not self.window.run_controller.looking("local"))
        self.cost(until=lambda: len(runs.shelf.runs) > 1)
        self.cost()
        self.found["nothing, for comparison"] = self.cost().whole

    def compare(self) -> None:
        """What the list of runs in Compare takes, and going there and back."""
        from app.controllers.selection import Choice

        window, runs = self.window, self.window.parts.stored_runs
        newest, older = (run.id for run in runs.shelf.runs[:2])
        self.cost(until=lambda: runs.run(newest) is not None)
        self.found["nothing, for comparison"] = self.cost().whole
        chosen = lambda: window.selection.run is not None  # noqa: E731
        listed = lambda: bool(window.comparison_controller.references)  # noqa: E731
        self._take("open Compare and fill its list", partial(window.show_page, COMPARE), listed)
        special = {0: "tick the first run", 5: "tick the sixth: no more can be"}
        for at in range(6):
            self.found[special.get(at, "tick another")] = self._ticked(at).whole
        search = window.compare.list.search
        self._take("type into the search", partial(self._keys, search, "quick"))
        pages = {"to Overview": OVERVIEW, "to Advice": ADVICE, "to Probe": PROBE}
        for name, page in (pages | {"back to Compare": COMPARE}).items():
            self._take(name, partial(window.show_page, page))
        window.show_page(PROBE)
        self.cost()
        for name, run in (("choose a run", newest), ("choose another", older)):
            self._take(name, partial(window.selection.choose, Choice("local", run)), chosen)

    def _take(
        self, name: str, act: Callable[[], object], until: Callable[[], bool] = lambda: True
    ) -> None:
        self.found[name] = self.cost(act, until, 0.005).whole

    def _keys(self, widget: Any, text: str) -> None:
        from PySide6.QtTest import QTest

        QTest.keyClicks(widget, text)

    def _ticked(self, at: int) -> Cost:
        """A run of the list is ticked with the space bar."""
        tree, picked = self.window.compare.list.tree, self.window.comparison_controller
        tree.setCurrentIndex(tree.model().index(at, 0, tree.model().index(0, 0)))
        there = len(picked.picked) + 1
        return self.cost(partial(self._keys, tree, " "), lambda: len(picked.picked) == there)

    def use(self) -> None:
        """All that users do, by the names of the bars and some more."""
        from app.controllers.selection import Choice

        window, stored = self.window, self.window.parts.stored_runs
        choose = window.selection.choose
        # A round before may have left a live run of few points.
        newest, older = (
            Choice("local", run.id)
            for run in sorted(stored.shelf.runs, key=lambda run: -run.points)[:2]
        )
        self._pages(newest)
        window.show_page(PROBE)
        self.cost(partial(choose, older))
        self.cost(partial(choose, newest))
        stored._opened.clear()
        self.cost(partial(choose, older))
        stored._opened.pop(newest.run_id, None)
        opened = self.cost(partial(choose, newest), lambda: window.selection.run is not None)
        self.found["points of that run"] = float(len(window.selection.run.points))
        self._tell("a run of 100 points and more opened", opened)
        self.found["longest turn of a run opened"] = opened.longest
        self._rules()
        self._lists()
        self._themes()
        self._curves()
        self._what_if()
        self._live()
        self.found["resident, MiB"] = resident_mib()
        read_help(self)
        self.cost(partial(choose, newest), lambda: window.selection.run is not None)
        look_at_reports(self)

    def _pages(self, choice: Any) -> None:
        """Each page twice: the second time as on every day."""
        self.cost(partial(self.window.selection.choose, choice))
        for _ in range(2):
            costs = [self.cost(partial(self.window.show_page, page)) for page in range(6)]
        self._tell("page change", max(costs, key=lambda one: one.whole))
        self.found["longest turn of a page change"] = max(cost.longest for cost in costs)
        for page, cost in enumerate(costs, 1):
            self.found[f"to page {page}"] = cost.whole
            self.found[f"to page {page}, its longest turn"] = cost.longest

    def _rules(self) -> None:
        """One after the other, from the first that has measured points."""
        from app.presenters.advice.rows import AdviceRow
        from app.views.advice.rule_model import ROW

        self.window.show_page(ADVICE)
        listed = self.window.advice.list
        model = listed.model()
        self.cost(until=lambda: model.rowCount() > 3)
        indexes = [model.index(at, 0) for at in range(model.rowCount())]
        rules = [index for index in indexes if isinstance(index.data(ROW), AdviceRow)][:6]
        # Each once before: widgets are made for the first that needs them.
        for _ in range(2):
            costs = [self.cost(partial(listed.setCurrentIndex, rule)) for rule in rules]
        self.found["a rule chosen"] = max(cost.whole for cost in costs)
        self.found["longest turn when a rule is chosen"] = max(cost.longest for cost in costs)

    def _lists(self) -> None:
        window, sidebar = self.window, self.window.sidebar
        # Rounds before have added some.
        runs = f"{round(len(window.parts.stored_runs.shelf.runs), -2):,} runs"

        def fill() -> None:
            sidebar.shown = []
            sidebar.fill()

        self._tell(f"the sidebar filled with {runs}", self.cost(fill))
        window.show_page(PROBE)
        self.cost()
        listed = lambda: bool(window.comparison_controller.references)  # noqa: E731
        opened = self.cost(partial(window.show_page, COMPARE), listed)
        self._tell(f"Compare opened with {runs}", opened)
        # The first run ticked has most to follow.
        costs = [self._ticked(at) for at in range(3)]
        self._tell("a run ticked in Compare", max(costs, key=lambda one: one.whole))
        self.found["longest turn of a run ticked in Compare"] = max(one.longest for one in costs)

    def _themes(self) -> None:
        from app.theme.appearance import Mode

        self.window.show_page(PROBE)
        self.cost()
        modes = (Mode.DARK, Mode.LIGHT) * 2
        costs = [self.cost(partial(self.window.choose_appearance, mode)) for mode in modes]
        self._tell("theme switched", max(costs, key=lambda one: one.whole))

    def _curves(self) -> None:
        """The chart of a page with fifty curves, each drawn with its points."""
        panel = self.window.probe.measure.panel
        chart, picture = panel.chart, panel.picture
        series = tuple(replace(picture.series[0], index=at) for at in range(CURVES))
        many = replace(picture, series=series)

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
        from PySide6.QtCore import QEventLoop, QTimer

        from app.controllers.selection import Selection
        from tests.advisor.forecasts.live_servers import COMMITS, READS_16K, on_a_slow_drive
        from tests.app.window.runs import done_run

        watched = on_a_slow_drive(reads_16k=READS_16K, commits=COMMITS)
        seen, before = done_run(watched, plan_name=""), Selection.watching
        Selection.watching = property(lambda _selection: seen)  # type: ignore[assignment]
        window, size = self.window, self.window.size()
        controller = window.pages.what_if_controller
        window.resize(1440, 900)
        self.cost(partial(window.show_page, WHAT_IF), lambda: controller.found is not None)
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
        from PySide6.QtCore import QEventLoop, QTimer

        window = self.window
        window.show_page(PROBE)
        window.pages.going.go_probing()
        self.cost(until=lambda: window.probe.setup.plan_made is not None)
        window.pages.going.probe_now()
        self.cost(until=lambda: window.selection.run is not None)
        loop = QEventLoop()
        cpu, begun = time.process_time(), time.monotonic()
        QTimer.singleShot(int(1000 * LIVE_S), loop, loop.quit)
        loop.exec()
        taken, now = time.process_time() - cpu, time.monotonic()
        self.found["live run, % of a core"] = 100 * taken / (now - begun)
        seen = self.cost(until=lambda: time.monotonic() > now + WATCHED_S)
        self.found["longest turn of a live run"] = seen.longest
        self.found["longest turn of a live run" + CLOCK] = seen.blocked
