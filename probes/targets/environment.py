"""What commands that are started on this computer inherit from Leadline's environment."""

from __future__ import annotations

import os

PASSWORD_VARIABLES = ("LEADLINE_MYSQL_PASSWORD", "MYSQL_PWD")
"""Variables in which a person may give Leadline a MySQL password."""


def for_commands() -> dict[str, str]:
    """The environment without passwords.

    Leadline alone needs them: a command's environment can be read as long as it runs.
    """
    return {name: value for name, value in os.environ.items() if name not in PASSWORD_VARIABLES}
