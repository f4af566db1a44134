"""Lines that somebody has to correct: what the rules on ended starts share."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.facts.server.lines import Lines
from advisor.facts.server.option_files import FileLines
from advisor.outcomes import Confidence
from advisor.rulekit import Unjudged, by_hand
from advisor.steps import Change, Needs
from probes import figures

AT_A_START = "None on the running server: it reads its option files at a start alone."
NO_RESTART = "A server that does not come back from its next restart."
BACK = "Put the lines back as they were."
ENDS_AGAIN = "Put the lines back as they were: the server then ends its start again."


def corrections(proposed: str, steps: Sequence[str], undo: str = ENDS_AGAIN) -> Change:
    """Make the work by hand that corrects lines; the running server feels nothing of it."""
    what = f"Correct {figures.counted(len(steps), 'line')} of the option files"
    return by_hand(proposed, what, tuple(steps), (undo,), Needs.NOTHING)


def certainty(*, edited: bool) -> tuple[Confidence, str]:
    """Say how sure it is that the next start reads such a line, and why."""
    if edited:
        return (
            Confidence.HIGH,
            "Such lines were tried on real servers, and the file was written after the server's "
            "start.",
        )
    return (
        Confidence.MEDIUM,
        "Such lines were tried on real servers; but the server runs, and the file is older than "
        "its start, so it may be a copy that was put there later.",
    )


def unfinished(files: FileLines) -> Unjudged | None:
    """Say why nothing of the option files is called fine; None where all of them were read.

    Lines that end a start have rules of their own.
    """
    if files.stops:
        return Unjudged(
            "No start gets through the option files as they are: lines.refused and "
            "lines.unreadable say where."
        )
    return not_read(files)


def cut_short(stated: Lines) -> Unjudged | None:
    """Say why nothing is fine where the files alone show it, and not all; None where it is."""
    if not stated.cut_short:
        return None
    return Unjudged(
        "The server does not report where a variable was set, and its option files were not read "
        "to their end."
    )


def not_read(files: FileLines) -> Unjudged | None:
    """Say which files were not read to their end; None where all were."""
    if not files.missed:
        return None
    missed = figures.listed([f"{path} ({because})" for path, because in files.missed])
    return Unjudged(f"Not all option files were read to their end: {missed}.")
