"""Taking out of a server's answers what is nobody's business: secrets, and users' statements."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import zip_longest

HIDDEN = "<hidden>"

_SECRET = re.compile(
    r"password|passwd|secret|token|filekey|private_key_path|wsrep_sst_auth|wsrep_provider_options"
)
_NO_SECRET = re.compile(r"^(validate_password|default_password|password_|.*_password_length$)")

_WITH_STATEMENTS = frozenset(
    {"LATEST DETECTED DEADLOCK", "LATEST FOREIGN KEY ERROR", "TRANSACTIONS"}
)
_HEADING = re.compile(r"^-{3,}\n([A-Z][A-Z0-9 /_-]+)\n-{3,}\n", re.MULTILINE)


def without_secrets(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables with the values hidden whose name says that they are, or hold, a secret.

    An empty value stays: that nothing is set is no secret.
    """
    return {
        name: HIDDEN if value and _is_secret(name) else value for name, value in variables.items()
    }


def _is_secret(name: str) -> bool:
    lowered = name.lower()
    return bool(_SECRET.search(lowered)) and not _NO_SECRET.match(lowered)


def without_statements(innodb_status: str) -> str:
    """InnoDB's status without the sections that quote what users were running."""
    headings = list(_HEADING.finditer(innodb_status))
    kept = [innodb_status[: headings[0].start()] if headings else innodb_status]
    for heading, following in zip_longest(headings, headings[1:]):
        end = following.start() if following is not None else len(innodb_status)
        section = innodb_status[heading.start() : end]
        if heading[1].strip() in _WITH_STATEMENTS:
            section = f"{heading[0]}{HIDDEN}\n"
        kept.append(section)
    return "".join(kept)
