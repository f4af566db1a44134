"""A server's address in whatever form somebody has it: ours, other tools' URLs, commands, my.cnf.

Read are ``root@db7``, ``ssh://`` and ``mysql://``; JDBC, SQLAlchemy, Go, PDO and ODBC strings;
URLs over SSH (``mysql+ssh://``); commands (``mysql -h ... -P ...``, ``ssh -p 2222 root@db7``); a
socket's path, and an option file's path or text. No password is kept.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import parse_qsl, unquote

from probes.errors import UsageError
from probes.mysql.login import is_loopback
from probes.mysql.option_files import Options, options_of_text, read_options
from probes.targets.address import MySQLAddress, SshAddress, TargetKind, TargetSpec, TlsMode
from probes.targets.allowed_characters import check_target, port_of
from probes.targets.parse import container_text, is_container, parse_target

FORMS = (
    "Write root@db7, ssh://root@db7:22, mysql://app@db7:3306, a socket's path, an option file's "
    "path or text, another tool's URL, or a line as mysql -h db7 -u app."
)
_DEFAULT_PORT = 3306
_CLIENTS = frozenset({"mysql", "mariadb", "mysqladmin", "mysqldump", "mariadb-dump", "mycli"})
_GO = re.compile(r"(?P<account>[^/]*)@(?P<way>tcp|unix)\((?P<place>[^()]+)\)(/.*)?", re.DOTALL)
_GROUP = re.compile(r"^\s*\[[\w-]+\][^=]*=", re.MULTILINE)
_PAIRS = re.compile(r"(?i)(mysql:|server=|host=|data source=|driver=|user id=|uid=)")
_NAMES = {
    "server": "host",
    "data source": "host",
    "hostname": "host",
    "uid": "user",
    "user id": "user",
    "username": "user",
    "unix_socket": "socket",
    "unix-socket": "socket",
    "localsocket": "socket",
    "sslmode": "ssl-mode",
    "ssl_mode": "ssl-mode",
    "ssl_ca": "ssl-ca",
    "sslca": "ssl-ca",
}
"""What other programs call what ours calls so."""

_PASSWORDS = frozenset({"password", "passwd", "pwd", "pass"})
_SHORT = {"h": "host", "P": "port", "u": "user", "S": "socket", "p": "password"}
_VALUED = "hPuSDNeoE"
"""Letters of the clients' options that take a value in the same word or the next."""


@dataclass(frozen=True, slots=True)
class AnyAddress:
    """The target that an address leads to; ``password``: it held one, which is not kept."""

    target: TargetSpec
    password: bool = False

    @property
    def text(self) -> str:
        """The address in our own form."""
        spec = self.target
        if spec.container is not None:
            return container_text(spec)
        if spec.ssh is not None:
            return _place(spec.ssh.user, spec.ssh.host, spec.ssh.port, scheme="")
        if spec.mysql is None:
            return spec.name
        if spec.mysql.defaults_file or spec.mysql.socket:
            return spec.mysql.defaults_file or spec.mysql.socket
        port = None if spec.mysql.port == _DEFAULT_PORT else spec.mysql.port
        return _place(spec.mysql.user, spec.mysql.host or "localhost", port, scheme="mysql://")


def any_address(text: str) -> AnyAddress:
    """Read an address of any form; raises UsageError for what is none."""
    text = text.strip()
    if not text:
        raise UsageError("The address is missing.", FORMS)
    found = _read(text)
    check_target(found.target)
    return found


def _read(text: str) -> AnyAddress:
    program = text.split(maxsplit=1)[0].rpartition("/")[2].removesuffix(".exe")
    command = program if " " in text else ""
    forms: tuple[tuple[object, Callable[[str], AnyAddress]], ...] = (
        (is_container(text), lambda text: AnyAddress(parse_target(text))),
        (_GROUP.search(text), lambda text: _of_options(options_of_text(text))),
        (command in _CLIENTS, _command),
        (command == "ssh", _ssh_command),
        (_GO.fullmatch(text), _go),
        ("://" in text.partition("?")[0], _url),
        (_PAIRS.match(text), _pairs),
        (text.startswith(("/", "~", "./", "../")), _file),
        (text.lower().endswith((".cnf", ".ini")), _file),
        (text.lower() in ("local", "localhost"), lambda _text: AnyAddress(TargetSpec())),
    )
    read = next((reader for fits, reader in forms if fits), _machine)
    return read(text)


