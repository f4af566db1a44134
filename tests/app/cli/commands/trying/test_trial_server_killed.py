"""kill -9 of the server itself while something is tried: its start has what its files say."""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.app.cli.commands.trying.test_trial import NAME, started, value
from tests.app.cli.commands.trying.test_trial_steps import at_work
from tests.app.cli.forked import ended, fork_server
from tests.servers.eleven import ServerBuild, chosen


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_the_journal_names_it_and_the_start_has_undone_it(
    build: ServerBuild, tmp_path: Path
) -> None:
    with ExitStack() as held:
        first = held.enter_context(ExitStack())
        server = first.enter_context(build.start_in(tmp_path))
        held.enter_context(at_work(server, 64))
        program, old = started(server)
        os.kill(server.pid, signal.SIGKILL)
        with program:
            out, err = program.communicate()
        assert program.wait() == 4, err
        assert "Traceback" not in out + err
        # Nobody knows yet what the server has: it is down.
        down = ended(fork_server(), "try", "--mend")
        assert down.code == 1, down.stdout
        first.close()
        server = held.enter_context(build.start_in(tmp_path))
        assert value(server) == old
        named = ended(fork_server(), "runs")
        assert f"{NAME} = 50 (before: {old})" in named.stderr
        mended = ended(fork_server(), "try", "--mend")
        assert mended.code == 0, mended.stderr
        assert "was started again since" in mended.stdout
        assert f"{NAME} = {old}" in mended.stdout
        assert "No trial has left" in ended(fork_server(), "try", "--mend").stdout
        assert ended(fork_server(), "runs").stderr == ""
