from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from probes.cancel import CancelToken
from probes.targets.local import LocalTarget
from tests.probes.sandbox.traces import commands_with


@pytest.fixture
def target():
    with closing(LocalTarget()) as local:
        yield local


@pytest.fixture
def token():
    return CancelToken()


@pytest.fixture
def home():
    """A directory to measure in; afterwards no file and no process of a sandbox may be left.

    Its path is short enough for a socket in it, however deep the tests' own directories lie.
    """
    with TemporaryDirectory(prefix="leadline-test-") as short:
        folder = Path(short) / "probe"
        folder.mkdir()
        yield folder
        assert list(folder.iterdir()) == []
        assert commands_with(str(folder)) == {}