def _machine(text: str) -> AnyAddress:
    """``root@db7:22``."""
    account, at, place = text.rpartition("@")
    user, colon, _secret = account.partition(":")
    return AnyAddress(parse_target(f"ssh://{user}{at}{_bracketed(place)}"), bool(colon))


def _bracketed(place: str) -> str:
    """An IPv6 address alone as a URL has it."""
    return f"[{place}]" if place.count(":") > 1 and not place.startswith("[") else place


def _file(text: str) -> AnyAddress:
    path = Path(text).expanduser()
    if path.is_socket() or path.suffix == ".sock":
        return _of_server({"socket": str(path)})
    found = _of_options(read_options(text))
    mysql = found.target.mysql or MySQLAddress()
    return AnyAddress(replace(found.target, mysql=replace(mysql, defaults_file=str(path))))


def _of_options(options: Options) -> AnyAddress:
    values = {
        "host": options.host,
        "user": options.user,
        "port": "" if options.port is None else str(options.port),
        "socket": options.socket,
        "ssl-mode": "" if options.tls is None else options.tls.value,
        "ssl-ca": options.tls_ca_file,
    }
    return _of_server(values, password=options.password is not None)


def _url(text: str) -> AnyAddress:
    scheme, _, rest = text.partition("://")
    scheme = scheme.lower().removeprefix("jdbc:")
    if scheme == "ssh":
        account, at, place = rest.rpartition("@")
        user, colon, _secret = account.partition(":")
        return AnyAddress(parse_target(f"ssh://{user}{at}{place}"), bool(colon))
    kind = re.split(r"[+:]", scheme)[0]
    if not kind.startswith(("mysql", "mariadb")):
        raise UsageError(f"{scheme}:// is no address of a MySQL server.", FORMS)
    if scheme.endswith("+ssh"):
        return _over_ssh(rest)
    place, _, query = rest.partition("?")
    return _server_url(place, dict(parse_qsl(query, keep_blank_values=True)))


def _over_ssh(rest: str) -> AnyAddress:
    """``ssh account@ssh host/account@host/database``: a server behind SSH, in one URL."""
    machine, _, server = rest.partition("/")
    reached = _url(f"ssh://{machine}")
    account, _, _ = server.partition("?")
    there = _server_url(account, {})
    mysql = there.target.mysql or MySQLAddress()
    mysql = replace(mysql, host=mysql.host or "127.0.0.1") if not mysql.socket else mysql
    return AnyAddress(replace(reached.target, mysql=mysql), reached.password or there.password)


def _server_url(place: str, query: Mapping[str, str]) -> AnyAddress:
    """Of a URL what follows ``//``: account, hosts (the first is taken), database."""
    account, at, hosts = place.rpartition("@")
    hosts = hosts.partition("/")[0]
    user, colon, _secret = account.partition(":") if at else ("", "", "")
    host, port = _host_and_port(hosts.partition(",")[0])
    values = {"host": host, "port": port, "user": unquote(user), **_plain(query)}
    return _of_server(values, password=bool(colon))


def _host_and_port(text: str) -> tuple[str, str]:
    if text.startswith("["):
        host, _, rest = text[1:].partition("]")
        return host, rest.removeprefix(":")
    if text.count(":") > 1:
        return text, ""
    host, _, port = text.partition(":")
    return unquote(host), port


def _plain(values: Mapping[str, str]) -> dict[str, str]:
    """Names as ours are; what is empty is left out."""
    named = {name.strip().lower(): value.strip() for name, value in values.items()}
    return {_NAMES.get(name, name): value for name, value in named.items() if value}


def _go(text: str) -> AnyAddress:
    """``app@tcp(db7:3307)/shop``, as Go's driver has it."""
    found = _GO.fullmatch(text)
    if found is None:
        raise UsageError("This is no address of Go's driver.", FORMS)
    user, colon, _secret = found["account"].partition(":")
    if found["way"] == "unix":
        return _of_server({"user": user, "socket": found["place"]}, password=bool(colon))
    host, port = _host_and_port(found["place"])
    return _of_server({"user": user, "host": host, "port": port}, password=bool(colon))


def _pairs(text: str) -> AnyAddress:
    """``mysql:host=db7;port=3307`` and ``Server=db7;Uid=app;...``."""
    body = re.sub(r"(?i)^mysql:", "", text)
    separator = ";" if ";" in body else ","
    parts = (part.partition("=") for part in body.split(separator) if "=" in part)
    return _of_server(_plain({name: value for name, _, value in parts}))


