"""The settings that Leadline knows: which version has them, with which default and range.

Measured on real servers where one could be run (``Span.measured``), else from the manuals and
from the versions around. What a server shows of itself always comes first.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.variables.entry import Fate, Note, Span, State
from advisor.variables.option_values import Refused, refused_value
from advisor.variables.options import option_fate, takes_words, tried_word
from advisor.variables.sheets import SHEETS
from probes.version import Flavour, ServerVersion

MYSQL, MARIADB = Flavour.MYSQL, Flavour.MARIADB

SETTINGS: dict[str, tuple[Span, ...]] = {sheet.name: sheet.spans for sheet in SHEETS.values()}
"""Every setting's spans by its name."""

_FATE_OF_STATE = {
    State.KEPT: Fate.TAKEN,
    State.DEPRECATED: Fate.DEPRECATED,
    State.IGNORED: Fate.IGNORED,
}


def has_one_pool(version: ServerVersion) -> bool:
    """Whether the buffer pool is one instance, whatever the ignored setting says: MariaDB's is."""
    return version.at_least(MARIADB, 10, 5, 1)


def pool_step_bytes(version: ServerVersion, chunk_bytes: float | None, instances: float) -> int:
    """What a pool's size is rounded up to, a chunk of each instance; 1 where nothing is rounded.

    MySQL does so from 5.7.5 on, MariaDB from 10.2.2 until 10.8 gave chunks up.
    """
    chunked = version.at_least(MYSQL, 5, 7, 5) or (
        version.at_least(MARIADB, 10, 2, 2) and version.before(MARIADB, 10, 8)
    )
    if not chunked or not chunk_bytes:
        return 1
    return round(chunk_bytes) * (1 if has_one_pool(version) else max(1, round(instances)))


def reads_group_limits(version: ServerVersion) -> bool:
    """Whether its defaults follow what a control group grants of processors, not the machine's.

    MySQL's do from 9.3 on (reference manual, "Container Detection and Configuration").
    """
    return version.at_least(MYSQL, 9, 3)


def span(version: ServerVersion, name: str) -> Span | None:
    """Find what is known of a setting in a version; None when the version lacks it."""
    return next((span for span in SETTINGS.get(name, ()) if span.covers(version)), None)


def fate(version: ServerVersion, name: str) -> Fate:
    """Tell what becomes of an option-file line that sets ``name`` in a version."""
    known = span(version, name)
    if known is not None:
        return known.then or _FATE_OF_STATE[known.state]
    sheet = SHEETS.get(name)
    lines = sheet.lines if sheet is not None else ()
    of_sheet = next((line.fate for line in lines if line.covers(version)), Fate.UNKNOWN)
    return option_fate(version, name) if of_sheet is Fate.UNKNOWN else of_sheet


def word_fate(version: ServerVersion, name: str, word: str) -> Fate:
    """Tell what becomes of one word of a value that is a word or several: UNKNOWN if untried."""
    tried = tried_word(version, name, word)
    known = span(version, name)
    if tried is not Fate.UNKNOWN or known is None:
        return tried
    if word.upper() in map(str.upper, known.words):
        return Fate.TAKEN
    # One that is no version's may be a vendor's own, so that nobody knows.
    family = (each for each in SETTINGS[name] if each.flavour is version.flavour)
    was_there = any(word.upper() in map(str.upper, each.words) for each in family)
    return Fate.REFUSED if known.words and was_there else Fate.UNKNOWN


def word_fates(
    version: ServerVersion, name: str, value: str, *, loose: bool = False
) -> Iterator[tuple[str, Fate]]:
    """Give the words of a value, as it has them, each with what becomes of it.

    None where the option takes no words of a list. Of a switch, "mrr=on", the word is its name.
    ``loose``: the name is written with ``loose_``.
    """
    if not takes_words(version, name):
        return
    # Servers refuse a blank after a comma, so it stays.
    for part in value.strip().strip("'\"").split(","):
        word = part.partition("=")[0]
        what = word_fate(version, name, word)
        # MySQL refuses a word with loose_, too; MariaDB lets some pass, and some not.
        is_let = what is Fate.REFUSED and loose and version.is_mariadb
        yield word, Fate.UNKNOWN if is_let else what


def value_refused(
    version: ServerVersion, name: str, value: str | None, *, loose: bool = False
) -> Refused | None:
    """Say why a version that has an option does not start with what a line says of it, else None.

    Names that it refuses, or ignores, are no matter of this: their values are not read.
    """
    reads = span(version, name) is not None or fate(version, name) is Fate.TAKEN
    return refused_value(version, name, value, loose=loose) if reads else None


def notes(version: ServerVersion, name: str) -> tuple[Note, ...]:
    """Give what a version does with a setting's values against expectation."""
    sheet = SHEETS.get(name)
    return tuple(note for note in sheet.notes if note.covers(version)) if sheet else ()
