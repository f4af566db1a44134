"""Real servers, a home without option files, and somebody who answers questions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Protocol

import pytest

from probes.cancel import CancelToken
from probes.mysql import option_files
from probes.mysql.connection import MySQLSession, connect
from probes.targets.address import MySQLAddress
from probes.targets.connect import open_target
from probes.targets.local import LocalTarget
from probes.targets.passwords import PASSWORD_VARIABLES
from probes.targets.target import Target
from tests.prompts import Answers


class Connects(Protocol):
    """The fixture ``session``."""

    def __call__(
        self,
        address: MySQLAddress,
        *,
        password: str | None = None,
        prompts: Answers | None = None,
        token: CancelToken | None = None,
    ) -> AbstractContextManager[MySQLSession]: ...


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory of its own; this machine's option files and variables are not seen."""
    folder = tmp_path / "home"
    folder.mkdir(exist_ok=True)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("LEADLINE_HOME", str(folder / "leadline"))
    monkeypatch.setattr(option_files, "_GLOBAL_FILES", ())
    for name in PASSWORD_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def local() -> Iterator[Target]:
    """This computer."""
    with closing(LocalTarget()) as target:
        yield target


@pytest.fixture(params=["local", "ssh"])
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    """This computer as it is, and the same behind SSH."""
    if request.param == "local":
        yield request.getfixturevalue("local")
        return
    spec = request.getfixturevalue("ssh_spec")
    with open_target(spec, Answers(), CancelToken()) as target:
        yield target


@pytest.fixture
def session(target: Target) -> Connects:
    """Logs in to a server from ``target``; without more, nobody answers questions."""

    def connected(
        address: MySQLAddress,
        *,
        password: str | None = None,
        prompts: Answers | None = None,
        token: CancelToken | None = None,
    ) -> AbstractContextManager[MySQLSession]:
        return connect(
            address,
            via=target,
            prompts=prompts or Answers(),
            token=token or CancelToken(),
            password=password,
        )

    return connected
