"""A document as text for programs: indented, as Unicode, and never with a figure that is none."""

from __future__ import annotations

import json


def written(document: object) -> str:
    """The document with a line's end; raises ValueError for nan and infinity, which no JSON has."""
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
