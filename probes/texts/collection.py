"""What the texts of one server amount to: the raw answers that an inventory is read from."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from probes.errors import ImportRefused
from probes.figures import counted
from probes.inventory.facts import RawInventory
from probes.inventory.mysql import read_version
from probes.inventory.read import OPTION_FILES
from probes.inventory.redact import clean_inventory
from probes.inventory.stated_machine import stated_answer
from probes.targets.address import StatedMachine
from probes.texts import lacking
from probes.texts.devices import counted_moments, devices_answer
from probes.texts.machine_answer import machine_answer
from probes.texts.read import UNREADABLE, read_text
from probes.texts.reading.pieces import (
    CountersPiece,
    DrivesPiece,
    InnodbPiece,
    MachinePiece,
    OptionsPiece,
    Piece,
    RemarkPiece,
    ServerText,
    SettingsPiece,
    StatedPiece,
    StatusPiece,
)
from probes.texts.settings import ServerSettings, settings_of
from probes.texts.typed import Typed
from probes.texts.window import StatusReading, window_of
from probes.version import ServerVersion

_HISTORY = re.compile(r"^History list length (\d{1,18})\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text and what was found in it, in a few words each; none where it was left out."""

    name: str
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Collection:
    """A server's texts, read: raw answers, what was found where, and what is to be said of it.

    ``status`` says what its counters are of; ``machine`` is what was stated of its machine, by a
    person or by a service.
    """

    raw: RawInventory
    texts: tuple[ReadText, ...]
    notes: tuple[str, ...]
    status: StatusReading
    machine: StatedMachine


@dataclass(slots=True)
class _Gathered:
    pieces: list[tuple[str, Piece]] = field(default_factory=list)
    texts: list[ReadText] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def of(self, kind: type[Piece]) -> list[tuple[str, Piece]]:
        return [(name, piece) for name, piece in self.pieces if isinstance(piece, kind)]


def collect(texts: Sequence[ServerText], typed: Typed, now_s: float) -> Collection:
    """Read all texts as those of one server; ``now_s`` is the time of day, in seconds since 1970.

    Raises ImportRefused where none of them says anything of a server or which version it has, or
    they are of two.
    """
    taken_s = _taken_s(texts, now_s)
    gathered = _gather(texts, taken_s)
    if not gathered.pieces:
        raise ImportRefused(
            "None of the texts says anything of a server.", lacking.WHAT_SERVER_TEXTS_ARE
        )
    settings = settings_of(gathered.pieces, gathered.notes)
    samples = [piece for _, piece in gathered.pieces if isinstance(piece, StatusPiece)]
    monitors = [piece for _, piece in gathered.pieces if isinstance(piece, InnodbPiece)]
    status = window_of(_with_history(samples, monitors), typed.apart_s)
    stated = _stated([piece for _, piece in gathered.pieces if isinstance(piece, StatedPiece)])
    machine = _machine(typed.machine, stated)
    answers = _server_answers(gathered, settings, stated, typed.version) | dict(status.answers)
    if "mysql.version" not in answers:
        raise ImportRefused("No text says which version the server has.", lacking.WHICH_VERSION)
    _note_other_machine(gathered, settings.values.get("hostname", ""))
    if monitors:
        answers["mysql.innodb_status"] = monitors[-1].text
    answers |= _machine_answers(gathered, settings.values, read_version(answers), typed.apart_s)
    if machine != StatedMachine():
        answers |= stated_answer(machine)
    if status.because and samples:
        gathered.notes.insert(0, _of_status(status))
    missing = lacking.missing(answers, status)
    moments = [each for each in (*(s.at_s for s in samples), *(m.at_s for m in monitors)) if each]
    at = datetime.fromtimestamp(max(moments, default=taken_s), UTC).isoformat(timespec="seconds")
    raw = clean_inventory(RawInventory(at, answers, missing))
    return Collection(raw, tuple(gathered.texts), tuple(gathered.notes), status, machine)


def _of_status(status: StatusReading) -> str:
    because = status.because[:1].upper() + status.because[1:]
    if status.since_start:
        return f"{because}: its rates may be a quarter or four times of that now."
    return f"{because}."


def _taken_s(texts: Sequence[ServerText], now_s: float) -> float:
    """When the texts were taken: the latest that was written to, but never in the future."""
    known = [each.written_at for each in texts if each.written_at is not None]
    return min(max(known, default=now_s), now_s)


def _gather(texts: Sequence[ServerText], taken_s: float) -> _Gathered:
    gathered = _Gathered()
    sent = [text.name for text in texts]
    for text in texts:
        try:
            pieces = read_text(text, sent, taken_s)
        except UNREADABLE as error:
            pieces = []
            gathered.notes.append(f"{text.name} is not as its program writes it ({error!r:.100}).")
        for piece in pieces:
            if isinstance(piece, RemarkPiece):
                gathered.notes.append(piece.sentence)
        gathered.pieces += [(text.name, piece) for piece in pieces]
        gathered.texts.append(ReadText(text.name, tuple(_words(pieces))))
    return gathered


