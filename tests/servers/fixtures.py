"""Session-wide servers as pytest fixtures; a conftest names this module as a plugin."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers.mariadb import MariaDB, private_mariadb


@pytest.fixture(scope="session")
def mariadb() -> Iterator[MariaDB]:
    """A MariaDB with TLS and its accounts; shared, so leave it as it was."""
    with private_mariadb() as server:
        yield server
