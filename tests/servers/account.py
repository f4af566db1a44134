"""A real account without privileges, made for a test and taken away after it; root alone can."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

_SUDOERS = Path("/etc/sudoers.d")


@dataclass(frozen=True)
class Account:
    """An account that may log in by SSH; what it may do as root is up to ``allow``."""

    name: str

    @property
    def _rule(self) -> Path:
        return _SUDOERS / self.name

    def allow(self) -> None:
        """Let it run anything as root without a password."""
        self._rule.write_text(f"{self.name} ALL=(root) NOPASSWD: ALL\n")
        self._rule.chmod(0o440)

    def forbid(self) -> None:
        """Let it run nothing as root."""
        self._rule.unlink(missing_ok=True)


@contextmanager
def unprivileged_account() -> Iterator[Account]:
    """Make one; skips the test where that takes rights or programs that are not there."""
    programs = [shutil.which(name) for name in ("useradd", "userdel", "sudo")]
    if os.geteuid() != 0 or not all(programs) or not _SUDOERS.is_dir():
        pytest.skip("an account of its own takes root, useradd and sudo")
    account = Account(f"leadline-t{os.getpid()}")
    # Without a password, and not locked: sshd lets no locked account in.
    made = ["useradd", "--create-home", "--password", "*", "--shell", "/bin/sh", account.name]
    subprocess.run(made, check=True, capture_output=True)
    try:
        yield account
    finally:
        account.forbid()
        subprocess.run(["userdel", "--remove", account.name], check=False, capture_output=True)
