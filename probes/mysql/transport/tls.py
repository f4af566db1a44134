"""TLS for MySQL connections, over real sockets and over whatever else carries bytes."""

from __future__ import annotations

import hashlib
import ssl
from pathlib import Path

from probes.errors import UsageError
from probes.mysql.login import Protection, ResolvedLogin

_VERIFIED = frozenset({Protection.AUTHORITY, Protection.IDENTITY})

_UNKNOWN_AUTHORITY = frozenset({18, 19, 20, 21})
"""OpenSSL's X509_V_ERR_ numbers for what no known authority has signed."""


class CertificateChanged(ssl.SSLError):
    """The server showed another certificate than the one that was accepted."""

    def __init__(self, shown: str, accepted: str) -> None:
        super().__init__("the certificate is another one than was accepted")
        self.shown = shown
        self.accepted = accepted


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


def tls_context(login: ResolvedLogin) -> ssl.SSLContext | None:
    """How to speak TLS for ``login``; None where the connection stays without. Raises UsageError.

    A certificate that was accepted is compared by whoever shakes hands.
    """
    protection = login.protection
    if protection is Protection.NONE:
        return None
    try:
        context = ssl.create_default_context(cadata=login.tls_ca_pem or None)
    except ssl.SSLError as error:
        raise UsageError("The certificates of the authority can't be read.") from error
    # The certificates that MySQL makes for itself break formal rules that newer Pythons insist on.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    context.check_hostname = protection is Protection.IDENTITY
    context.verify_mode = ssl.CERT_REQUIRED if protection in _VERIFIED else ssl.CERT_NONE
    return context


def fingerprint(certificate: bytes | None) -> str:
    """The SHA-256 of a certificate (DER) as openssl shows it; "" for none."""
    if certificate is None:
        return ""
    return hashlib.sha256(certificate).digest().hex(":").upper()


def nobody_known_signed(error: Exception) -> bool:
    """Whether a handshake failed because the certificate has no known authority's signature."""
    cause = getattr(error, "original_exception", error)
    if not isinstance(cause, ssl.SSLCertVerificationError):
        return False
    return cause.verify_code in _UNKNOWN_AUTHORITY
