"""Variables of all texts together: which value counts, and where two texts disagree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from probes.errors import ImportRefused
from probes.figures import listed
from probes.texts.reading import names
from probes.texts.reading.pieces import OptionsPiece, Piece, SettingsPiece
from probes.texts.reading.server import setting_value
from probes.variable_sheets import sheet_names

_OF_ONE_SERVER = ("server_uuid", "hostname")
_MOST_NAMED = 6


@dataclass(slots=True)
class ServerSettings:
    """The values that count, and where the server says that they come from.

    ``of_files``: nobody sent the server's own variables, so that its option files' stand in.
    """

    values: dict[str, str] = field(default_factory=dict)
    origins: dict[str, tuple[str, str]] = field(default_factory=dict)
    of_files: bool = False


def settings_of(pieces: Sequence[tuple[str, Piece]], notes: list[str]) -> ServerSettings:
    """Put the variables of all texts together; what contradicts is a sentence in ``notes``.

    What the server printed counts before what somebody typed, and the later text before the
    earlier. Raises ImportRefused where two servers printed theirs.
    """
    made = ServerSettings()
    found = [(name, piece) for name, piece in pieces if isinstance(piece, SettingsPiece)]
    _of_one_server(found)
    for name, piece in found:
        made.origins |= piece.origins
        if piece.twice:
            notes.append(_noted(f"{name} has two values of", piece.twice, "the last one counts"))
    for whole in (False, True):
        for name, piece in found:
            if piece.whole is whole:
                _add(made, name, piece, notes)
    if not made.values:
        _of_files(made, pieces, notes)
    return made


def _add(made: ServerSettings, name: str, piece: SettingsPiece, notes: list[str]) -> None:
    differ = [
        each
        for each, value in piece.values.items()
        if each in sheet_names() and made.values.get(each, value) != value
    ]
    if differ:
        notes.append(_noted(f"{name} has other values than the texts before it of", differ,
                           "its own count"))  # fmt: skip
    made.values |= piece.values


def _noted(what: str, settings: Sequence[str], so: str) -> str:
    shown = [*settings[:_MOST_NAMED]]
    if len(settings) > _MOST_NAMED:
        shown.append(f"{len(settings) - _MOST_NAMED} more")
    return f"{what} {listed(shown)}: {so}."


def _of_one_server(found: Sequence[tuple[str, SettingsPiece]]) -> None:
    for own in _OF_ONE_SERVER:
        servers = {value: name for name, piece in found if (value := piece.values.get(own))}
        if len(servers) > 1:
            (one, first), (other, second) = list(servers.items())[:2]
            raise ImportRefused(
                f"The texts are of two servers: {one} of {first}, {other} of {second} ({own}).",
                "Import each server's texts alone, with --as a name of its own.",
            )
        if servers:
            return


def _of_files(made: ServerSettings, pieces: Sequence[tuple[str, Piece]], notes: list[str]) -> None:
    """What the option files set, where the server's own variables are not known."""
    for name, piece in pieces:
        for line in piece.lines if isinstance(piece, OptionsPiece) else ():
            written, value = line.get("name"), line.get("value")
            known = names.variable(str(written)) if isinstance(written, str) else ""
            if known and isinstance(value, str):
                made.values[known] = setting_value(known, value)
                made.origins[known] = ("GLOBAL", name)
                made.of_files = True
    if made.of_files:
        notes.append(
            "No text has the server's variables: those of its option file stand for them, as if "
            "the server had read it."
        )
