"""Passwords that the user keeps in the system's keyring."""

from __future__ import annotations

from configparser import Error as ConfigError

SERVICE = "leadline"

_FAULTS = (
    RuntimeError,
    OSError,
    ImportError,
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    AssertionError,
    ArithmeticError,
    ConfigError,
)
"""What a keyring that is set up wrongly, or whose own program fails, raises: it keeps nothing."""


def keyring_password(account: str) -> str | None:
    """The password kept for ``account``; None when there is none, or no keyring that opens."""
    try:
        import keyring  # noqa: PLC0415 - loaded with the first password that it may have
        from keyring.errors import KeyringError  # noqa: PLC0415
    except _FAULTS:
        return None
    try:
        kept = keyring.get_password(SERVICE, account)
    except (KeyringError, *_FAULTS):
        return None
    return kept if isinstance(kept, str) else None
