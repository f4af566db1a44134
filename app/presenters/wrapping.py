"""Where a text of the window may end a line: never within a figure with its unit and name."""

from __future__ import annotations

import re

_BREAKS = (
    r"(?<=\w)/(?=s\b)",
    r"(?<=\d\u202f[kMGT])\x20(?=\w)",
    r"(?<=\d\u202fh)\x20(?=\d)",
    r"(?<=\d\u202fmin)\x20(?=\d)",
    r"(?<=\bp\d\d)\x20(?=\d)",
)
"""Where Qt would: "1.21 k/|s", "1.21 k |reads/|s", "3 h |07 min", "2 min |05 s", "p95 |2.1 ms"."""

_WITHIN = re.compile("|".join(_BREAKS))
_JOINER = "\u2060"
_JOINED = {"/": f"/{_JOINER}", " ": f"\u00a0{_JOINER}"}


def together(text: str) -> str:
    """A text that is wrapped beside its figures with their units."""
    return _WITHIN.sub(lambda found: _JOINED[found[0]], text)


def ordinary(text: str) -> str:
    """The text that ``together`` was given: what leaves the window has ordinary spaces."""
    return text.replace(_JOINED[" "], " ").replace(_JOINER, "")
