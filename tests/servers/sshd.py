"""A private sshd on loopback, with host key, authorized keys and port of its own."""

from __future__ import annotations

import getpass
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.servers.processes import answers, children, free_port, program, running
from tests.waiting import HANG_S

PASSPHRASE = "a passphrase with späces"

_PRIVILEGE_SEPARATION = Path("/run/sshd")


@dataclass(frozen=True)
class Sshd:
    """A running server that lets the current user in with ``key`` or ``locked_key``."""

    port: int
    pid: int
    directory: Path
    host_key: str
    user: str
    host: str = "127.0.0.1"

    @property
    def key(self) -> Path:
        """A private key without a passphrase."""
        return self.directory / "id_plain"

    @property
    def locked_key(self) -> Path:
        """A private key that ``PASSPHRASE`` opens."""
        return self.directory / "id_locked"

    @property
    def known_hosts_line(self) -> str:
        """What a known_hosts file says of this server."""
        return f"[{self.host}]:{self.port} {self.host_key}"

    @property
    def log(self) -> str:
        """What the server has written so far."""
        return (self.directory / "log").read_text(errors="replace")

    def sessions(self) -> list[int]:
        """The process of every connection, oldest first."""
        return children(self.pid)

    def cut(self) -> None:
        """Kill every connection's process, as a crashing machine would."""
        for pid in self.sessions():
            # One that ran through another is gone by now.
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def write_home(self, home: Path, config: str = "") -> Path:
        """Make ``home`` a home directory whose .ssh leads here without a question."""
        folder = home / ".ssh"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / "known_hosts").write_text(self.known_hosts_line + "\n")
        key = folder / "id_ed25519"
        key.write_bytes(self.key.read_bytes())
        key.chmod(0o600)
        (folder / "config").write_text(config)
        return home


@contextmanager
def private_sshd(
    options: Sequence[str] = (), *, sftp: bool = True, environment: Mapping[str, str] | None = None
) -> Iterator[Sshd]:
    """Start a server; ``options`` are lines for its configuration that win over the usual ones.

    ``environment`` is what commands find in theirs, besides HOME.
    """
    sshd, keygen = program("sshd"), program("ssh-keygen")
    if os.geteuid() == 0:
        # As the system's own service does; sshd insists on it.
        _PRIVILEGE_SEPARATION.mkdir(mode=0o755, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="leadline-test-sshd-") as folder:
        directory = Path(folder)
        _make_keys(keygen, directory)
        port = free_port()
        config = directory / "config"
        config.write_text(
            "\n".join([*options, *_config(directory, port, sftp, environment or {})]) + "\n"
        )
        argv = [sshd, "-D", "-e", "-f", str(config)]
        log = directory / "log"
        with running(argv, ready=lambda: answers(port), log=log) as process:
            host_key = " ".join((directory / "host_key.pub").read_text().split()[:2])
            server = Sshd(port, process.pid, directory, host_key, getpass.getuser())
            try:
                yield server
            finally:
                _end_sessions(server)


def _config(directory: Path, port: int, sftp: bool, environment: Mapping[str, str]) -> list[str]:
    # What the user's own shell reads at each start may take longer than all that is tested. Of
    # several lines SetEnv, sshd takes the first alone.
    given = {"HOME": str(_home(directory)), **environment}
    return [
        f"Port {port}",
        "ListenAddress 127.0.0.1",
        f"HostKey {directory / 'host_key'}",
        f"AuthorizedKeysFile {directory / 'authorized_keys'}",
        f"PidFile {directory / 'pid'}",
        "StrictModes no",
        "UsePAM no",
        "PasswordAuthentication no",
        "KbdInteractiveAuthentication no",
        "PermitRootLogin yes",
        "AllowTcpForwarding yes",
        *(["Subsystem sftp internal-sftp"] if sftp else []),
        "MaxStartups 100:30:200",
        "LogLevel INFO",
        "SetEnv " + " ".join(f"{name}={value}" for name, value in given.items()),
    ]


def _home(directory: Path) -> Path:
    """Where the one who logs in is at home: nothing is in it."""
    home = directory / "home"
    home.mkdir()
    return home


def _make_keys(keygen: str, directory: Path) -> None:
    _make_key(keygen, directory / "host_key", "")
    _make_key(keygen, directory / "id_plain", "")
    _make_key(keygen, directory / "id_locked", PASSPHRASE)
    public = [(directory / f"{name}.pub").read_text() for name in ("id_plain", "id_locked")]
    (directory / "authorized_keys").write_text("".join(public))


def _make_key(keygen: str, path: Path, passphrase: str) -> None:
    # Few rounds of key derivation: they only make the test slower.
    argv = [keygen, "-q", "-t", "ed25519", "-a", "1", "-N", passphrase, "-C", "test"]
    subprocess.run([*argv, "-f", str(path)], check=True)


def _end_sessions(server: Sshd) -> None:
    """Connections outlive the server that took them."""
    deadline = time.monotonic() + HANG_S
    while (sessions := server.sessions()) and time.monotonic() < deadline:
        for pid in sessions:
            try:
                os.kill(pid, signal.SIGTERM)
            except ProcessLookupError:
                continue
        time.sleep(0.02)
