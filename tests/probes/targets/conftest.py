"""Real SSH servers, a home directory of its own, and somebody who answers questions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from probes.cancel import CancelToken
from probes.targets.address import TargetSpec
from probes.targets.connect import open_target
from probes.targets.local import LocalTarget
from probes.targets.target import Target
from tests.prompts import Answers


@pytest.fixture(autouse=True)
def _no_agent_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)


@pytest.fixture
def remote(ssh_spec: TargetSpec) -> Iterator[Target]:
    """The private sshd's machine, which is this one."""
    with open_target(ssh_spec, Answers(), CancelToken()) as target:
        yield target


@pytest.fixture(params=["local", "ssh"])
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    """This computer as it is, and the same behind SSH."""
    if request.param == "ssh":
        yield request.getfixturevalue("remote")
        return
    with closing(LocalTarget()) as target:
        yield target


@pytest.fixture
def odd() -> Iterator[Path]:
    """A directory whose name is hard on quoting, and short enough for a socket in it."""
    with TemporaryDirectory(prefix="leadline-test-") as short:
        folder = Path(short) / "with space 'quote' $HOME ünï ;&"
        folder.mkdir()
        yield folder
