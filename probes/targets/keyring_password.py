"""Passwords that the user keeps in the system's keyring."""

from __future__ import annotations

SERVICE = "leadline"


def keyring_password(account: str) -> str | None:
    """The password kept for ``account``; None when there is none, or no keyring that opens."""
    import keyring  # noqa: PLC0415 - loaded with the first password that it may have
    from keyring.errors import KeyringError  # noqa: PLC0415

    try:
        return keyring.get_password(SERVICE, account)
    except KeyringError:
        return None
