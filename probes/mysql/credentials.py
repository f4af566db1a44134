"""Where a password comes from, in the order in which the places are asked."""

from __future__ import annotations

import os
from collections.abc import Iterator

from probes.figures import listed
from probes.mysql.option_files import Options
from probes.targets.address import Prompts
from probes.targets.passwords import PASSWORD_VARIABLES, keyring_password

_QUESTIONS = 3


def passwords(account: str, options: Options, prompts: Prompts) -> Iterator[str]:
    """Passwords to try one after the other for ``account``, until the server takes one.

    Option file, environment, then none at all (the server may know the account by its socket), the
    system's keyring, and last the user, who is asked a few times.
    """
    known = _known(options)
    yield from known or [""]
    kept = keyring_password(account)
    if kept is not None and kept not in known:
        yield kept
    # What was tried is said, so that a wrong one in the environment is looked for there.
    tried = [each for each in (*known, kept) if each]
    reason = "The MySQL server asks for a password."
    if tried:
        reason = f"The MySQL server refused the password {_where_from(options, kept, tried)}."
    for _ in range(_QUESTIONS):
        answer = prompts.password(account, reason)
        if answer is None:
            return
        yield answer
        reason = "The MySQL server refused this password."


def _where_from(options: Options, kept: str | None, tried: list[str]) -> str:
    """Where the refused passwords came from, without them: "of LEADLINE_MYSQL_PASSWORD"."""
    places = [
        *(["the option file"] if options.password in tried else []),
        *(name for name in PASSWORD_VARIABLES if os.environ.get(name) in tried),
        *(["the system's keyring"] if kept in tried else []),
    ]
    return f"of {listed(places)}"


def _known(options: Options) -> list[str]:
    """What files and environment say, without repetition."""
    known = [options.password, *(os.environ.get(name) for name in PASSWORD_VARIABLES)]
    return list(dict.fromkeys(password for password in known if password is not None))
