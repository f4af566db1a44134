"""What OpenSSH's client configuration says about a host."""

from __future__ import annotations

import getpass
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from probes.errors import UsageError
from probes.targets.address import SshAddress
from probes.targets.allowed_characters import check_host, check_ssh, port_of
from probes.targets.ssh.config_files import settings_for, system_folder, words
from probes.targets.ssh.tokens import Tokens

DEFAULT_PORT = 22

_USER_KNOWN_HOSTS = "~/.ssh/known_hosts ~/.ssh/known_hosts2"
_SYSTEM_KNOWN_HOSTS = ("ssh_known_hosts", "ssh_known_hosts2")
_DEFAULT_KEYS = ("~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa")


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
    """Fill what ``address`` leaves open from the configuration files.

    Raises UsageError, also for an address, or what the files make of it, that could do harm.
    """
    check_ssh(address)
    settings = settings_for(address)
    tokens = Tokens(
        alias=address.host,
        hostname=str(settings["hostname"]),
        port=address.port or _port(str(settings.get("port") or DEFAULT_PORT)),
        user=address.user or str(settings.get("user") or getpass.getuser()),
    )
    check_host(tokens.hostname, f"The HostName that {address.host} leads to")
    jumps = _jumps(str(settings.get("proxyjump") or "none"), tokens)
    key_files = [name for name in settings.get("identityfile", ()) if name != "none"]
    if not key_files and not address.identity_file:
        key_files = list(_DEFAULT_KEYS)
    return Hop(
        alias=tokens.alias,
        hostname=tokens.hostname,
        port=tokens.port,
        user=tokens.user,
        named_key=Path(address.identity_file).expanduser() if address.identity_file else None,
        key_files=tuple(Path(name).expanduser() for name in key_files),
        only_these_keys=_yes(settings, "identitiesonly"),
        known_as=str(settings.get("hostkeyalias") or _bracketed(tokens.hostname, tokens.port)),
        known_hosts=_paths(str(settings.get("userknownhostsfile") or _USER_KNOWN_HOSTS)),
        system_known_hosts=_system_known_hosts(str(settings.get("globalknownhostsfile") or "")),
        hash_known_hosts=_yes(settings, "hashknownhosts"),
        refuse_unknown=_yes(settings, "stricthostkeychecking"),
        proxy_command="" if jumps else tokens.fill_command(str(settings.get("proxycommand") or "")),
        jumps=jumps,
    )


def parse_jump(text: str) -> SshAddress:
    """An address as ProxyJump and users write it: ``[user@]host[:port]``; raises UsageError."""
    return _jump(text, *_jump_parts(text))


def _jumps(setting: str, tokens: Tokens) -> tuple[SshAddress, ...]:
    if setting == "none":
        return ()
    # Tokens are filled in part by part, or a comma in a name would be one more jump.
    return tuple(_jump(text, *map(tokens.fill, _jump_parts(text))) for text in setting.split(","))


def _jump(text: str, user: str, host: str, port: str) -> SshAddress:
    if not host or (port and not port_of(port)):
        raise UsageError(f"{text} is no SSH address.", "Write [user@]host[:port].")
    address = SshAddress(host, port_of(port) or None, user)
    check_ssh(address)
    return address


def _jump_parts(text: str) -> tuple[str, str, str]:
    """User, host and port, each maybe ""."""
    place = text.strip().removeprefix("ssh://").rstrip("/")
    user, _, place = place.rpartition("@")
    if place.startswith("["):
        host, _, rest = place[1:].partition("]")
        return user, host, rest.removeprefix(":")
    if place.count(":") > 1:
        raise UsageError(f"{text} is ambiguous.", "Put an IPv6 address in brackets: [::1]:22.")
    host, _, port = place.partition(":")
    return user, host, port


def _port(text: str) -> int:
    number = port_of(text)
    if not number:
        raise UsageError(f"{text} is not a valid port.", "A port is a number from 1 to 65535.")
    return number


def _bracketed(hostname: str, port: int) -> str:
    return hostname if port == DEFAULT_PORT else f"[{hostname}]:{port}"


def _yes(settings: Mapping[str, Any], key: str) -> bool:
    return str(settings.get(key, "no")).lower() == "yes"


def _paths(text: str) -> tuple[Path, ...]:
    return tuple(Path(word).expanduser() for word in words(text) if word != "none")


def _system_known_hosts(named: str) -> tuple[Path, ...]:
    if named:
        return _paths(named)
    return tuple(system_folder() / name for name in _SYSTEM_KNOWN_HOSTS)
