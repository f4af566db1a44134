"""Finding out what a file is, by its content, and reading it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from probes.errors import ImportRefused
from probes.imports import csv_table, iostat, iostat_text
from probes.imports.content import WHAT_CAN_BE_READ, read_text, shown
from probes.imports.fio import json_form as fio_json
from probes.imports.fio import terse_form as fio_terse
from probes.imports.foreign import refusal
from probes.imports.imported import Imported
from probes.imports.sysbench import fileio as sysbench_fileio
from probes.imports.sysbench import oltp as sysbench_oltp
from probes.imports.sysbench import read as sysbench
from probes.imports.sysbench.run import START

_BEGINNING = 1 << 16
"""Far enough to meet what shows a file's kind."""

_SYSBENCH = re.compile(r"^[ \t]*sysbench v?\d", re.MULTILINE)
_INDENTED = re.compile(r"(?:[ \t\r]*\n){0,100}([ \t]{1,40})\S")
_WRITTEN = re.compile(r"^[ \t]*[^\s]", re.MULTILINE)
"""What a line begins with that has something on it."""

_OBJECT = re.compile(r"^\{", re.MULTILINE)

_UNREADABLE = (
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
"""What a reader trips over when a file is not what it seems to be."""

Reader = Callable[[str, str], Imported]


def read_import(path: Path) -> Imported:
    """Read a file of fio, sysbench or iostat, or a table of points, whichever it is.

    Raises UsageError where there is no such file, and ImportRefused for anything else: foreign, cut
    off, too large, or with figures that no measurement gives.
    """
    text = _set_left(read_text(path))
    reader = _reader(text)
    try:
        return _shown(reader(text, shown(path.name)))
    except ImportRefused as error:
        advice = shown(error.advice) or WHAT_CAN_BE_READ
        sentence = shown(f"{shown(path)}: {error.sentence}")
        raise ImportRefused(sentence, advice, shown(error.details)) from error
    except _UNREADABLE as error:
        raise ImportRefused(
            f"{shown(path)}: the file is not as its program writes it.",
            "Import the file as its program wrote it, whole.",
            shown(repr(error)[:200]),
        ) from error


def _shown(imported: Imported) -> Imported:
    """The same, with all that quotes the file as people may read it."""
    return replace(
        imported,
        engine=shown(imported.engine),
        engine_version=shown(imported.engine_version),
        conditions={shown(name): shown(value) for name, value in imported.conditions.items()},
        warnings=tuple(map(shown, imported.warnings)),
    )


def _reader(text: str) -> Reader:
    beginning = text[:_BEGINNING]
    if _OBJECT.search(beginning):
        return _reader_of_json(beginning)
    if _is_sysbench(beginning, text):
        return sysbench.read
    marks: dict[re.Pattern[str], Reader] = {
        fio_terse.LINE: fio_terse.read,
        iostat_text.HEADER: iostat.read,
        csv_table.HEADER: csv_table.read,
    }
    found = (reader for mark, reader in marks.items() if mark.search(beginning))
    return next(found, _foreign)


def _reader_of_json(beginning: str) -> Reader:
    if '"fio version"' in beginning:
        return fio_json.read
    if '"sysstat"' in beginning:
        return iostat.read
    return _refuse("is JSON, but neither of fio nor of iostat.")


def _is_sysbench(beginning: str, text: str) -> bool:
    if START.search(beginning) or _SYSBENCH.search(beginning):
        return True
    # The head may stand behind thousands of lines of --verbosity, or be left out.
    return bool(sysbench_fileio.RESULT.search(text) or sysbench_oltp.RESULT.search(text))


def _refuse(what: str) -> Reader:
    def read(text: str, source: str) -> Imported:
        raise ImportRefused(f"it {what}", WHAT_CAN_BE_READ)

    return read


def _foreign(text: str, source: str) -> Imported:
    raise refusal(text[:_BEGINNING])


def _set_left(text: str) -> str:
    """The same without the indentation that all lines have in common, as where it was pasted."""
    first = _INDENTED.match(text)
    if first is None:
        return text
    common = first[1]
    for line in _WRITTEN.finditer(text):
        while not line[0].startswith(common):
            common = common[:-1]
        if not common:
            return text
    return re.sub(rf"^{re.escape(common)}", "", text, flags=re.MULTILINE)
