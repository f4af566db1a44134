"""OpenSSH's client configuration files, and what they say about a host."""

from __future__ import annotations

import getpass
import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import paramiko
from paramiko.ssh_exception import ConfigParseError, CouldNotCanonicalize

from probes.errors import UsageError
from probes.targets.address import SshAddress
from probes.targets.allowed_characters import check_in_shell

USER_FILE = "~/.ssh/config"


def system_folder() -> Path:
    """The folder of the system's configuration and known hosts."""
    if sys.platform == "win32":
        return Path(os.environ.get("PROGRAMDATA", "C:/ProgramData")) / "ssh"
    return Path("/etc/ssh")


def words(text: str) -> list[str]:
    """The words of a setting that holds several; quotes keep spaces together.

    A backslash begins an escape, but not on Windows, where it parts the folders of a path.
    """
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    if sys.platform == "win32":
        lexer.escape = ""
    return list(lexer)


_DEEPEST_INCLUDE = 16

_KEPT_AS_WRITTEN = {"proxycommand", "proxyjump"}


def settings_for(address: SshAddress) -> Mapping[str, Any]:
    """What the files say about ``address.host``, by lower-case names; lists where many may stand.

    What the address names stands before the files, as the first value of a setting wins: the files'
    own conditions see it. ``proxycommand`` and ``proxyjump`` keep their tokens. ``address`` has
    been checked: the files may hand it to a shell (``Match exec``). Raises UsageError.
    """
    named = {"user": address.user, "port": "" if address.port is None else str(address.port)}
    lines = [
        line
        for file in (Path(USER_FILE), system_folder() / "ssh_config")
        for line in ("Host *", *_lines(file.expanduser(), _DEEPEST_INCLUDE))
    ]
    config = _Files({name: text for name, text in named.items() if text})
    try:
        config.parse(lines)
        settings: Mapping[str, Any] = config.lookup(address.host)
    except (ConfigParseError, CouldNotCanonicalize, ValueError, KeyError) as error:
        raise UsageError(
            f"The SSH configuration can't be used for {address.host}: {error}.",
            "Correct ~/.ssh/config; 'ssh -G HOST' shows what OpenSSH makes of it.",
        ) from error
    return settings


class _Files(paramiko.SSHConfig):
    """The library's reader, with settings that stand before those of the files.

    The library knows no such settings, and text for it is not made of them: a line break in one
    would be a line of the configuration.
    """

    def __init__(self, named: Mapping[str, str]) -> None:
        super().__init__()
        self._named = named
        self.TOKENS_BY_CONFIG_KEY = {
            key: tokens
            for key, tokens in paramiko.SSHConfig.TOKENS_BY_CONFIG_KEY.items()
            if key not in _KEPT_AS_WRITTEN
        }

    def _lookup(
        self,
        hostname: str,
        options: paramiko.SSHConfigDict | None = None,
        canonical: bool = False,
        final: bool = False,
    ) -> paramiko.SSHConfigDict:
        if options is None:
            options = paramiko.SSHConfigDict(self._named)
        found: paramiko.SSHConfigDict = super()._lookup(  # type: ignore[misc]  # not in the stubs
            hostname, options, canonical, final
        )
        return found

    def _tokenize(
        self, config: Mapping[str, Any], target_hostname: str, key: str, value: str
    ) -> str:
        if key == "hostname" and value == target_hostname:
            # No file has set it, so that a % within begins an address's zone.
            return value
        if key == "match-exec":
            values = {
                "%h": config.get("hostname", target_hostname),
                "%n": target_hostname,
                "%p": config.get("port", ""),
                "%r": config.get("user") or getpass.getuser(),
            }
            for token, text in values.items():
                if token in value and text:
                    check_in_shell(text, f"What {token} stands for in a Match exec")
        filled: str = super()._tokenize(  # type: ignore[misc]  # not in the stubs
            config, target_hostname, key, value
        )
        return filled


def _lines(file: Path, depth: int) -> Iterator[str]:
    """The lines of a file with the files that it includes in their place."""
    try:
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return
    block = "Host *"
    for line in text.split("\n"):
        word, _, rest = line.strip().replace("=", " ", 1).partition(" ")
        if word.lower() != "include":
            block = line if word.lower() in {"host", "match"} else block
            yield line
        elif depth:
            for included in _included(rest, file):
                yield from _lines(included, depth - 1)
                # An included file's blocks end with it.
                yield block


def _included(patterns: str, file: Path) -> Iterator[Path]:
    for pattern in words(patterns):
        path = Path(pattern).expanduser()
        # Relative names belong to the folder of the user's, or the system's, configuration.
        system = system_folder()
        folder = system if file.is_relative_to(system) else Path(USER_FILE).parent
        path = folder.expanduser() / path
        yield from sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
