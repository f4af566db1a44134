"""How targets and servers are written: ``ssh://root@db7:2222``, ``socket=/run/mysqld/mysqld.sock``.

Containers are ``podman://db``, ``docker+ssh://root@db7/db``, ``kubectl://prod/db-0``.

No address holds a password, and no message repeats one that was written into an address.
"""

from __future__ import annotations

import shlex
from urllib.parse import SplitResult, unquote, urlsplit

from probes.errors import UsageError
from probes.targets.address import (
    ContainerAddress,
    ContainerEngine,
    MySQLAddress,
    SshAddress,
    TargetKind,
    TargetSpec,
    TlsMode,
)
from probes.targets.allowed_characters import check_line, check_mysql, check_target, port_of

_DEFAULT_PORT = 3306
_TARGETS = (
    "A target is local, ssh://[user@]host[:port], mysql://[user@]host[:port], docker://NAME, "
    "podman://NAME or kubectl://namespace/pod."
)
_CONTAINERS = (
    "A container is docker://NAME or podman://NAME, a pod kubectl://namespace/pod[/container]; "
    "behind SSH it is podman+ssh://[user@]host[:port]/NAME, and likewise the others."
)
_BEHIND_SSH = "+ssh"
_SERVERS = (
    "A server is mysql://[user@]host[:port], or any of socket=PATH, host=.., port=.., user=.., "
    "tls=.., ca=FILE and defaults-file=FILE with commas between."
)
LEAVE_OUT = (
    "Leave it out: Leadline asks for it, or finds it in an option file (defaults-file=PATH), the "
    "system's keyring or LEADLINE_MYSQL_PASSWORD."
)
_SECRETS = frozenset({"password", "passwd", "pwd", "pass"})


def parse_target(text: str) -> TargetSpec:
    """A target as it is written on the command line; its name is the text. Raises UsageError."""
    if text == TargetKind.LOCAL:
        return TargetSpec()
    url = _split(text, "target", _TARGETS)
    if url.scheme == "ssh":
        user, host, port = _place(url, "target", _TARGETS)
        spec = TargetSpec(TargetKind.SSH, text, ssh=SshAddress(host, port, user))
    elif url.scheme == "mysql":
        spec = TargetSpec(TargetKind.MYSQL, text, mysql=_mysql_url(url, "target", _TARGETS))
    elif url.scheme.removesuffix(_BEHIND_SSH) in list(ContainerEngine):
        spec = _container(url, text)
    else:
        raise UsageError(f"{_shown(text)} is no target.", _TARGETS)
    check_target(spec)
    return spec


def is_container(text: str) -> bool:
    """Whether an address is one of a container by its scheme."""
    scheme = text.strip().partition("://")[0].lower()
    return "://" in text and scheme.removesuffix(_BEHIND_SSH) in list(ContainerEngine)


def container_text(spec: TargetSpec) -> str:
    """The address of a target that is a container, as it is written; "" of another."""
    if spec.container is None:
        return ""
    engine, path = spec.container.engine.value, spec.container.path
    if spec.ssh is None:
        return f"{engine}://{path}"
    return f"{engine}{_BEHIND_SSH}://{spec.ssh.place}/{path}"


def parse_mysql(text: str) -> MySQLAddress:
    """A server as the target sees it, as a URL or as pairs of name=value. Raises UsageError."""
    if "://" in text.partition("=")[0]:
        url = _split(text, "server", _SERVERS)
        if url.scheme != "mysql":
            raise UsageError(f"{_shown(text)} is no MySQL server.", _SERVERS)
        address = _mysql_url(url, "server", _SERVERS)
    else:
        address = _mysql_pairs(_pairs(text))
    check_mysql(address)
    return address


def naming_socket(path: str) -> str:
    """The command line's option that names a server by its socket, as a shell takes it."""
    # A single comma would begin the address's next part.
    return f"--mysql {shlex.quote(f'socket={path}'.replace(',', ',,'))}"


def _split(text: str, what: str, advice: str) -> SplitResult:
    # ``urlsplit`` takes line breaks and tabs out without a word.
    check_line(text.strip(), f"The address of the {what}")
    try:
        return urlsplit(text.strip())
    except ValueError as error:
        raise UsageError(f"{_shown(text)} is no {what}: {error}.", advice) from error


def _mysql_url(url: SplitResult, what: str, advice: str) -> MySQLAddress:
    user, host, port = _place(url, what, advice)
    return MySQLAddress(host=host, port=_DEFAULT_PORT if port is None else port, user=user)


