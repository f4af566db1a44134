"""Making sure that a MySQL server is the one that the user means."""

from __future__ import annotations

from dataclasses import replace

from probes.errors import CertificateRejected
from probes.mysql.login import ResolvedLogin
from probes.mysql.resolve import described
from probes.mysql.transport.dial import FAULTS, Connection, Way, dial, shown_certificate
from probes.mysql.transport.known_certificates import accepted_certificate, remember
from probes.mysql.transport.proving import PasswordWanted
from probes.mysql.transport.tls import nobody_known_signed


def dial_the_right_one(login: ResolvedLogin, way: Way) -> tuple[Connection, ResolvedLogin]:
    """Connect and log in as ``dial`` does, but ask about a server that is unknown.

    A certificate that nobody known has signed is shown once; from then on it alone will do. Raises
    what ``dial`` raises, and CertificateRejected.
    """
    server = described(login, way.via)
    if login.may_pin:
        login = replace(login, certificate=accepted_certificate(server))
    try:
        return dial(login, way)
    except FAULTS as error:
        unknown = nobody_known_signed(error)
        wanted = isinstance(error, PasswordWanted) and error.encrypted
        if not login.may_pin or not (unknown or wanted):
            raise
    login = replace(login, certificate=_accepted(login, server, way))
    return dial(login, way)


def _accepted(login: ResolvedLogin, server: str, way: Way) -> str:
    """The fingerprint of what the server shows, when the user trusts it."""
    shown = shown_certificate(login, way)
    if not shown or not way.prompts.accept_certificate(server, shown):
        raise CertificateRejected(
            f"The certificate of the MySQL server at {server} is unknown ({shown}) and was not "
            "accepted.",
            ADVICE,
        )
    remember(server, shown)
    return shown


ADVICE = (
    "Compare the SHA-256 fingerprint with the server's own (openssl x509 -noout -sha256 "
    "-fingerprint -in server-cert.pem), then accept it; or name the authority's file (ca=FILE), "
    "the server's socket, or its machine over SSH. tls=unverified takes any certificate."
)
"""What to do about a certificate that nobody known has signed."""
