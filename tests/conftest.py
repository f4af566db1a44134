"""What holds for every test: fresh agents, an own home, no window on screen, no thread left."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import sys
import threading
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import build_agent
import pytest
from hypothesis import HealthCheck, settings

from tests import stores
from tests.suite import tiers
from tests.suite.sharing import SharedServer
from tests.waiting import wait_until

pytest_plugins = ["tests.servers.fixtures", "tests.suite.skips"]

ROOT = Path(__file__).resolve().parents[1]

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# No test may read or change the passwords of whoever runs it.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"

# Tests start Leadline hundreds of times. Compiling it anew each time would be most of their work.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# How long an example takes says how busy the machine is; speed is a matter of benchmarks/.
# The same tree is tested alike every time; `make test-all` looks for examples that are new, and
# for more of them.
_ALL = "LEADLINE_TEST_ALL_SERVERS" in os.environ
settings.register_profile(
    "leadline",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not _ALL,
    max_examples=200 if _ALL else 40,
)
settings.register_profile("quick", settings.get_profile("leadline"), max_examples=10)
settings.load_profile("leadline")

_AGENTS = pytest.StashKey[str]()
_homes = itertools.count()

HOME = "LEADLINE_HOME"


def pytest_configure(config: pytest.Config) -> None:
    """Build the agents where they are stale; tests/packaging fails when that does not work."""
    if config.option.markexpr == "quick":
        settings.load_profile("quick")
    _heed_signals()
    try:
        build_agent.ensure(ROOT)
        config.stash[_AGENTS] = "agents: as the sources are"
    except build_agent.BuildError as error:
        config.stash[_AGENTS] = f"agents: STALE OR MISSING. {error}"


def _heed_signals() -> None:
    """Take back what nohup, or a shell for its background jobs, ignores: programs inherit it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_report_header(config: pytest.Config) -> str:
    return config.stash[_AGENTS]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """``-m quick`` does not even import the others."""
    alone = config.option.markexpr == "quick" and collection_path.name.startswith("test_")
    return True if alone and not tiers.is_pure(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is quick; what waits for servers comes first, so that no worker ends on it."""
    for item in items:
        if tiers.is_pure(item.path) and item.get_closest_marker("long") is None:
            item.add_marker("quick")
    quick = [item.get_closest_marker("quick") is not None for item in items]
    items[:] = [items[at] for at in tiers.by_length([item.path for item in items], quick)]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """All that is collected stays: garbage is looked for when it is there."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Thousands of collected tests stay to the end: no collection of garbage need look at them.

    From here on new databases are made in one step.
    """
    stores.make_at_once()
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> SharedServer | None:
    """With ``--dist loadfile``, files that share a server of the tests go to one worker."""
    return SharedServer(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Leave out the words by which tests are chosen: each of three reports took them to xdist."""
    report = yield
    report.keywords = {}
    return report


@pytest.fixture(autouse=True)
def _by_itself(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """An own home, no thread left, and a pure test stays inside.

    One fixture for all of it: ten thousand tests have it.
    """
    before = set(threading.enumerate())
    former = os.environ.get(HOME)
    # It is not made: most tests keep nothing.
    os.environ[HOME] = str(tmp_path_factory.getbasetemp() / f"leadline-home-{next(_homes)}")
    try:
        if not tiers.is_pure(request.node.path):
            yield
        else:
            with tiers.staying_inside() as seen:
                yield
            name = request.node.path.name
            assert not seen, f"{name} reaches out, so list it in tests/suite/tiers.py: {seen}"
    finally:
        if former is None:
            del os.environ[HOME]
        else:
            os.environ[HOME] = former
        if not wait_until(lambda: not _threads_since(before)):
            left = ", ".join(thread.name for thread in _threads_since(before))
            pytest.fail(f"threads left behind: {left}")


def _threads_since(before: set[threading.Thread]) -> list[threading.Thread]:
    # A dummy stands for a thread that Python did not start (Qt's own), and never ends.
    return [
        thread
        for thread in threading.enumerate()
        if thread not in before and not isinstance(thread, threading._DummyThread)
    ]
