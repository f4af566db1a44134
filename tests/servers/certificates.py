"""A certificate authority for one test run, and a server certificate for 127.0.0.1."""

from __future__ import annotations

import datetime
import ipaddress
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class Certificates:
    """Files in PEM format; ``stranger`` is an authority that signed nothing here."""

    authority: Path
    server: Path
    key: Path
    stranger: Path


def make_certificates(directory: Path) -> Certificates:
    """Write all files into ``directory``."""
    files = Certificates(*(directory / f"{name}.pem" for name in ("ca", "server", "key", "other")))
    authority_key, server_key, stranger_key = (
        ec.generate_private_key(ec.SECP256R1()) for _ in range(3)
    )
    authority = _certificate("Test authority", authority_key, None, None)
    server = _certificate("leadline test server", server_key, authority, authority_key)
    stranger = _certificate("Another authority", stranger_key, None, None)
    for path, certificate in (
        (files.authority, authority),
        (files.server, server),
        (files.stranger, stranger),
    ):
        path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    files.key.write_bytes(
        server_key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    files.key.chmod(0o600)
    return files


def _certificate(
    name: str,
    key: ec.EllipticCurvePrivateKey,
    issuer: x509.Certificate | None,
    issuer_key: ec.EllipticCurvePrivateKey | None,
) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if issuer is None else issuer.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
    )
    if issuer is not None:
        loopback = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
        names = x509.SubjectAlternativeName([loopback])
        builder = builder.add_extension(names, critical=False)
    return builder.sign(issuer_key or key, hashes.SHA256())
