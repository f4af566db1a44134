"""Words of a value that another version refuses, though it takes the option, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.facts.lines import OptionLine, refused_words
from advisor.upgrade.releases import series_name
from probes import figures
from probes.version import ServerVersion


def words_named(lines: Sequence[OptionLine], version: ServerVersion) -> str:
    """Name the words: "sql_mode has NO_AUTO_CREATE_USER, which MySQL 8.0 refuses."."""
    return " ".join(
        f"{line.name} has {figures.listed(words)}, which {series_name(version)} refuses."
        for line in lines
        if (words := refused_words(line, version))
    )


def words_to_go(lines: Sequence[OptionLine], version: ServerVersion) -> str:
    """Say what goes: "NO_AUTO_CREATE_USER out of sql_mode"; "" where no line has such a word."""
    return figures.listed(
        [
            f"{figures.listed(words)} out of {line.name}"
            for line in lines
            if (words := refused_words(line, version))
        ]
    )
