"""Which certificates of MySQL servers were accepted: a file of lines beside the database."""

from __future__ import annotations

import os
from pathlib import Path

from probes.errors import CertificateRejected
from probes.home import home

_FILE = "mysql_certificates"


def place() -> Path:
    """The file; each line is a SHA-256 fingerprint and the server's name. Raises StoreError."""
    return home() / _FILE


def accepted_certificate(server: str) -> str:
    """The fingerprint that was accepted for ``server`` ("db7:3306") last; "" for none.

    Raises CertificateRejected when the file is there and can't be read.
    """
    found = ""
    for line in _text(server).splitlines():
        fingerprint, _, name = line.partition(" ")
        if name == _one_line(server):
            found = fingerprint
    return found


def remember(server: str, fingerprint: str) -> None:
    """Keep ``fingerprint`` as the one of ``server``; raises CertificateRejected."""
    file = place()
    before = _text(server)
    gap = "\n" if before and not before.endswith("\n") else ""
    try:
        _make(file.parent)
        # What stands here is trusted, so nobody else may write it.
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8") as opened:
            opened.write(f"{gap}{fingerprint} {_one_line(server)}\n")
    except OSError as error:
        raise CertificateRejected(
            f"The certificate of {server} can't be remembered in {file}: {error.strerror}.",
            "Make the file writable, or name another folder in LEADLINE_HOME.",
        ) from error


def _make(folder: Path) -> None:
    """Make a folder, and what is missing above it, for this account alone."""
    if not folder.is_dir():
        _make(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _text(server: str) -> str:
    try:
        return place().read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise CertificateRejected(
            f"The certificate that was accepted for {server} can't be looked up in {place()}: "
            f"{error.strerror}.",
            "Make the file readable, or name another folder in LEADLINE_HOME.",
        ) from error


def _one_line(server: str) -> str:
    return " ".join(server.split())
