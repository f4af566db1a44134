from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from probes.cancel import CancelToken
from probes.targets.local import LocalTarget
from probes.targets.target import Target
from tests.probes.sandbox.traces import commands_with


@pytest.fixture
def target() -> Iterator[Target]:
    with closing(LocalTarget()) as local:
        yield local


@pytest.fixture
def token() -> CancelToken:
    return CancelToken()


@pytest.fixture
def home() -> Iterator[Path]:
    """A directory to measure in; afterwards no file and no process of a sandbox may be left.

    Its path is short enough for a socket in it, however deep the tests' own directories lie.
    """
    with TemporaryDirectory(prefix="leadline-test-") as short:
        folder = Path(short) / "probe"
        folder.mkdir()
        yield folder
        assert list(folder.iterdir()) == []
        assert commands_with(str(folder)) == {}
