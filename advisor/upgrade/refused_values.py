"""Values and lines that end a start, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.facts.server.lines import refused_value
from advisor.facts.server.option_files import FileEnd, OptionLine, Strange, StrangeLine, one_blank
from advisor.upgrade.releases import series_name
from advisor.variables.option_values import Fault, OptionKind, Refused, kind_of
from probes import figures
from probes.inventory.option_files import Ending
from probes.version import ServerVersion

_BEHIND = {
    OptionKind.DECIMAL: "nothing may stand behind the number",
}
_WHY = {
    Fault.NO_NUMBER: "it takes a number",
    Fault.LEFTOVER: "behind the number it takes K, M or G, and no blank before it",
    Fault.FRACTION: "it takes no fraction",
    Fault.TOO_LARGE: "no server counts so far",
    Fault.NEGATIVE: "it takes no negative number",
    Fault.SUFFIX: "it knows K, M and G alone",
    Fault.EMPTY: "nothing stands behind the =",
    Fault.NO_VALUE: "it needs a value",
    Fault.NO_WORD: "it takes one of its words and nothing else",
    Fault.CAPITALS: "it takes no name in capitals",
}
"""What is wrong, in words that follow a colon."""

_ENDS = {
    Ending.BYTE_ORDER_MARK: "a byte order mark stands before the first group",
    Ending.NO_GROUP: "what stands there is in no group",
    Ending.OPEN_GROUP: "the group has no closing bracket",
    Ending.NO_PATH: "the include names nothing",
    Ending.NO_FOLDER: "the folder that it includes is not there",
    Ending.NO_FILE: "the command line names it, and it is not there",
}


def why_refused(name: str, refused: Refused, version: ServerVersion) -> str:
    """Say what to write in place of a value, and why: "write 1536M; it takes no fraction"."""
    why = _WHY.get(refused.fault) or f"it refuses {figures.listed(refused.words)}"
    if refused.fault is Fault.LEFTOVER:
        why = _BEHIND.get(kind_of(version, name) or OptionKind.NUMBER, why)
    return f"write {refused.instead}; {why}" if refused.instead else why


def who_refuses(refused: Refused, version: ServerVersion) -> str:
    """Say which versions do not start: "No version starts", "MySQL 8.0 does not start"."""
    if refused.everywhere:
        return "No version starts"
    return f"{series_name(version)} does not start"


def values_named(lines: Sequence[OptionLine], version: ServerVersion) -> str:
    """Say it of each line of which it is so: "No version starts with x = 1.5G: ..."; else ""."""
    return " ".join(
        value_sentence(str(line), line.name, why, version)
        for line, why in filter(None, (refused_value(each, version) for each in lines))
    )


def values_to_write(lines: Sequence[OptionLine], version: ServerVersion) -> str:
    """Say the way out: "write innodb_log_buffer_size = 1536K", "correct max_connections"."""
    return figures.listed(
        [
            f"write {line.name} = {why.instead}" if why.instead else f"correct {line.name}"
            for line, why in filter(None, (refused_value(each, version) for each in lines))
        ]
    )


def strange_sentence(line: StrangeLine, version: ServerVersion) -> str:
    """Say that a line is no option, or that its name is in capitals, in a sentence."""
    text = one_blank(line.text)
    where = f"line {line.number} of {line.file}"
    line_text = f"{where} ({text})" if text else f"{where}, whose text is not shown here"
    if line.why is Strange.NO_OPTION:
        return f"No version starts with {line_text}: it is no option."
    return f"{series_name(version)} does not start with {line_text}: {_WHY[Fault.CAPITALS]}."


def end_sentence(end: FileEnd) -> str:
    """Say where a start ends before a single option is taken, in a sentence."""
    where = f"line {end.line} of {end.file}" if end.line else end.file
    return f"The next start ends at {where}: {_ENDS[end.why]}."


def value_sentence(line: str, name: str, refused: Refused, version: ServerVersion) -> str:
    """Say it of one line: "No version starts with x = 1.5G: write 1536M; it takes no fraction."."""
    return f"{who_refuses(refused, version)} with {line}: {why_refused(name, refused, version)}."
