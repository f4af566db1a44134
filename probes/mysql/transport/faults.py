"""What PyMySQL and the server say went wrong, as errors of ours."""

from __future__ import annotations

import ssl

import pymysql
from pymysql.constants import CR, ER

from probes.boundary.malformed import shown
from probes.errors import (
    CertificateRejected,
    MySQLAccessDenied,
    MySQLConnectionLost,
    MySQLError,
    MySQLSilent,
    MySQLUnreachable,
)
from probes.mysql.transport.allowance import Overrun
from probes.mysql.transport.known_certificates import place
from probes.mysql.transport.proving import PasswordWanted
from probes.mysql.transport.tls import CertificateChanged
from probes.redaction import cleaned
from probes.targets.listener import Listener
from probes.targets.parse import naming_socket

_SOCKET_ACCOUNT = 1698
BAD_PASSWORD = frozenset({ER.ACCESS_DENIED_ERROR, _SOCKET_ACCOUNT})
"""Errors after which another password may help."""

_REFUSALS = {
    ER.DBACCESS_DENIED_ERROR: "",
    ER.HOST_NOT_PRIVILEGED: "Allow the account to connect from this host.",
    ER.HOST_IS_BLOCKED: "Run FLUSH HOSTS on the server.",
    1820: "Give the account a new password first.",
    1862: "Give the account a new password first.",
    3118: "Unlock the account first.",
    ER.NOT_SUPPORTED_AUTH_MODE: "Leadline does not speak this account's kind of authentication.",
    CR.CR_AUTH_PLUGIN_CANNOT_LOAD: "Use an account with another kind of authentication, or TLS.",
    3159: "The server insists on TLS: leave tls=disabled out.",
}
_PRIVILEGES = frozenset(
    {
        ER.DBACCESS_DENIED_ERROR,
        ER.TABLEACCESS_DENIED_ERROR,
        ER.COLUMNACCESS_DENIED_ERROR,
        ER.SPECIFIC_ACCESS_DENIED_ERROR,
        ER.PROCACCESS_DENIED_ERROR,
    }
)
_LOST = frozenset({CR.CR_SERVER_GONE_ERROR, CR.CR_SERVER_LOST, ER.SERVER_SHUTDOWN, 1927, 4031})
_CLIENTS_OWN = range(2000, 3000)
"""Numbers that a client gives itself. With any other a server has answered."""

_MOST_LETTERS = 600
"""Of what a server says; MySQL's own messages have at most 512 bytes."""

_TOO_LONG = frozenset({ER.STATEMENT_TIMEOUT, ER.QUERY_TIMEOUT})


def code(error: Exception) -> int:
    """The number of a MySQL error; 0 when it has none."""
    first = error.args[0] if error.args else None
    return first if isinstance(first, int) else 0


def tls_failed(error: Exception) -> bool:
    """Whether a connection failed in its TLS handshake."""
    cause = getattr(error, "original_exception", error)
    return isinstance(cause, ssl.SSLError) or code(error) == CR.CR_SSL_CONNECTION_ERROR


def while_connecting(error: Exception, where: str, account: str) -> MySQLError:
    """Why ``account`` could not log in at ``where``."""
    if code(error) in BAD_PASSWORD:
        return _bad_password(error, account)
    if isinstance(error, PasswordWanted) or tls_failed(error):
        return _untrusted(error, where)
    if code(error) in _REFUSALS:
        return MySQLAccessDenied(
            f"The MySQL server at {where} refused {account}: {_text(error)}.",
            _REFUSALS[code(error)],
            _details(error),
        )
    if isinstance(error, Overrun) or not isinstance(error, pymysql.MySQLError | OSError):
        return MySQLUnreachable(
            f"What answers at {where} is no MySQL server that can be talked to: {_text(error)}.",
            "Is this where the server listens?",
            _details(error),
        )
    if isinstance(error, pymysql.MySQLError) and code(error) and code(error) not in _CLIENTS_OWN:
        return MySQLUnreachable(
            f"The MySQL server at {where} took no connection: {_text(error)}.",
            "Its error log may say more.",
            _details(error),
        )
    return MySQLUnreachable(
        f"No MySQL server answers at {where}: {_text(error)}.",
        "Is the server running, and is this where it listens?",
        _details(error),
    )


def while_asking(error: Exception, where: str) -> MySQLError:
    """Why a statement failed."""
    number = code(error)
    if number in _PRIVILEGES:
        return MySQLAccessDenied(f"A privilege is missing: {_text(error)}.", "", _details(error))
    if isinstance(error, Overrun):
        return MySQLConnectionLost(
            f"The MySQL server at {where} was hung up on: {_text(error)}.",
            "Name the server itself, not a proxy before it.",
            _details(error),
        )
    closed = isinstance(error, pymysql.err.InterfaceError | OSError)
    # PyMySQL has no number for a connection that it has closed itself.
    if number in _LOST or closed:
        return _lost(error, where)
    if not number:
        return _unreadable(error, where)
    if number in _TOO_LONG:
        return MySQLError(
            "The MySQL server took too long over a question, which was given up.",
            "",
            _details(error),
        )
    return MySQLError(
        f"The MySQL server says: {_text(error)} (error {number}).", "", _details(error)
    )


