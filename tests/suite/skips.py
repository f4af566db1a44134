"""Which tests may be left out: a run that asks for it fails at a reason that is not on the list.

A test that skips says nothing where all pass, so that a missing program can take a whole file out
of a run unseen. With ``LEADLINE_SKIPS=listed``, as in ``.ci/run``, a reason that no line of
``skips.toml`` has ends the run with a failure. The reasons are printed at the end of every run.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

LISTED = "LEADLINE_SKIPS"
"""Set to "listed" in the environment, only what is on the list may be skipped."""

FILE = Path(__file__).with_name("skips.toml")


def reasons(reports: list[pytest.TestReport]) -> Counter[str]:
    """How many tests were skipped for each reason."""
    return Counter(_reason(each) for each in reports)


def unlisted(found: Counter[str]) -> Counter[str]:
    """The reasons of these that no line of the list has."""
    listed = [re.compile(each["reason"]) for each in tomllib.loads(FILE.read_text())["skip"]]
    return Counter(
        {
            reason: number
            for reason, number in found.items()
            if not any(pattern.fullmatch(reason) for pattern in listed)
        }
    )


def _reason(report: pytest.TestReport) -> str:
    told = report.longrepr
    text = str(told[2]) if isinstance(told, tuple) else str(told)
    return text.removeprefix("Skipped: ")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print why tests were left out, the most frequent reason first."""
    found = reasons(terminalreporter.stats.get("skipped", []))
    if not found:
        return
    strange = unlisted(found)
    terminalreporter.section("left out")
    for reason, number in found.most_common():
        mark = "  NOT LISTED in tests/suite/skips.toml" if reason in strange else ""
        terminalreporter.line(f"{number:4}  {reason}{mark}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that asks for it where something else was left out."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get(LISTED) != "listed" or hasattr(session.config, "workerinput"):
        return
    found = reasons(reporter.stats.get("skipped", [])) if reporter is not None else Counter[str]()
    if unlisted(found) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
