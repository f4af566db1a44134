"""Commands in sentences, which the terminal and Markdown put between backticks."""

from __future__ import annotations

import re

_COMMAND = re.compile(r"`([^`]+)`")


def quoted(text: str) -> str:
    """The same for a window: commands between quotation marks."""
    return _COMMAND.sub("\u201c\\1\u201d", text)
