from contextlib import closing

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
def home(tmp_path):
    """A directory to measure in; afterwards no file and no process of a sandbox may be left."""
    folder = tmp_path / "probe"
    folder.mkdir()
    yield folder
    assert list(folder.iterdir()) == []
    assert commands_with(str(folder)) == {}
