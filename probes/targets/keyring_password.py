"""Passwords that the user keeps in the system's keyring."""

from __future__ import annotations

import keyring
from keyring.errors import KeyringError

SERVICE = "leadline"


def keyring_password(account: str) -> str | None:
    """The password kept for ``account``; None when there is none, or no keyring that opens."""
    try:
        return keyring.get_password(SERVICE, account)
    except KeyringError:
        return None
