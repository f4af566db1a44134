"""TLS for MySQL connections, over real sockets and over whatever else carries bytes."""

from __future__ import annotations

import ssl
from pathlib import Path

from probes.errors import UsageError
from probes.targets.address import TlsMode

ENFORCED = frozenset({TlsMode.REQUIRED, TlsMode.VERIFY_CA, TlsMode.VERIFY_IDENTITY})
VERIFIED = frozenset({TlsMode.VERIFY_CA, TlsMode.VERIFY_IDENTITY})


def ca_text(file: str) -> str:
    """The certificates of an authority's file, "" for none; raises UsageError."""
    if not file:
        return ""
    try:
        text = Path(file).expanduser().read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(
            f"The file of the certificate authority {file} can't be read: {error.strerror}."
        ) from error
    if "BEGIN CERTIFICATE" not in text:
        raise UsageError(f"The file {file} holds no certificate in PEM format.")
    return text


def tls_context(mode: TlsMode, ca_pem: str) -> ssl.SSLContext:
    """How to speak TLS in ``mode``; ``ca_pem`` "" trusts the system's authorities."""
    try:
        context = ssl.create_default_context(cadata=ca_pem or None)
    except ssl.SSLError as error:
        raise UsageError("The certificates of the authority can't be read.") from error
    # The certificates that MySQL makes for itself break formal rules that newer Pythons insist on.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    context.check_hostname = mode is TlsMode.VERIFY_IDENTITY
    context.verify_mode = ssl.CERT_REQUIRED if mode in VERIFIED else ssl.CERT_NONE
    return context
