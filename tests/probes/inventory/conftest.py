from contextlib import closing

import pytest

from probes.targets.local import LocalTarget


@pytest.fixture
def target():
    with closing(LocalTarget()) as local:
        yield local
