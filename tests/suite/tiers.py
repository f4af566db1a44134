"""Which tests are pure: they start nothing, connect to nothing and open no window.

``make quick`` runs them alone, without those that are marked as long: sweeps, simulations, and all
whole servers but a few. A pure test that reaches outside fails: its file belongs into ``REAL``
then.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[1]

_PURE = (
    "advisor",
    "advisor/compare",
    "advisor/facts/measured",
    "advisor/facts/server",
    "advisor/facts/watched",
    "advisor/judging",
    "advisor/judging/simulated",
    "advisor/lab",
    "advisor/lab/effects",
    "advisor/trial",
    "advisor/model/curves",
    "advisor/model/network",
    "advisor/model/server",
    "advisor/report",
    "advisor/report/client",
    "advisor/report/comparison",
    "advisor/report/document",
    "advisor/report/forms",
    "advisor/report/json",
    "advisor/report/sections",
    "advisor/report/terminal",
    "advisor/rulebook",
    "advisor/runs/test_progress.py",
    "advisor/runs/test_shortfall.py",
    "advisor/target_config",
    "advisor/wording",
    "advisor/workload",
    "app/fields",
    "app/test_texts.py",
    "app/window/charts/test_curves.py",
    "app/window/charts/test_operating_point.py",
    "app/window/charts/test_point_details.py",
    "app/window/looks/test_texts.py",
    "app/window/probe/test_probe_pictures.py",
    "app/window/watch/test_watch_pictures.py",
    "benchmarks",
    "docs/test_contributing.py",
    "knowledge",
    "knowledge/machines",
    "knowledge/production",
    "knowledge/published",
    "knowledge/upgrade",
    "packaging/test_frozen_elsewhere.py",
    "plan",
    "plan/export",
    "plan/hostile",
    "probes/boundary",
    "probes/collection",
    "probes/imports",
    "probes/imports/fio",
    "probes/imports/sysbench",
    "probes/inventory",
    "probes/kinds",
    "probes/inventory/machine",
    "probes/plans",
    "probes/plans/build",
    "probes/plans/spend",
    "probes/targets/test_this_computer.py",
    "probes/texts",
    "probes/trust",
    "probes/watch/test_over_time.py",
    "probes",
    "rules",
    "rules/coherence",
    "rules/conditions",
    "rules/invariants",
    "rules/random_cases",
    "variables",
)
"""Folders and files; what lies deeper is not meant."""

REAL = (
    "advisor/test_whole_file.py",
    "advisor/model/network/test_closed_network.py",
    "advisor/model/curves/test_interference.py",
    "advisor/report/forms/test_typesetting.py",
    "advisor/target_config/test_starting_servers.py",
    "benchmarks/test_wild.py",
    "plan/export/test_managed.py",
    "plan/export/test_other_tools.py",
    "plan/export/test_read_by_programs.py",
    "plan/export/test_shell.py",
    "plan/hostile/test_hostile_machines.py",
    "probes/collection/test_collected.py",
    "probes/collection/test_hiding.py",
    "probes/collection/test_script.py",
    "probes/imports/test_fuzz.py",
    "probes/imports/test_mutants.py",
    "probes/imports/test_read.py",
    "probes/inventory/test_ask.py",
    "probes/inventory/test_real.py",
    "probes/inventory/test_redact.py",
    "probes/inventory/test_servers_here.py",
    "probes/test_histogram.py",
    "probes/test_redaction.py",
    "probes/texts/test_real_clients.py",
    "probes/trust/test_change_points.py",
    "probes/trust/test_real.py",
    "rules/test_commands_on_a_drive.py",
    "rules/random_cases/test_machine.py",
    "rules/random_cases/test_sweep.py",
    "variables/test_against_servers.py",
    "variables/test_habits.py",
)
"""Files in those folders that start servers or programs, or compute for long."""

_LONG = (
    "probes/agent/test_go.py",
    "app/window/walks/test_walks.py",
    "docs/test_commands.py",
    "rules/random_cases/test_sweep.py",
    "advisor/runs/test_session_servers.py",
    "knowledge/production/test_production.py",
    "app/cli/commands/trying/test_trial.py",
    "app/cli/commands/trying/test_trial_steps.py",
    "app/cli/commands/trying/test_trial_server_killed.py",
    "app/window/trial/test_trial_page.py",
    "probes/mysql/test_sockets.py",
    "advisor/runs/lab/test_left_out.py",
    "advisor/store/test_mutated_cases.py",
    "probes/mysql/test_hostile_servers.py",
    "app/cli/running/test_lab_killed.py",
    "app/window/lab/test_lab_page.py",
    "advisor/runs/test_session.py",
    "app/window/probe/test_quick_run.py",
)
"""Files that take half a minute or more, the longest first: no worker ends on one of them."""

_BESIDE = 0.7
"""The share of the quick files that runs beside those that wait; the others come last."""

_REACHES_OUT = frozenset({"subprocess.Popen", "os.posix_spawn", "os.fork", "socket.connect"})


@cache
def is_pure(path: Path) -> bool:
    """Whether a file's tests are pure ones."""
    try:
        place = path.relative_to(TESTS)
    except ValueError:
        return False
    name = place.as_posix()
    return name not in REAL and (name in _PURE or place.parent.as_posix() in _PURE)


def by_length(paths: Sequence[Path], quick: Sequence[bool]) -> list[int]:
    """In which order several workers take files, so that no processor rests and all end together.

    What takes long comes first, then what waits for servers or computes for a while. Quick files
    lie between these, those with the most tests first: they compute while others wait. The last
    ones come at the end, and are over at once.
    """
    tests = Counter(paths)
    takes_time = {path for path, each in zip(paths, quick, strict=True) if not each}
    slow = sorted(dict.fromkeys(filter(takes_time.__contains__, paths)), key=_length)
    fast = sorted(tests.keys() - takes_time, key=lambda path: (-tests[path], path))
    places = {path: at / len(slow) for at, path in enumerate(slow)}
    places |= {path: at / (len(fast) * _BESIDE) for at, path in enumerate(fast)}
    return sorted(range(len(paths)), key=lambda at: (places[paths[at]], paths[at]))


def _length(path: Path) -> int:
    """The place of a file among those that take time: those of no name stay as they are."""
    name = path.relative_to(TESTS).as_posix() if path.is_relative_to(TESTS) else ""
    return _LONG.index(name) if name in _LONG else len(_LONG)


_watching: list[str] | None = None


def _saw(event: str, arguments: tuple[object, ...]) -> None:
    if _watching is not None and event in _REACHES_OUT:
        _watching.append(f"{event} {arguments[:1]}")


@cache
def _listen() -> None:
    """Hear of all that this process does, from its first quick test on: it can't be ended again,
    and Python tells of every lookup of a name."""
    sys.addaudithook(_saw)


@contextmanager
def staying_inside() -> Iterator[list[str]]:
    """Gathers what the code below does to the world outside of this process."""
    global _watching  # noqa: PLW0603, an audit hook can't be taken away again
    _listen()
    seen: list[str] = []
    _watching = seen
    try:
        yield seen
    finally:
        _watching = None
