"""Servers as pytest fixtures, started once for all tests; tests/conftest.py names this module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from probes.targets.address import SshAddress, TargetKind, TargetSpec
from tests.servers.mariadb import MariaDB, private_mariadb
from tests.servers.mysql97 import MySQL, private_mysql
from tests.servers.sshd import Sshd, private_sshd


@pytest.fixture(scope="session")
def mariadb() -> Iterator[MariaDB]:
    """A MariaDB with TLS and its accounts; shared, so leave it as it was."""
    with private_mariadb() as server:
        yield server


@pytest.fixture(scope="session")
def mysql97() -> Iterator[MySQL]:
    """A MySQL 9.7 or newer with TLS and its accounts; shared, so leave it as it was."""
    with private_mysql() as server:
        yield server


@pytest.fixture(scope="session")
def sshd() -> Iterator[Sshd]:
    """An sshd that knows the current user's test keys; shared."""
    with private_sshd() as server:
        yield server


@pytest.fixture
def ssh_home(sshd: Sshd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory from which ``sshd`` is reached without a question, made the current one."""
    home = sshd.write_home(tmp_path / "home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    return home


@pytest.fixture
def ssh_spec(sshd: Sshd, ssh_home: Path) -> TargetSpec:
    """``sshd`` as a target."""
    address = SshAddress(sshd.host, sshd.port, sshd.user)
    return TargetSpec(TargetKind.SSH, f"ssh://{sshd.user}@{sshd.host}:{sshd.port}", address)
