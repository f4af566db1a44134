"""Passwords: what the system's keyring holds, and what no command may inherit."""

from __future__ import annotations

import os
from configparser import Error as ConfigError

PASSWORD_VARIABLES = ("LEADLINE_MYSQL_PASSWORD", "MYSQL_PWD")
"""Variables in which a person may give Leadline a MySQL password."""

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


def for_commands() -> dict[str, str]:
    """The environment without passwords.

    Leadline alone needs them: a command's environment can be read as long as it runs.
    """
    return {name: value for name, value in os.environ.items() if name not in PASSWORD_VARIABLES}
