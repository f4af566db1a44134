"""What OpenSSH's client configuration says about a host."""

from __future__ import annotations

import getpass
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import paramiko
from paramiko.ssh_exception import ConfigParseError, CouldNotCanonicalize

from probes.errors import UsageError
from probes.targets.address import SshAddress

DEFAULT_PORT = 22

_USER_FILE = "~/.ssh/config"
_SYSTEM_FILE = "/etc/ssh/ssh_config"
_USER_KNOWN_HOSTS = "~/.ssh/known_hosts ~/.ssh/known_hosts2"
_SYSTEM_KNOWN_HOSTS = "/etc/ssh/ssh_known_hosts /etc/ssh/ssh_known_hosts2"
_DEFAULT_KEYS = ("~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa")
_DEEPEST_INCLUDE = 16


@dataclass(frozen=True, slots=True)
class Hop:
    """One SSH server on the way, all questions of configuration settled.

    ``alias`` is the name that the user gave, ``hostname`` where it leads. ``jumps`` come before it.
    ``named_key`` belongs to the target itself; ``key_files`` are the configuration's, or the usual.
    """

    alias: str
    hostname: str
    port: int
    user: str
    named_key: Path | None
    key_files: tuple[Path, ...]
    only_these_keys: bool
    known_as: str
    known_hosts: tuple[Path, ...]
    system_known_hosts: tuple[Path, ...]
    hash_known_hosts: bool
    refuse_unknown: bool
    proxy_command: str
    jumps: tuple[SshAddress, ...]

    @property
    def name(self) -> str:
        """How messages call it: "root@db7:22"."""
        return f"{self.user}@{self.alias}:{self.port}"


def resolve_hop(address: SshAddress) -> Hop:
    """Fill what ``address`` leaves open from the configuration files; raises UsageError."""
    said = _lookup(address)
    hostname = str(said["hostname"])
    port = _port(said.get("port"))
    jump = str(said.get("proxyjump") or "none")
    key_files = [name for name in said.get("identityfile", ()) if name != "none"]
    if not key_files and not address.identity_file:
        key_files = list(_DEFAULT_KEYS)
    return Hop(
        alias=address.host,
        hostname=hostname,
        port=port,
        user=str(said.get("user") or getpass.getuser()),
        named_key=Path(address.identity_file).expanduser() if address.identity_file else None,
        key_files=tuple(Path(name).expanduser() for name in key_files),
        only_these_keys=_yes(said, "identitiesonly"),
        known_as=str(said.get("hostkeyalias") or _bracketed(hostname, port)),
        known_hosts=_paths(str(said.get("userknownhostsfile") or _USER_KNOWN_HOSTS)),
        system_known_hosts=_paths(str(said.get("globalknownhostsfile") or _SYSTEM_KNOWN_HOSTS)),
        hash_known_hosts=_yes(said, "hashknownhosts"),
        refuse_unknown=_yes(said, "stricthostkeychecking"),
        proxy_command="" if jump != "none" else str(said.get("proxycommand") or ""),
        jumps=() if jump == "none" else tuple(map(parse_jump, jump.split(","))),
    )


def parse_jump(text: str) -> SshAddress:
    """An address as ProxyJump and users write it: ``[user@]host[:port]``; raises UsageError."""
    place = text.strip().removeprefix("ssh://").rstrip("/")
    user, _, place = place.rpartition("@")
    if place.startswith("["):
        host, _, rest = place[1:].partition("]")
        port = rest.removeprefix(":")
    elif place.count(":") > 1:
        raise UsageError(f"{text} is ambiguous.", "Put an IPv6 address in brackets: [::1]:22.")
    else:
        host, _, port = place.partition(":")
    if not host or (port and not port.isdigit()):
        raise UsageError(f"{text} is no SSH address.", "Write [user@]host[:port].")
    return SshAddress(host, _port(port) if port else None, user)


def _lookup(address: SshAddress) -> paramiko.SSHConfigDict:
    # The first value of a setting wins, so what the user named stands before the files.
    lines = ["Host *"]
    if address.port is not None:
        lines.append(f"Port {address.port}")
    if address.user:
        lines.append(f"User {address.user}")
    for file in (_USER_FILE, _SYSTEM_FILE):
        lines += ["Host *", *_lines(Path(file).expanduser(), _DEEPEST_INCLUDE)]
    try:
        return paramiko.SSHConfig.from_text("\n".join(lines)).lookup(address.host)
    except (ConfigParseError, CouldNotCanonicalize, ValueError, KeyError) as error:
        raise UsageError(
            f"The SSH configuration can't be used for {address.host}: {error}.",
            "Correct ~/.ssh/config; 'ssh -G HOST' shows what OpenSSH makes of it.",
        ) from error


def _lines(file: Path, depth: int) -> Iterator[str]:
    """The lines of a file with the files that it includes in their place."""
    try:
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return
    block = "Host *"
    for line in text.splitlines():
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
    for pattern in shlex.split(patterns):
        path = Path(pattern).expanduser()
        # Relative names belong to the folder of the user's, or the system's, configuration.
        folder = Path(_SYSTEM_FILE if file.is_relative_to("/etc/ssh") else _USER_FILE).parent
        path = folder.expanduser() / path
        yield from sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))


def _port(text: object) -> int:
    if text is None:
        return DEFAULT_PORT
    number = int(str(text)) if str(text).isdigit() else 0
    if not 0 < number < 1 << 16:
        raise UsageError(f"{text} is no port.", "A port is a number from 1 to 65535.")
    return number


def _bracketed(hostname: str, port: int) -> str:
    return hostname if port == DEFAULT_PORT else f"[{hostname}]:{port}"


def _yes(said: paramiko.SSHConfigDict, key: str) -> bool:
    return str(said.get(key, "no")).lower() == "yes"


def _paths(text: str) -> tuple[Path, ...]:
    return tuple(Path(word).expanduser() for word in shlex.split(text) if word != "none")
