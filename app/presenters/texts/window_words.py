"""The window's words for what sentences name in the command line's: its options and commands.

Probes and rules write their sentences once, for both; what the command line prints stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from app.fields.field import Field, FieldShape, fields_of
from app.presenters.texts.window_phrases import DEEDS, PHRASES

_COMMANDS = "|".join(sorted({begins.split()[0] for begins, _deed in DEEDS}))
_QUOTED = re.compile(rf"`leadline ((?:{_COMMANDS})\b[^`]*)`")
_BARE = re.compile(
    rf"(?<![\w`“'/-])leadline ((?:{_COMMANDS})(?: --?[a-z-]+ [\w-]*\w| [a-z]+(?= --))*)(?![\w'-])"
)
_OPTION = re.compile(r"(?<![\w`-])(--[a-z][a-z-]*)(?: ([\w.%]*[\w%]))?(?![\w=-])")
_MARKED = re.compile(r"`(--[a-z][a-z-]*)(?: ([\w.%]*[\w%]))?`")
_NAMED = re.compile(r"\{(--[a-z-]+)\}")
_BEGINS_LIKE_A_VALUE = re.compile(r"\d")


def in_window(text: str) -> str:
    """The text with captions, buttons and menu entries for what is typed in a terminal.

    Options that no form of the window asks for, and other programs' own, stay as they are.
    """
    if "--" not in text and "leadline " not in text:
        return text
    for pattern, shown in _phrases():
        text = pattern.sub(shown, text)
    text = _QUOTED.sub(_deed, text)
    text = _BARE.sub(_deed, text)
    return _OPTION.sub(_captioned, _MARKED.sub(_captioned, text))


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], str], ...]:
    """What reads badly word by word, each with what stands in its place."""
    fields = _fields()
    return tuple(
        (re.compile(phrase), _NAMED.sub(lambda found: f"“{_caption(fields[found[1]])}”", shown))
        for phrase, shown in PHRASES
    )


@cache
def _fields() -> Mapping[str, Field]:
    """What the window's forms ask for, by the options that ask for it, too."""
    # Not before a text needs them: the frame is painted without these forms.
    from app.fields.lab import LabForm  # noqa: PLC0415
    from app.fields.probe import ProbeForm  # noqa: PLC0415
    from app.fields.target import TargetForm  # noqa: PLC0415
    from app.fields.trial import TrialForm  # noqa: PLC0415

    return {
        field.option.names.partition("/")[0]: field
        for form in (TargetForm, ProbeForm, LabForm, TrialForm)
        for field in fields_of(form).values()
        if field.shape is not None and field.option.names
    }


def _caption(field: Field) -> str:
    return field.caption.replace("&", "")


def _deed(found: re.Match[str]) -> str:
    """What is done in the window in place of a command, and which question a lab is asked."""
    deed = next((deed for begins, deed in DEEDS if found[1].startswith(begins)), found[0])
    name = found[1].partition("lab --ask ")[2]
    question = dict(_fields()["--ask"].choices).get(name) if name else None
    return f"{deed}, “{question}”" if question else deed


def _captioned(found: re.Match[str]) -> str:
    """An option's field, with the value where one is named."""
    field, value = _fields().get(found[1]), found[2] or ""
    if field is None:
        return found[0]
    offered = dict(field.choices).get(value, "").replace("&", "")
    if not offered and field.shape is FieldShape.LINE and _BEGINS_LIKE_A_VALUE.match(value):
        offered = value
    if offered:
        return f"“{_caption(field)}: {offered}”"
    return f"“{_caption(field)}”" + (f" {value}" if value else "")
