"""Words of a value that another version refuses, though it takes the option, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.facts.server.lines import refused_words
from advisor.facts.server.option_files import OptionLine
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
    """Say the way out: "take X out of sql_mode", "set tls_version to another value"; "" if none."""
    return figures.listed(
        [
            f"take {figures.listed(words)} out of {line.name}"
            if "," in str(line)
            else f"set {line.name} to another value"
            for line in lines
            if (words := refused_words(line, version))
        ]
    )
