"""How texts of the window are set: where a line ends, commands in sentences, and tooltips."""

from __future__ import annotations

import re
from html import escape

_COMMAND = re.compile(r"`([^`]+)`")


def quoted(text: str) -> str:
    """A sentence as a window has it: commands between quotation marks instead of backticks."""
    return _COMMAND.sub("\u201c\\1\u201d", text)


def plain_tip(text: str) -> str:
    """The text as a tooltip that shows it as it is: a foreign name may hold tags, and pictures."""
    if not {"<", "&"} & set(text):
        return text
    return f"<span>{escape(text).replace(chr(10), '<br>')}</span>"


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