def _lost(error: Exception, where: str) -> MySQLConnectionLost:
    """Why a connection is of no use any more: it was closed, or no answer comes."""
    if _in_vain(error):
        return MySQLSilent(
            f"The MySQL server at {where} took a statement and gave no answer in time.",
            "Does it hang, or its machine? Its process list and its error log tell.",
            _details(error),
        )
    return MySQLConnectionLost(
        f"The MySQL server at {where} closed the connection.",
        "Was it restarted?",
        _details(error),
    )


def _in_vain(error: BaseException | None) -> bool:
    """Whether an answer was waited for as long as any is: the library keeps that behind its own."""
    while error is not None:
        if isinstance(error, TimeoutError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _untrusted(error: Exception, where: str) -> MySQLError:
    """Why the server was not trusted, or not with the password."""
    if isinstance(error, PasswordWanted):
        return _password_wanted(error, where)
    cause = getattr(error, "original_exception", error)
    if isinstance(cause, CertificateChanged):
        return CertificateRejected(
            f"The certificate of the MySQL server at {where} has changed: it shows {cause.shown}, "
            f"but {cause.accepted} was accepted. Somebody may be listening in.",
            "If you know that the server has a new certificate, remove the line of "
            f"{where} from {place()} and connect again.",
        )
    if isinstance(cause, ssl.SSLCertVerificationError):
        return CertificateRejected(
            f"The certificate of the MySQL server at {where} can't be trusted: "
            f"{cause.verify_message.rstrip('.')}.",
            "Name the file of the authority that signed it (ca=FILE; with tls=verify_ca the name in"
            " it does not matter), or have the server show one that is valid. tls=unverified takes"
            " any certificate.",
            _details(error),
        )
    if "doesn't support" in _text(error):
        return MySQLUnreachable(
            f"The MySQL server at {where} offers no TLS, so whoever is on the way could read along "
            "or pretend to be it.",
            "Turn TLS on in the server, name its socket, or its machine over SSH. tls=disabled "
            "does without for this target; no password is sent readably even then.",
            _details(error),
        )
    return MySQLUnreachable(
        f"No TLS connection to the MySQL server at {where}: {_text(error)}.",
        "Which versions of TLS does the server speak (tls_version)?",
        _details(error),
    )


def _password_wanted(error: PasswordWanted, where: str) -> MySQLAccessDenied:
    if error.listener is not None:
        return _listened(error, error.listener, where)
    because = "its certificate was not verified" if error.encrypted else "there is no TLS"
    return MySQLAccessDenied(
        f"The MySQL server at {where} asks for the password itself ({error.asked}), which is not "
        f"sent to it: {because}.",
        "Name the server's socket, its machine over SSH, or the file of the authority that signed "
        "its certificate (ca=FILE). tls=unverified gives the password to any server with TLS.",
        _details(error),
    )


def _listened(error: PasswordWanted, listener: Listener, where: str) -> MySQLAccessDenied:
    """Why a socket got no password: anybody could listen there, or nobody named it."""
    if listener.private:
        because = f"nobody named that socket, it was found (the account {listener.account} listens)"
        advice = f"If that is your server, name it: {naming_socket(where.partition(' on ')[0])}."
    else:
        because = (
            f"the account {listener.account} listens there, where another account than your "
            "server's may put a socket"
        )
        advice = (
            "If that is your server, have it listen in a folder of its own (socket=/run/mysqld/"
            "mysqld.sock), or name its host and port."
        )
    return MySQLAccessDenied(
        f"The MySQL server at {where} asks for the password itself ({error.asked}), which is not "
        f"sent to it: {because}.",
        advice,
        _details(error),
    )


def _unreadable(error: Exception, where: str) -> MySQLError:
    """What PyMySQL refuses or falls over: no server says it, so the connection is given up."""
    if isinstance(error, RuntimeError) and "LOAD_LOCAL" in str(error):
        return MySQLConnectionLost(
            f"What answers at {where} asked for a file of this computer and was hung up on; it got "
            "nothing.",
            "Is it a server that you trust?",
        )
    return MySQLConnectionLost(
        f"What answers at {where} says what no MySQL server says, and was hung up on.",
        "Name the server itself, not a proxy before it.",
        _details(error),
    )


def _bad_password(error: Exception, account: str) -> MySQLAccessDenied:
    advice = "Check the user name and the password."
    if code(error) == _SOCKET_ACCOUNT or "using password: NO" in _text(error):
        advice = (
            "Name an account and give its password. An account that its system user lets in "
            "(unix_socket) works for that system user alone, and over the server's socket."
        )
    return MySQLAccessDenied(
        f"The MySQL server refused {account}: {_text(error)}.", advice, _details(error)
    )


def _text(error: Exception) -> str:
    cause = getattr(error, "original_exception", None)
    if isinstance(cause, TimeoutError):
        return "no answer in time"
    text = str(error.args[1]) if len(error.args) > 1 else str(error)
    sentence = cleaned(text[:_MOST_LETTERS]).rstrip(".").strip() or type(error).__name__
    return shown(sentence, _MOST_LETTERS)


def _details(error: Exception) -> str:
    return f"error {code(error)}: {_text(error)}"