def _container(url: SplitResult, text: str) -> TargetSpec:
    """A container here or, with ``+ssh``, behind the SSH server that stands before its name."""
    behind, ssh = url.scheme.endswith(_BEHIND_SSH), None
    engine = ContainerEngine(url.scheme.removesuffix(_BEHIND_SSH))
    if url.query or url.fragment:
        raise UsageError(f"{_shown(text)} is followed by more than an address has.", _CONTAINERS)
    if behind:
        user, host, port = _place(url._replace(path=""), "target", _CONTAINERS)
        ssh = SshAddress(host, port, user)
    parts = [] if behind else [url.netloc]
    parts += [part for part in url.path.split("/") if part]
    fewest, most = (2, 3) if engine is ContainerEngine.KUBECTL else (1, 1)
    if not fewest <= len(parts) <= most or not all(parts):
        raise UsageError(
            f"{_shown(text)} names no {'pod' if fewest > 1 else 'container'}.", _CONTAINERS
        )
    if fewest > 1:
        address = ContainerAddress(engine, parts[1], parts[0], "".join(parts[2:]))
    else:
        address = ContainerAddress(engine, parts[0])
    return TargetSpec(TargetKind.CONTAINER, text, ssh=ssh, container=address)


def _place(url: SplitResult, what: str, advice: str) -> tuple[str, str, int | None]:
    """User, host and port of a URL that holds nothing else."""
    if url.password is not None:
        raise UsageError(f"The address of the {what} holds a password.", LEAVE_OUT)
    shown = f"{url.scheme}://{url.netloc}"
    try:
        port = url.port
    except ValueError as error:
        raise UsageError(f"{shown} has no valid port.", "Ports are 1 to 65535.") from error
    if port == 0:
        raise UsageError(f"{shown} has no valid port.", "Ports are 1 to 65535.")
    host = _host(url)
    if not host:
        raise UsageError(f"{shown} names no host.", advice)
    if url.path not in ("", "/") or url.query or url.fragment:
        raise UsageError(f"{shown} is followed by more than an address has.", advice)
    return unquote(url.username or ""), host, port


def _host(url: SplitResult) -> str:
    """The host as it was written: ``urlsplit`` alone would lose its capitals."""
    place = url.netloc.rpartition("@")[2]
    if place.startswith("["):
        # RFC 6874 writes the zone of an address as fe80::1%25eth0.
        return place[1:].partition("]")[0].replace("%25", "%", 1)
    return unquote(place.partition(":")[0])


def _pairs(text: str) -> dict[str, str]:
    """The pairs of a text; a comma within a value is written twice."""
    pairs: dict[str, str] = {}
    for part in text.replace(",,", "\0").split(","):
        name, equals, value = part.replace("\0", ",").partition("=")
        name = name.strip().lower().replace("_", "-")
        if name in _SECRETS:
            raise UsageError("The address of the server holds a password.", LEAVE_OUT)
        if not equals:
            raise UsageError(f"{name!r} in the address of the server has no value.", _SERVERS)
        if name in pairs:
            raise UsageError(f"{name} is said twice in the address of the server.", _SERVERS)
        pairs[name] = value.strip()
    return pairs


def _mysql_pairs(pairs: dict[str, str]) -> MySQLAddress:
    pairs = dict(pairs)
    address = MySQLAddress(
        host=pairs.pop("host", ""),
        port=_port(pairs.pop("port", "")),
        socket=pairs.pop("socket", ""),
        user=pairs.pop("user", ""),
        defaults_file=pairs.pop("defaults-file", ""),
        tls=_tls(pairs.pop("tls", "")),
        tls_ca_file=pairs.pop("ca", ""),
    )
    if pairs:
        raise UsageError(f"{next(iter(pairs))!r} says nothing about a server.", _SERVERS)
    if address.socket and address.host:
        raise UsageError("A server is reached by its socket or by its host, not by both.", _SERVERS)
    return address


def _port(text: str) -> int:
    if not text:
        return _DEFAULT_PORT
    number = port_of(text)
    if not number:
        raise UsageError(f"{text!r} is not a valid port.", "Ports are 1 to 65535.")
    return number


def _tls(text: str) -> TlsMode:
    if not text:
        return TlsMode.VERIFIED
    try:
        return TlsMode(text.lower().replace("-", "_"))
    except ValueError as error:
        modes = ", ".join(mode.value for mode in TlsMode)
        raise UsageError(f"{text!r} is no way to use TLS.", f"There are {modes}.") from error


def _shown(text: str) -> str:
    """The text without what may be a password."""
    scheme, separator, rest = text.partition("://")
    if separator and "@" in rest:
        return f"{scheme}://...@{rest.rpartition('@')[2]}"
    return repr(text)
