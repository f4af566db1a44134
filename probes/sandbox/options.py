"""The options of a throwaway server: private, small, and quick to fill."""

from __future__ import annotations

from collections.abc import Mapping

from probes.sandbox.binaries import ServerBinary
from probes.sandbox.place import SandboxPlace
from probes.version import Flavour

MIB = 1 << 20

POOL_BYTES = 64 * MIB
REDO_BYTES = 64 * MIB
CONNECTIONS = 1100
"""More than the 1024 connections that a probe may open."""


def initialise_command(server: ServerBinary, place: SandboxPlace, *, as_root: bool) -> list[str]:
    """The command that makes MySQL's data directory, with an empty password for root."""
    return [
        *_common(server, place, as_root=as_root),
        # Nothing is synced: a data directory that a power cut damages is thrown away anyway.
        "--innodb-flush-method=nosync",
        "--initialize-insecure",
    ]


def server_command(
    server: ServerBinary, place: SandboxPlace, *, direct: bool, as_root: bool
) -> list[str]:
    """The command that runs the server; its log goes to standard error.

    ``direct`` asks for O_DIRECT and asynchronous I/O. Options that only some versions have carry
    the prefix ``loose``: the others ignore them.
    """
    command = [
        *_common(server, place, as_root=as_root),
        *private_options(server, place),
        f"--max-connections={CONNECTIONS}",
        "--open-files-limit=8192",
        "--innodb-old-blocks-time=0",
        "--innodb-fast-shutdown=2",
    ]
    if direct:
        return [*command, "--loose-innodb-flush-method=O_DIRECT"]
    return [*command, "--loose-innodb-flush-method=fsync", "--loose-innodb-use-native-aio=OFF"]


def _common(server: ServerBinary, place: SandboxPlace, *, as_root: bool) -> list[str]:
    """What both the making of the data directory and the server need."""
    return [
        *own_command(server, place, as_root=as_root),
        f"--innodb-buffer-pool-size={POOL_BYTES}",
        *option_words(redo_lines(server, REDO_BYTES)),
        # The table is thrown away: nothing that it could lose is worth a wait or a second write.
        "--innodb-doublewrite=OFF",
        "--innodb-flush-log-at-trx-commit=0",
        "--innodb-io-capacity=10000",
        "--loose-innodb-io-capacity-max=20000",
        "--loose-innodb-flush-neighbors=0",
        "--loose-innodb-stats-persistent=OFF",
        "--loose-innodb-stats-auto-recalc=OFF",
        "--loose-innodb-buffer-pool-dump-at-shutdown=OFF",
        "--loose-innodb-buffer-pool-load-at-startup=OFF",
        "--loose-performance-schema=OFF",
        "--skip-log-bin",
        *family_options(server, place),
    ]


def own_command(server: ServerBinary, place: SandboxPlace, *, as_root: bool) -> list[str]:
    """The program with its own directories, and no option file."""
    return [
        *server.command,
        # Must stand before any other option.
        "--no-defaults",
        *server.options,
        f"--datadir={place.data}",
        f"--tmpdir={place.temporary}",
        *(["--user=root"] if as_root else []),
    ]


def private_options(server: ServerBinary, place: SandboxPlace) -> list[str]:
    """What keeps a running server to one socket, which lies in a directory of mode 0700."""
    options = [
        f"--socket={place.socket}",
        f"--pid-file={place.directory}/mysqld.pid",
        "--skip-networking",
        "--skip-name-resolve",
    ]
    # One that needs no initialising has no table of accounts.
    return options if server.needs_initialising else [*options, "--skip-grant-tables"]


def redo_lines(server: ServerBinary, redo_bytes: int) -> dict[str, str]:
    """The option lines that give this server so much redo log in all."""
    version = server.version
    if version.at_least(Flavour.MYSQL, 8, 0, 30):
        return {"innodb_redo_log_capacity": str(redo_bytes)}
    if version.at_least(Flavour.MARIADB, 10, 5):
        return {"innodb_log_file_size": str(redo_bytes)}
    return {"innodb_log_file_size": str(redo_bytes // 2), "innodb_log_files_in_group": "2"}


def option_words(lines: Mapping[str, str]) -> list[str]:
    """Lines of an option file as words of a command; one without a value is a flag."""
    return [
        f"--{name.replace('_', '-')}={value}" if value else f"--{name.replace('_', '-')}"
        for name, value in lines.items()
    ]


def family_options(server: ServerBinary, place: SandboxPlace) -> list[str]:
    """What keeps a server of either family to itself: no other protocol, files or reports."""
    if server.version.is_mariadb:
        return ["--loose-aria-log-file-size=8M", "--loose-skip-ssl", "--loose-feedback=OFF"]
    return [
        "--loose-mysqlx=OFF",
        # A directory of its own: versions before 5.6.34 know no value that forbids all.
        f"--loose-secure-file-priv={place.temporary}",
        "--loose-auto-generate-certs=OFF",
        "--loose-sha256-password-auto-generate-rsa-keys=OFF",
        "--loose-caching-sha2-password-auto-generate-rsa-keys=OFF",
    ]
