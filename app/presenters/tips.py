"""The texts of tooltips, which Qt takes for mark-up where it sees a tag in them."""

from __future__ import annotations

from html import escape


def plain_tip(text: str) -> str:
    """The text as a tooltip that shows it as it is: a foreign name may hold tags, and pictures."""
    if not {"<", "&"} & set(text):
        return text
    return f"<span>{escape(text).replace(chr(10), '<br>')}</span>"
