"""Where a server is and who asks, from what the user named and what option files add."""

from __future__ import annotations

import getpass

from probes.mysql.discover import find_socket
from probes.mysql.login import ResolvedLogin, is_loopback
from probes.mysql.option_files import Options
from probes.mysql.transport.tls import ca_text
from probes.targets.address import MySQLAddress, TlsMode
from probes.targets.allowed_characters import check_host, check_mysql_user
from probes.targets.container.target import ContainerTarget
from probes.targets.target import Target

LOOPBACK = "127.0.0.1"
_DEFAULT_PORT = 3306


def resolve(address: MySQLAddress, options: Options, via: Target) -> ResolvedLogin:
    """The login without its password; raises UsageError and TargetError."""
    socket, host, port, found = _place(address, options, via)
    user = address.user or options.user or _system_user(via)
    if host:
        check_host(host, "The MySQL host")
    check_mysql_user(user)
    mode, ca_file = _tls(address, options, here=bool(socket) or is_loopback(host))
    return ResolvedLogin(
        socket=socket,
        found=found,
        host=host,
        port=port,
        user=user,
        tls=mode,
        tls_ca_pem=ca_text(ca_file),
        over_ssh=not via.is_local,
        contained=isinstance(via, ContainerTarget),
    )


def belonging(options: Options, address: MySQLAddress, via: Target) -> Options:
    """What of this computer's option files may be used for ``address``.

    The usual files are for this computer's servers. To another machine they lend a password where
    the user named the account that they have it for. A file that was named is used as a whole.
    """
    if via.is_local or address.defaults_file:
        return options
    if address.user and address.user == options.user:
        return Options(user=options.user, password=options.password)
    return Options()


def described(login: ResolvedLogin, via: Target) -> str:
    """How messages call the server: "db7:3306", "/run/mysqld/mysqld.sock on root@db7:22"."""
    where = login.socket or f"{login.host}:{login.port}"
    return where if via.is_local else f"{where} on {via.name}"


def account(login: ResolvedLogin, via: Target) -> str:
    """What prompts and keyring know the account by: "mysql app@db7"."""
    host = "localhost" if login.socket else login.host
    port = "" if login.socket or login.port == _DEFAULT_PORT else f":{login.port}"
    return f"mysql {login.user}@{host}{port}" + ("" if via.is_local else f" on {via.name}")


def _tls(address: MySQLAddress, options: Options, *, here: bool) -> tuple[TlsMode, str]:
    """What was said of this server, or of all servers in the option files.

    Files may ask for more than the default. For less they are not heard, but on the server's own
    machine (``here``): they are for no server in particular.
    """
    ca_file = address.tls_ca_file or options.tls_ca_file
    if address.tls is not TlsMode.VERIFIED or options.tls is None:
        return address.tls, ca_file
    if options.tls is TlsMode.DISABLED and not here:
        return address.tls, ca_file
    return options.tls, ca_file


def _place(address: MySQLAddress, options: Options, via: Target) -> tuple[str, str, int, bool]:
    """Socket, or host and port: as named, as the option files say, or as found on the target.

    The last means that a socket was found, and named by nobody.
    """
    port = address.port
    if port == _DEFAULT_PORT and options.port:
        port = options.port
    if address.socket or address.host:
        return address.socket, address.host, port, False
    if options.host and options.host != "localhost":
        return "", options.host, port, False
    if options.socket:
        return options.socket, "", port, False
    socket = find_socket(via)
    return (socket, "", port, True) if socket else ("", LOOPBACK, port, False)


def _system_user(via: Target) -> str:
    """Who commands run as on the target, as MySQL's own clients guess."""
    result = via.run(["id", "-un"])
    name = result.stdout.decode("utf-8", "replace").strip()
    return name if result.status == 0 and name else getpass.getuser()
