from contextlib import closing

import pytest

from probes.targets.local import LocalTarget
from tests.servers.fixtures import mariadb

__all__ = ["mariadb"]


@pytest.fixture
def target():
    with closing(LocalTarget()) as local:
        yield local
