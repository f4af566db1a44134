"""The agent's own tests, which are Go's: here, so that they run beside all others."""

from __future__ import annotations

import subprocess

from tests.conftest import ROOT


def test_the_agents_own_tests_pass() -> None:
    done = subprocess.run(
        ["sh", "packaging/test_agent.sh"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "ok  \tleadline/agent\t" in done.stdout
