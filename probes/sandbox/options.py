"""The options of a throwaway server: private, small, and quick to fill."""

from __future__ import annotations

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
        f"--socket={place.socket}",
        f"--pid-file={place.directory}/mysqld.pid",
        "--skip-networking",
        "--skip-name-resolve",
        f"--max-connections={CONNECTIONS}",
        "--open-files-limit=8192",
        "--innodb-old-blocks-time=0",
        "--innodb-fast-shutdown=2",
    ]
    if not server.needs_initialising:
        # There is no table of accounts; the socket lies in a directory of mode 0700.
        command.append("--skip-grant-tables")
    if direct:
        return [*command, "--loose-innodb-flush-method=O_DIRECT"]
    return [*command, "--loose-innodb-flush-method=fsync", "--loose-innodb-use-native-aio=OFF"]


def _common(server: ServerBinary, place: SandboxPlace, *, as_root: bool) -> list[str]:
    """What both the making of the data directory and the server need."""
    return [
        *server.command,
        # Must stand before any other option.
        "--no-defaults",
        *server.options,
        f"--datadir={place.data}",
        f"--tmpdir={place.temporary}",
        *(["--user=root"] if as_root else []),
        f"--innodb-buffer-pool-size={POOL_BYTES}",
        *_redo(server),
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
        *family_options(server),
    ]


def _redo(server: ServerBinary) -> list[str]:
    if server.version.at_least(Flavour.MYSQL, 8, 0, 30):
        return [f"--innodb-redo-log-capacity={REDO_BYTES}"]
    if server.version.is_mariadb and server.version.numbers >= (10, 5, 0):
        return [f"--innodb-log-file-size={REDO_BYTES}"]
    return [f"--innodb-log-file-size={REDO_BYTES // 2}", "--innodb-log-files-in-group=2"]


def family_options(server: ServerBinary) -> list[str]:
    """What keeps a server of either family to itself: no other protocol, files or reports."""
    if server.version.is_mariadb:
        return ["--loose-aria-log-file-size=8M", "--loose-skip-ssl", "--loose-feedback=OFF"]
    return [
        "--loose-mysqlx=OFF",
        "--loose-secure-file-priv=NULL",
        "--loose-auto-generate-certs=OFF",
        "--loose-sha256-password-auto-generate-rsa-keys=OFF",
        "--loose-caching-sha2-password-auto-generate-rsa-keys=OFF",
    ]
