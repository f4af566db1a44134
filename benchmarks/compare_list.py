"""What the window's lists cost with a thousand runs: CPU time of its one thread, action by action.

``--against TREE`` measures another checkout's window in turn with this one's, in the same rounds.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median

from window_rounds import ROOT, Figures, arguments, measured_in_turn, places, turns

RUNS, ROUNDS = 1000, 9
MOST_TICK_MS = 50.0
CHILDREN = ("raw_answers", "conditions", "points")


def main() -> int:
    """Print a row for each action; 1 when a tick takes longer than it may."""
    parser = arguments(__doc__, ROUNDS)
    parser.add_argument("--runs", type=int, default=RUNS)
    asked = parser.parse_args()
    found = measured_in_turn(__file__, asked, measured, partial(fill, number=asked.runs))
    print(f"CPU ms of the window's thread, median of {asked.rounds}, {asked.runs} runs")
    print("| action |" + "".join(f" {place} |" for place in places(found)))
    for action in found[0][0]:
        figures = [median(one[action] for one in rounds) for rounds in found]
        print(f"| {action} |" + "".join(f" {figure:.1f} |" for figure in figures))
    return int(median(one["tick the first run"] for one in found[0]) > MOST_TICK_MS)


def fill(path: Path, number: int) -> None:
    """A store with one real run of the tests' replay and copies of it, an hour apart."""
    sys.path.insert(0, str(ROOT))
    from advisor.runs.requests import CheckRequest  # noqa: PLC0415 - the child imports another tree's
    from advisor.store.store import Store  # noqa: PLC0415
    from probes.cancel import CancelToken  # noqa: PLC0415
    from probes.targets.address import TargetSpec  # noqa: PLC0415
    from probes.targets.silent import Silent  # noqa: PLC0415
    from tests.app.window.replay import Replay  # noqa: PLC0415

    with Store.open(path) as store:
        list(Replay(path).measure(store, CheckRequest(TargetSpec()), Silent(), CancelToken()))
    with sqlite3.connect(path) as database:
        for at in range(1, number):
            _copy(database, datetime.now(UTC) - timedelta(hours=number - at))
    database.close()


def _copy(database: sqlite3.Connection, started: datetime) -> None:
    columns = [name for name in _columns(database, "runs") if name not in ("id", "state")]
    listed = ", ".join(columns)
    run = database.execute(
        f"INSERT INTO runs ({listed}, state) SELECT {listed}, 'running' FROM runs WHERE id = 1"
    ).lastrowid
    for table in CHILDREN:
        others = [name for name in _columns(database, table) if name not in ("id", "run_id")]
        listed = ", ".join(others)
        database.execute(
            f"INSERT INTO {table} (run_id, {listed}) SELECT ?, {listed} FROM {table}"
            " WHERE run_id = 1",
            (run,),
        )
    database.execute(
        "UPDATE runs SET state = 'done', started_at = ? WHERE id = ?", (started.isoformat(), run)
    )


def _columns(database: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in database.execute(f"PRAGMA table_info({table})")]


def measured(tree: Path, store: Path) -> Figures:
    """CPU milliseconds of each action in the window of ``tree``."""
    sys.path.insert(0, str(tree))
    from PySide6.QtCore import Qt  # noqa: PLC0415 - only a round needs a window
    from PySide6.QtTest import QTest  # noqa: PLC0415

    from app.controllers.selection import Choice  # noqa: PLC0415
    from app.window.application import build, make_application  # noqa: PLC0415
    from app.window.parts import ADVICE, COMPARE, OVERVIEW, PROBE  # noqa: PLC0415
    from tests.app.window.replay import Replay  # noqa: PLC0415

    application = make_application(["leadline"])
    window = build(application, Replay(store).use_cases(), {})
    window.resize(1440, 900)
    window.show_page(PROBE)
    window.show()

    def cost(act: Callable[[], object], until: Callable[[], bool] = lambda: True) -> float:
        return sum(turn.cpu for turn in turns(application, act, until, 0.005))

    def settle(until: Callable[[], bool] = lambda: True) -> None:
        cost(lambda: None, until)

    library = window.compare.list._stored_runs
    settle(lambda: len(library.shelf.runs) > 1 and not window.run_controller.looking("local"))
    newest, older = (run.id for run in library.shelf.runs[:2])
    settle(lambda: library.run(newest) is not None)
    tree_view = window.compare.list.tree
    idle = cost(lambda: None)
    found = {"nothing, for comparison": idle}
    found["open Compare and fill its list"] = cost(
        lambda: window.show_page(COMPARE), lambda: bool(window.comparison_controller.references)
    )
    group = tree_view.model().index(0, 0)
    ticked = [tree_view.model().index(at, 0, group) for at in range(6)]

    def tick(at: int) -> None:
        tree_view.setCurrentIndex(ticked[at])
        QTest.keyClick(tree_view, Qt.Key.Key_Space)

    def are_ticked(number: int) -> bool:
        return len(window.comparison_controller.picked) == number

    found["tick the first run"] = cost(partial(tick, 0), partial(are_ticked, 1))
    for at in range(1, 5):
        found["tick another"] = cost(partial(tick, at), partial(are_ticked, at + 1))
    found["tick the sixth: no more can be"] = cost(partial(tick, 5), partial(are_ticked, 6))
    found["type into the search"] = cost(
        lambda: QTest.keyClicks(window.compare.list.search, "quick")
    )
    found["to Overview"] = cost(lambda: window.show_page(OVERVIEW))
    found["to Advice"] = cost(lambda: window.show_page(ADVICE))
    found["to Probe"] = cost(lambda: window.show_page(PROBE))
    found["back to Compare"] = cost(lambda: window.show_page(COMPARE))
    window.show_page(PROBE)
    settle()
    found["choose a run"] = cost(
        lambda: window.selection.choose(Choice("local", newest)),
        lambda: window.selection.run is not None,
    )
    found["choose another"] = cost(
        lambda: window.selection.choose(Choice("local", older)),
        lambda: window.selection.run is not None,
    )
    return found


if __name__ == "__main__":
    sys.exit(main())
