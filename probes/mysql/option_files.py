"""MySQL's option files: what the user has already set for other clients.

The rules are those of MySQL's own programs: groups, ``!include``, quotes, escapes, comments that
start within a line, and files that anybody may write being ignored.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from probes.errors import UsageError
from probes.figures import size
from probes.targets.address import TlsMode

GROUPS = frozenset({"client", "client-server", "client-mariadb", "mysql", "leadline"})
"""The groups that are read; as with MySQL's clients a later line wins, whatever its group."""

_SERVERS_GROUPS = frozenset({"mysqld", "server", "mariadb", "mariadbd"})
_GLOBAL_FILES = ("/etc/my.cnf", "/etc/mysql/my.cnf")
_DEEPEST_INCLUDE = 10
_MOST_FILES = 200
_MOST_BYTES = 1 << 20
"""Of one file; more is no option file, and files that include each other would have no end."""

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "s": " ", '"': '"', "'": "'", "\\": "\\"}
_MODES = frozenset({"disabled", "preferred", "required", "verify_ca", "verify_identity"})
_OFF = frozenset({"0", "off", "false", "no", "disabled"})


@dataclass(frozen=True, slots=True)
class Options:
    """What option files say about a connection; empty where they are silent."""

    user: str = ""
    password: str | None = field(default=None, repr=False)
    host: str = ""
    port: int | None = None
    socket: str = ""
    tls: TlsMode | None = None
    tls_ca_file: str = ""


def read_options(defaults_file: str = "") -> Options:
    """The options of ``defaults_file`` alone, or of the usual files of this computer.

    Raises UsageError when ``defaults_file`` can't be read, or a port is no number.
    """
    if defaults_file:
        _must_be_readable(Path(defaults_file))
        files = [Path(defaults_file).expanduser()]
    else:
        files = [*_global_files(), Path("~/.my.cnf").expanduser()]
    left = [_MOST_FILES]
    return _options(dict(line for file in files for line in _lines(file, _DEEPEST_INCLUDE, left)))


def options_of_text(text: str) -> Options:
    """The options of an option file's text, which names no other file here.

    Where no client's group stands in it, the server's say where that listens. Raises UsageError as
    ``read_options`` does.
    """
    for groups in (GROUPS, _SERVERS_GROUPS):
        lines = (line for line in _grouped(text, groups) if not line.startswith("!"))
        values = dict(map(_option, lines))
        if values:
            break
    if groups is not GROUPS:
        values = {name: values[name] for name in ("socket", "port") if name in values}
    return _options(values)


def _global_files() -> list[Path]:
    """The files for all accounts of this computer, in the order in which MySQL reads them."""
    if sys.platform != "win32":
        return [Path(name) for name in _GLOBAL_FILES]
    folders = [os.environ.get("WINDIR", "C:/Windows"), "C:/"]
    return [Path(folder) / name for folder in folders for name in ("my.ini", "my.cnf")]


def _options(values: dict[str, str]) -> Options:
    port = values.get("port", "")
    if port and not port.isdigit():
        raise UsageError(f"The port in the MySQL option file is not a number: {port!r}.")
    return Options(
        user=values.get("user", ""),
        password=values.get("password"),
        host=values.get("host", ""),
        port=int(port) if port else None,
        socket=values.get("socket", ""),
        tls=_tls(values),
        tls_ca_file=values.get("ssl-ca", ""),
    )


def _tls(values: dict[str, str]) -> TlsMode | None:
    """The mode that MySQL's and MariaDB's own options amount to; None when there are none."""
    mode = values.get("ssl-mode", "").lower()
    if mode:
        if mode not in _MODES:
            raise UsageError(f"The ssl-mode in the MySQL option file is unknown: {mode!r}.")
        return TlsMode(mode)
    if "skip-ssl" in values or values.get("ssl", "").lower() in _OFF:
        return TlsMode.DISABLED
    if values.get("ssl-verify-server-cert", "0").lower() not in _OFF:
        return TlsMode.VERIFY_IDENTITY
    if "ssl-ca" in values:
        return TlsMode.VERIFY_CA
    return TlsMode.VERIFIED if "ssl" in values else None


def _must_be_readable(file: Path) -> None:
    try:
        _content(file.expanduser())
    except OSError as error:
        raise UsageError(f"The option file {file} can't be read: {error.strerror}.") from error
    if _anybody_may_write(file.expanduser()):
        raise UsageError(
            f"The option file {file} can be written by anybody, so it is not used.",
            f"Take that right away: chmod o-w {file}",
        )


def _anybody_may_write(file: Path) -> bool:
    return os.name == "posix" and bool(file.stat().st_mode & stat.S_IWOTH)


def _content(file: Path) -> bytes:
    """All of a plain file; raises OSError for what is none, or too large to be one of options."""
    # A pipe or device is opened without waiting, and not read.
    number = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with open(number, "rb") as opened:  # noqa: PTH123 - of what was opened, not of a name
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file")
        content = opened.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise OSError(errno.EFBIG, f"it has more than {size(_MOST_BYTES)}")
    return content


def _lines(file: Path, depth: int, left: list[int]) -> Iterator[tuple[str, str]]:
    """The options of our groups in the order of the file and of those that it includes.

    ``left`` is how many files may still be read, in a list that all share.
    """
    left[0] -= 1
    if left[0] < 0:
        return
    try:
        if _anybody_may_write(file):
            return
        text = _content(file).decode("utf-8", "surrogateescape")
    except OSError:
        # MySQL's programs skip what they can't read, too.
        return
    for line in _grouped(text, GROUPS):
        if not line.startswith("!"):
            yield _option(line)
        elif depth:
            for included in _included(line, file):
                yield from _lines(included, depth - 1, left)


def _grouped(text: str, groups: frozenset[str]) -> Iterator[str]:
    """The lines of some groups, and those that name other files."""
    ours = False
    for line in map(str.strip, text.lstrip("\ufeff").splitlines()):
        if line.startswith("["):
            ours = line[1:].partition("]")[0].strip() in groups
        elif line.startswith("!") or (ours and line and line[0] not in "#;"):
            yield line


def _included(line: str, file: Path) -> list[Path]:
    word, _, place = line.partition(" ")
    path = file.parent / place.strip()
    if word == "!include":
        return [path]
    if word == "!includedir" and path.is_dir():
        return sorted(path.glob("*.cnf"))
    return []


def _option(line: str) -> tuple[str, str]:
    name, _, value = without_comment(line).partition("=")
    return name.strip().lower().replace("_", "-").removeprefix("loose-"), value_of(value)


def value_of(written: str) -> str:
    """What stands behind the "=" of a line, without quotes and escapes."""
    value = written.strip()
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"":
        value = value[1:-1]
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[0]), value)


def without_comment(line: str) -> str:
    """A line up to the first "#" outside quotes."""
    quote = ""
    escaped = False
    for at, character in enumerate(line):
        if character in "'\"" and not escaped:
            if not quote:
                quote = character
            elif quote == character:
                quote = ""
        if not quote and character == "#":
            return line[:at]
        escaped = bool(quote) and character == "\\" and not escaped
    return line
