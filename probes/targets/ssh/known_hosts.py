"""Which host keys are known: OpenSSH's known_hosts files, read and added to."""

from __future__ import annotations

import base64
import binascii
import fnmatch
import hashlib
import hmac
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from probes.errors import HostKeyRejected

_REVOKED = "@revoked"


@dataclass(frozen=True, slots=True)
class KnownKey:
    """A line that is for a host: its key, and where it stands."""

    key_type: str
    blob: bytes
    revoked: bool
    place: str

    @property
    def fingerprint(self) -> str:
        """As OpenSSH shows it."""
        return fingerprint(self.blob)


def fingerprint(blob: bytes) -> str:
    """The SHA-256 fingerprint of a public key, as OpenSSH shows it."""
    digest = hashlib.sha256(blob).digest()
    return "SHA256:" + base64.b64encode(digest).decode("ascii").rstrip("=")


def known_keys(name: str, files: Iterable[Path]) -> list[KnownKey]:
    """Every key that ``files`` give for ``name`` ("db7" or "[db7]:2222")."""
    return [key for file in files for key in _keys(name, file)]


def remember(name: str, key_type: str, blob: bytes, file: Path, *, hashed: bool) -> None:
    """Add a key for ``name``; raises HostKeyRejected when the file can't be written."""
    line = f"{_hash(name) if hashed else name} {key_type} {base64.b64encode(blob).decode('ascii')}"
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        before = file.read_bytes() if file.exists() else b""
        gap = "\n" if before and not before.endswith(b"\n") else ""
        with file.open("a", encoding="ascii") as opened:
            opened.write(f"{gap}{line}\n")
    except OSError as error:
        raise HostKeyRejected(
            f"The host key of {name} can't be remembered in {file}: {error.strerror}.",
            "Make the file writable, or name another one by UserKnownHostsFile in ~/.ssh/config.",
        ) from error


def _keys(name: str, file: Path) -> Iterator[KnownKey]:
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    for number, line in enumerate(lines, 1):
        words = line.split()
        marker = words.pop(0) if words and words[0].startswith("@") else ""
        # Certificate authorities vouch for certificates, which are not asked for.
        if len(words) < 3 or words[0].startswith("#") or marker not in {"", _REVOKED}:
            continue
        if _speaks_of(name, words[0]):
            try:
                blob = base64.b64decode(words[2], validate=True)
            except binascii.Error:
                continue
            yield KnownKey(words[1], blob, marker == _REVOKED, f"{file}, line {number}")


def _speaks_of(name: str, hosts: str) -> bool:
    """Whether a line's first word means ``name``: hashed, or patterns of which some may exclude."""
    if hosts.startswith("|1|"):
        return _is_hash_of(name, hosts)
    patterns = hosts.lower().split(",")
    name = name.lower()
    if any(_matches(name, pattern[1:]) for pattern in patterns if pattern.startswith("!")):
        return False
    return any(_matches(name, pattern) for pattern in patterns if not pattern.startswith("!"))


def _matches(name: str, pattern: str) -> bool:
    # Brackets enclose a host here, and are no set of characters.
    return fnmatch.fnmatchcase(name, pattern.replace("[", "[[]"))


def _hash(name: str, salt: bytes = b"") -> str:
    salt = salt or os.urandom(hashlib.sha1(usedforsecurity=False).digest_size)
    digest = hmac.new(salt, name.lower().encode(), "sha1").digest()
    return f"|1|{base64.b64encode(salt).decode('ascii')}|{base64.b64encode(digest).decode('ascii')}"


def _is_hash_of(name: str, hosts: str) -> bool:
    try:
        salt = base64.b64decode(hosts.split("|")[2])
    except (binascii.Error, IndexError):
        return False
    return bool(salt) and _hash(name, salt) == hosts