def _command(text: str) -> AnyAddress:
    """``mysql -h db7 -u app -P 3307 -psecret shop``, as it stands in a shell's history."""
    values: dict[str, str] = {}
    words = iter(_words(text)[1:])
    for word in words:
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            if not equals and name in (*_SHORT.values(), "defaults-file", "ssl-ca", "ssl-mode"):
                # A password is asked for where none stands in the word itself.
                value = "" if name == "password" else next(words, "")
            values[name] = value
        elif word.startswith("-") and len(word) > 1:
            letter, value = word[1], word[2:]
            if not value and letter in _VALUED:
                value = next(words, "")
            values[_SHORT.get(letter, letter)] = value
    file = values.pop("defaults-file", "") or values.pop("defaults-extra-file", "")
    found = _of_server(_plain(values))
    if not file:
        return found
    of_file = _file(file).target.mysql or MySQLAddress()
    named = _plain({"host": of_file.host, "user": of_file.user, "socket": of_file.socket})
    port = {} if of_file.port == _DEFAULT_PORT else {"port": str(of_file.port)}
    whole = _of_server({**named, **port, **_plain(values)}, password=found.password)
    mysql = replace(whole.target.mysql or MySQLAddress(), defaults_file=of_file.defaults_file)
    return replace(whole, target=replace(whole.target, mysql=mysql))


def _ssh_command(text: str) -> AnyAddress:
    """``ssh -p 2222 -i key root@db7``; a command behind it is left out."""
    port, user, key, place = "", "", "", ""
    words = iter(_words(text)[1:])
    for word in words:
        if word.startswith("-") and len(word) > 1:
            value = word[2:]
            if not value and word[1] in "bcDEeFIiJLlmOopQRSWw":
                value = next(words, "")
            port = value if word[1] == "p" else port
            user = value if word[1] == "l" else user
            key = value if word[1] == "i" else key
        else:
            place = word
            break
    found = _read(place) if place else AnyAddress(TargetSpec())
    if found.target.ssh is None:
        raise UsageError("No host stands in the ssh command.", FORMS)
    ssh = found.target.ssh
    made = SshAddress(ssh.host, _port(port) if port else ssh.port, user or ssh.user, key)
    name = _place(made.user, made.host, made.port, scheme="ssh://")
    return replace(found, target=replace(found.target, name=name, ssh=made))


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError("The command's quotes are not closed.", FORMS) from error


def _of_server(values: Mapping[str, str], *, password: bool = False) -> AnyAddress:
    """A server by values of our own names: of this computer where its host is, else alone."""
    secret = password or any(values.get(name) for name in _PASSWORDS)
    host, socket, port = (values.get(name, "") for name in ("host", "socket", "port"))
    here = not host or host.lower() == "localhost" or is_loopback(host)
    mysql = MySQLAddress(
        host="" if here and (socket or not port) else "127.0.0.1" if here else host,
        port=_port(port) if port else _DEFAULT_PORT,
        socket=socket if here else "",
        user=values.get("user", ""),
        tls=_tls(values.get("ssl-mode", "")),
        tls_ca_file=values.get("ssl-ca", ""),
    )
    if here:
        return AnyAddress(TargetSpec(mysql=mysql), secret)
    name = _place(mysql.user, host, None if not port else mysql.port, scheme="mysql://")
    return AnyAddress(TargetSpec(TargetKind.MYSQL, name, mysql=mysql), secret)


def _port(text: str) -> int:
    number = port_of(text)
    if not number:
        raise UsageError(f"{text!r} is not a valid port.", "Ports are 1 to 65535.")
    return number


def _tls(mode: str) -> TlsMode:
    """What asks for more than the default; what asks for less is a person's to say."""
    more = {TlsMode.VERIFY_CA.value, TlsMode.VERIFY_IDENTITY.value}
    mode = mode.lower().replace("-", "_")
    return TlsMode(mode) if mode in more else TlsMode.VERIFIED


def _place(user: str, host: str, port: int | None, *, scheme: str) -> str:
    account = f"{user}@" if user else ""
    named = f"[{host}]" if ":" in host else host
    return f"{scheme}{account}{named}{'' if port is None else f':{port}'}"
