from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from probes.targets.local import LocalTarget
from probes.targets.target import Target


@pytest.fixture
def target() -> Iterator[Target]:
    with closing(LocalTarget()) as local:
        yield local
