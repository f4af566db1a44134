"""What may be a secret, or hold one: one rule for all that is kept, shown or written to a log.

``resources/secrets.txt`` has the list. The agent goes by the same, so that what it hides never
leaves the machine that it runs on.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from importlib import resources

HIDDEN = "<hidden>"
"""Stands where a secret stood, or what may have been one."""

_EDITION = 1
"""To be raised when code here, or in ``probes.inventory.redact``, hides more than before."""


_REMEMBERED = 4096
"""Texts whose verdict is kept: a server and its machine say most things the same in every run."""


def _sections(text: str) -> dict[str, list[str]]:
    """The expressions of the list by section."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        else:
            found.setdefault(section, []).append(line)
    return found


def _read(text: str) -> dict[str, re.Pattern[str]]:
    """One expression for each section of the list."""
    # As Go has it: \s, \w and \b know ASCII alone.
    return {
        name: re.compile("|".join(f"(?:{line})" for line in lines), re.IGNORECASE | re.ASCII)
        for name, lines in _sections(text).items()
    }


_LIST = (resources.files("resources") / "secrets.txt").read_text(encoding="utf-8")
_RULES = _read(_LIST)

RULES = f"{_EDITION}-{hashlib.sha256(_LIST.encode()).hexdigest()[:16]}"
"""Names what this program hides; another list or other code has another name."""


def sections() -> dict[str, list[str]]:
    """The expressions of the list by section, for whoever hides secrets elsewhere."""
    return _sections(_LIST)


def hides(name: str, value: str) -> bool:
    """Whether the value of the setting ``name`` must not be kept: by its name, or by its look.

    An empty value never: that nothing is set is no secret. Nor is a switch.
    """
    if not value or _RULES["values of no secret"].search(value):
        return False
    plain = name.lower().replace("-", "_")
    if _RULES["names"].search(plain) and not _RULES["names of no secret"].search(plain):
        return True
    return not value.isdecimal() and _looks_secret(value)


@lru_cache(_REMEMBERED)
def _looks_secret(value: str) -> bool:
    rest = _RULES["texts of no secret"].sub(" ", value)
    return bool(_RULES["texts"].search(rest) or _RULES["values"].search(rest))


@lru_cache(_REMEMBERED)
def cleaned(text: str) -> str:
    """A text without the secrets in it: from where one is seen, a line says ``<hidden>``."""
    parts = []
    at = 0
    for start, end in _secrets_in(text):
        if start < at:
            continue
        line_end = text.find("\n", end)
        parts += [text[at:start], HIDDEN]
        at = len(text) if line_end < 0 else line_end
    return "".join([*parts, text[at:]]) if parts else text


def _secrets_in(text: str) -> list[tuple[int, int]]:
    spared = [found.span() for found in _RULES["texts of no secret"].finditer(text)]
    return [
        found.span()
        for found in _RULES["texts"].finditer(text)
        if not any(start <= found.start() < end for start, end in spared)
    ]
