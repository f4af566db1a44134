r"""The list of what may be a secret, in the regular expressions that every awk has.

``resources/secrets.txt`` is written in what Go and Python have in common. Awks, old ones among
them, know no ``\b``, no ``\s``, no groups with options and no limits of repetition; letters are
compared in lower case.
"""

from __future__ import annotations

import re

from probes.redaction import sections

_KINDS = {
    "names": "name",
    "names of no secret": "no name",
    "texts": "text",
    "texts of no secret": "no text",
    "values": "value",
    "values of no secret": "no value",
}
"""Sections of the list, and what the script calls them. What minds capitals is ``exact`` there."""

_MOST_LETTERS = 140

_EXACT = re.compile(r"\(\?-i:(.*)\)$")
_TOKEN = re.compile(
    r"""(?P<escape>\\.)|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])|(?P<group>\(\?:)"""
    r"""|(?P<limits>\{\d+(?:,\d*)?\})|(?P<other>.)""",
    re.VERBOSE,
)
_ANYTHING = r"[\s\S]"
_FEW = 3


def awk_list() -> list[str]:
    """The list for the script, line by line: a kind, a tab, a pattern; those of a kind add up."""
    lines = []
    for section, kind in _KINDS.items():
        by_kind: dict[str, list[str]] = {}
        for pattern in sections()[section]:
            exact = _EXACT.match(pattern)
            if exact:
                by_kind.setdefault("exact", []).append(in_awk(exact[1], exact=True))
            else:
                by_kind.setdefault(kind, []).append(in_awk(pattern))
        for name, patterns in by_kind.items():
            lines += [f"{name}\t{each}" for each in _joined(patterns)]
    return lines


def in_awk(pattern: str, *, exact: bool = False) -> str:
    """One expression of the list as awks have it: for a text in lower case, unless ``exact``."""
    out: list[str] = []
    for token in _TOKEN.finditer(pattern):
        kind, text = token.lastgroup, token[0]
        if text == _ANYTHING:
            # Whatever follows: that it begins is enough.
            break
        if text == r"\b":
            out.append(_edge(out))
        elif text == r"\s":
            out.append(r"[\s]")
        elif text == r"[^\n]":
            out.append(".")
        elif kind == "group":
            out.append("(")
        elif kind == "limits":
            unit = out.pop()
            out.append(_repeated(unit, text))
        else:
            out.append(text if exact or kind == "escape" else _lower(text))
    return "".join(out)


def _edge(before: list[str]) -> str:
    """The edge of a word: its beginning, or its end; the script writes both out."""
    return r"\<" if not before or before[-1] in ("(", "|") else r"\>"


def _lower(text: str) -> str:
    return re.sub(r"\\?.", lambda one: one[0] if one[0][0] == "\\" else one[0].lower(), text)


def _repeated(unit: str, limits: str) -> str:
    """A set that is repeated: so often (``{n}``, which the script writes out), or freely."""
    low, comma, high = limits[1:-1].partition(",")
    least = int(low)
    if not comma:
        return f"{unit}{{{least}}}" if unit.startswith("[") else unit * least
    most = int(high) if high else None
    if most is not None and most - least <= _FEW:
        return unit * least + f"{unit}?" * (most - least)
    if least <= 1:
        return f"{unit}{'*' if least == 0 else '+'}"
    return f"{unit}{{{least}}}{unit}*"


def _joined(patterns: list[str]) -> list[str]:
    """Patterns side by side, as many as a line holds."""
    lines: list[str] = []
    for pattern in patterns:
        if lines and len(lines[-1]) + len(pattern) < _MOST_LETTERS:
            lines[-1] += f"|{pattern}"
        else:
            lines.append(pattern)
    return lines
