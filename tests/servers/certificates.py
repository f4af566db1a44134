"""Certificate authorities for a test run, and what they sign: good, expired, for another name."""

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


@dataclass(frozen=True)
class Authority:
    """Somebody who signs certificates for servers; its own is ``file``."""

    directory: Path
    file: Path
    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    def sign(self, name: str, host: str, *, expired: bool = False) -> tuple[Path, Path]:
        """A server's certificate for the address ``host``, and its key: two files."""
        key = ec.generate_private_key(ec.SECP256R1())
        made = _certificate(name, key, self.certificate, self.key, host=host, expired=expired)
        return _written(self.directory, name, made, key)


def make_authority(directory: Path, name: str) -> Authority:
    """An authority whose certificate is written into ``directory``."""
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = _certificate(name, key, None, None)
    file = directory / f"{name}.pem"
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return Authority(directory, file, key, certificate)


def self_signed(directory: Path, name: str) -> tuple[Path, Path]:
    """A certificate that vouches for itself alone, as MySQL makes them, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    return _written(directory, name, _certificate(name, key, None, None), key)


def make_certificates(directory: Path, host: str = "127.0.0.1") -> Certificates:
    """Write all files into ``directory``; the server's is for the address ``host``."""
    authority, stranger = (make_authority(directory, name) for name in ("ca", "other"))
    server, key = authority.sign("server", host)
    return Certificates(authority.file, server, key, stranger.file)


def _written(
    directory: Path, name: str, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey
) -> tuple[Path, Path]:
    shown, secret = directory / f"{name}.pem", directory / f"{name}-key.pem"
    shown.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    secret.chmod(0o600)
    return shown, secret


def _certificate(
    name: str,
    key: ec.EllipticCurvePrivateKey,
    issuer: x509.Certificate | None,
    issuer_key: ec.EllipticCurvePrivateKey | None,
    *,
    host: str = "",
    expired: bool = False,
) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    until = now - datetime.timedelta(hours=1) if expired else now + datetime.timedelta(days=1)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if issuer is None else issuer.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(until)
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
    )
    if host:
        address = x509.IPAddress(ipaddress.ip_address(host))
        names = x509.SubjectAlternativeName([address])
        builder = builder.add_extension(names, critical=False)
    return builder.sign(issuer_key or key, hashes.SHA256())