def _words(pieces: Sequence[Piece]) -> list[str]:
    """What a text held, for people."""
    found: list[str] = []
    statuses = sum(isinstance(piece, StatusPiece) for piece in pieces)
    for piece in pieces:
        match piece:
            case SettingsPiece():
                found.append(counted(len(piece.values), "variable"))
            case OptionsPiece():
                lines = counted(len(piece.lines), "line")
                found.append(f"an option file with {lines} for the server")
            case InnodbPiece():
                found.append("INNODB STATUS")
            case DrivesPiece():
                devices = {s.host.device for s in piece.samples if s.host and s.host.device}
                found.append(f"samples of {', '.join(sorted(devices)) or 'the processors'}")
            case CountersPiece():
                found.append(f"counters of {counted(len(piece.devices), 'device')}")
            case MachinePiece():
                found.append("facts of the machine")
            case StatedPiece():
                found.append("facts of a report")
            case RemarkPiece():
                found.append("a remark")
            case _:
                pass
    if statuses:
        found.append("a status" if statuses == 1 else f"{statuses} statuses")
    return list(dict.fromkeys(found))


def _with_history(
    samples: Sequence[StatusPiece], monitors: Sequence[InnodbPiece]
) -> list[StatusPiece]:
    """The samples with the length of the history list, which some servers' status lacks."""
    found = [match[1] for each in monitors if (match := _HISTORY.search(each.text))]
    if not found:
        return [*samples]
    length = {"Innodb_history_list_length": found[-1]}
    return [replace(each, values={**length, **each.values}) for each in samples]


def _stated(pieces: Sequence[StatedPiece]) -> StatedPiece:
    """All that was stated, the first word on each fact."""

    def first(name: str) -> object:
        return next((value for each in pieces if (value := getattr(each, name))), None)

    return StatedPiece(
        version=str(first("version") or ""),
        comment=str(first("comment") or ""),
        data_bytes=_whole(first("data_bytes")) or None,
        performance_schema_bytes=_whole(first("performance_schema_bytes")) or None,
        memory_bytes=_whole(first("memory_bytes")),
        cpus=_whole(first("cpus")),
        machine_class=str(first("machine_class") or ""),
        volume_requests_per_s=_whole(first("volume_requests_per_s")),
        volume_bytes_per_s=_whole(first("volume_bytes_per_s")),
        service=str(first("service") or ""),
    )


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _machine(typed: StatedMachine, stated: StatedPiece) -> StatedMachine:
    """What a person says counts before what a report or a service states."""
    return StatedMachine(
        typed.memory_bytes or stated.memory_bytes,
        typed.machine_class or stated.machine_class,
        typed.volume_requests_per_s or stated.volume_requests_per_s,
        typed.volume_bytes_per_s or stated.volume_bytes_per_s,
        typed.cpus or stated.cpus,
    )


def _note_other_machine(gathered: _Gathered, server_on: str) -> None:
    """Say that the machine's texts are of another machine than the server's, by their names."""
    machines = (piece.hostname for _, piece in gathered.pieces if isinstance(piece, MachinePiece))
    machine = next(filter(None, machines), "")
    if machine and server_on and _first(machine) != _first(server_on):
        gathered.notes.append(
            f"The server runs on {server_on}, and texts of a machine are of {machine}: what they "
            "say of files and drives is left out."
        )


def _first(hostname: str) -> str:
    return hostname.partition(".")[0].lower()


def _server_answers(
    gathered: _Gathered, settings: ServerSettings, stated: StatedPiece, version: str
) -> dict[str, str]:
    """What was said of the server itself; nothing where nobody says which version it is."""
    answers: dict[str, str] = {}
    text = version or settings.values.get("version", "") or stated.version
    if text:
        comment = settings.values.get("version_comment", "") or stated.comment
        row = {"version": text, "comment": comment}
        answers["mysql.version"] = json.dumps(
            row | ({"vendor": stated.service} if stated.service else {})
        )
        answers["mysql.variables"] = json.dumps(settings.values, ensure_ascii=False)
        answers["mysql.over"] = "network"
    if settings.origins:
        origins = {name: [*each] for name, each in settings.origins.items()}
        answers["mysql.origins"] = json.dumps(origins, ensure_ascii=False)
    if stated.data_bytes:
        answers["mysql.sizes"] = json.dumps({"innodb_files_bytes": stated.data_bytes})
    if stated.performance_schema_bytes:
        memory = {"memory_bytes": stated.performance_schema_bytes}
        answers["mysql.performance_schema"] = json.dumps(memory)
    files = [piece for _, piece in gathered.pieces if isinstance(piece, OptionsPiece)]
    if files:
        content = {
            "files": [dict(file) for piece in files for file in piece.files],
            "lines": [dict(line) for piece in files for line in piece.lines],
        }
        answers[OPTION_FILES] = json.dumps(content, ensure_ascii=False)
        excerpts = [name for name, piece in gathered.of(OptionsPiece) if piece.ungrouped]  # type: ignore[union-attr]
        if excerpts:
            named = ", ".join(excerpts)
            gathered.notes.append(f"{named} names no group: its lines were taken for [mysqld]'s.")
    return answers


def _machine_answers(
    gathered: _Gathered,
    variables: Mapping[str, str],
    version: ServerVersion,
    apart_s: float | None,
) -> dict[str, str]:
    pieces = [piece for _, piece in gathered.pieces if isinstance(piece, MachinePiece)]
    drives = [piece for _, piece in gathered.pieces if isinstance(piece, DrivesPiece)]
    answers = machine_answer(pieces, variables, version) if pieces else {}
    counters = [piece for _, piece in gathered.pieces if isinstance(piece, CountersPiece)]
    moments = counted_moments(counters, apart_s, gathered.notes)
    return answers | devices_answer(drives, moments, answers, gathered.notes)
