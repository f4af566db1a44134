"""JSON documents within a text, with bounds on what they cost."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import NoReturn

from probes.errors import ImportRefused

MOST_VALUES = 400_000
"""Python needs some 150 bytes for each."""

_LONGEST_NOTE = 100_000

_CONTROL = re.compile(r"\\u(?:00[0189][0-9a-f]|007f|d[89a-f][0-9a-f]{2})", re.IGNORECASE)
"""Escapes of control characters, and of halves that make no character alone."""

_START = re.compile(r"^\{", re.MULTILINE)


def documents(text: str) -> tuple[list[Mapping[str, object]], bool]:
    """All JSON objects that begin at a line's start, and whether the last one is cut off.

    Programs put notes before and between them. Raises ImportRefused when there are too many values,
    or none can be read.
    """
    found, cut = noted_documents(text)
    return [document for _, document in found], cut


def noted_documents(text: str) -> tuple[list[tuple[str, Mapping[str, object]]], bool]:
    """The same, each with the notes before it; those after the last one are the last one's."""
    if sum(map(text.count, ",{[")) > MOST_VALUES:
        raise ImportRefused(
            "The file holds too many values.",
            "With many fio jobs, --group_reporting makes one result of them; or split the file.",
        )
    text = _CONTROL.sub(r"\\ufffd", text)
    decoder = json.JSONDecoder(parse_constant=_refuse)
    found: list[tuple[str, Mapping[str, object]]] = []
    at = 0
    while match := _START.search(text, at):
        note = text[at : match.start()][-_LONGEST_NOTE:]
        try:
            document, at = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError) as error:
            if found:
                return found, True
            raise ImportRefused(
                "The file is truncated or was changed: it is not a complete JSON document.",
                "Import the file as its program wrote it, once it has ended.",
                str(error)[:200],
            ) from error
        found.append((note, document))
    if found:
        note, document = found[-1]
        found[-1] = (f"{note}\n{text[at : at + _LONGEST_NOTE]}", document)
    return found, False


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
