"""Foreign text made harmless to look at, in a browser and at a terminal.

A name or value from a server may hold escape sequences that move the cursor, or marks that turn
around what stands beside them. They are shown as what can't be shown.
"""

from __future__ import annotations

import unicodedata

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn"}
"""Unicode's kinds of character that can't be seen, or that turn what stands beside them around."""

_UNSEEN = "\N{REPLACEMENT CHARACTER}"


def visible(text: str) -> str:
    """The text without characters that nobody sees; lines and tabs stay."""
    if text.isprintable():
        return text
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) not in _HIDDEN else _UNSEEN
        for char in text
    )
