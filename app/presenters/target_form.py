"""What a person fills in about a target, and the target that it makes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from advisor.target_names import check_name
from advisor.told_machine import TypedMachine, said_of_machine
from app.runtime.translation import tr
from probes.errors import UsageError
from probes.targets.address import (
    MySQLAddress,
    SshAddress,
    TargetKind,
    TargetSpec,
    TlsMode,
    ToldMachine,
)
from probes.targets.allowed_characters import check_target, port_of
from probes.targets.parse import parse_mysql, parse_target

DEFAULT_PORT = "3306"


@dataclass(frozen=True, slots=True)
class TargetForm:
    """The fields as text. ``with_mysql`` tells whether a server is looked at too."""

    kind: TargetKind = TargetKind.SSH
    name: str = ""
    ssh_host: str = ""
    ssh_port: str = ""
    ssh_user: str = ""
    identity_file: str = ""
    with_mysql: bool = False
    by_socket: bool = False
    mysql_host: str = ""
    mysql_port: str = DEFAULT_PORT
    mysql_socket: str = ""
    mysql_user: str = ""
    defaults_file: str = ""
    tls: TlsMode = TlsMode.VERIFIED
    tls_ca_file: str = ""
    directory: str = ""
    memory: str = ""
    machine_class: str = ""
    volume_iops: str = ""
    volume_throughput: str = ""
    sudo: bool = False

    def spec(self, taken: Collection[str] = ()) -> TargetSpec:
        """The target; raises UsageError with the field's fault. ``taken`` are names in use."""
        return self.taken_apart()._spec(taken)

    def taken_apart(self) -> TargetForm:
        """The same with what was typed or pasted whole into a host's field in fields of its own.

        ``root@db7``, ``db7:2222`` and ``ssh://root@db7:2222``, and a MySQL server's address
        likewise. Raises UsageError where that is no such address.
        """
        made = self
        if made.kind is TargetKind.SSH:
            ssh = (
                parse_target(_whole(made.ssh_host, "ssh")).ssh if _is_whole(made.ssh_host) else None
            )
            if ssh is None and "://" in made.ssh_host:
                raise UsageError(
                    tr("{text} is no address over SSH.", text=made.ssh_host.strip()),
                    tr("Enter a name, an address, or a Host of ~/.ssh/config."),
                )
            if ssh is not None:
                made = replace(
                    made,
                    ssh_host=ssh.host,
                    ssh_user=ssh.user or made.ssh_user,
                    ssh_port=made.ssh_port if ssh.port is None else str(ssh.port),
                )
        if _is_whole(made.mysql_host) and not made.by_socket:
            text = _whole(made.mysql_host, "mysql")
            mysql = parse_mysql(text)
            made = replace(
                made,
                mysql_host=mysql.host,
                mysql_user=mysql.user or made.mysql_user,
                mysql_port=str(mysql.port) if _has_port(text) else made.mysql_port,
            )
        return made

    def _spec(self, taken: Collection[str]) -> TargetSpec:
        ssh = self._ssh() if self.kind is TargetKind.SSH else None
        needs_mysql = self.kind is not TargetKind.SSH
        mysql = self._mysql() if self.with_mysql or needs_mysql else None
        name = self.name.strip() or self.suggested_name()
        told = self._told() if self.kind is TargetKind.MYSQL else None
        sudo = self.sudo and self.kind is not TargetKind.MYSQL
        spec = TargetSpec(self.kind, name, ssh, mysql, self.directory.strip(), told, sudo)
        check_target(spec)
        check_name(name)
        if name in taken:
            raise UsageError(
                tr("There is a target called {name} already.", name=name),
                tr("Choose another name."),
            )
        return spec

    def suggested_name(self) -> str:
        """A name made of the address."""
        if self.kind is TargetKind.SSH:
            return self.ssh_host.strip()
        if self.by_socket:
            return self.mysql_socket.strip() or tr("MySQL here")
        return self.mysql_host.strip() or tr("MySQL here")

    def _told(self) -> ToldMachine | None:
        """What was said of a machine that can't be reached; None for nothing."""
        typed = TypedMachine(
            self.memory, self.machine_class, self.volume_iops, self.volume_throughput
        )
        told = said_of_machine(typed)
        return None if told == ToldMachine() else told

    def _ssh(self) -> SshAddress:
        host = self.ssh_host.strip()
        if not host:
            raise UsageError(
                tr("The SSH host is missing."),
                tr("Enter a name, an address, or a Host of ~/.ssh/config."),
            )
        port = _port(self.ssh_port, "SSH") if self.ssh_port.strip() else None
        return SshAddress(host, port, self.ssh_user.strip(), self.identity_file.strip())

    def _mysql(self) -> MySQLAddress:
        socket = self.mysql_socket.strip() if self.by_socket else ""
        host = "" if self.by_socket else self.mysql_host.strip()
        if self.by_socket and not socket:
            raise UsageError(
                tr("The server's socket is missing."), tr("Enter its path on the target.")
            )
        if self.kind is TargetKind.MYSQL and not host:
            raise UsageError(tr("The MySQL host is missing."), tr("Enter a name or an address."))
        return MySQLAddress(
            host=host or ("" if self.by_socket else "127.0.0.1"),
            port=_port(self.mysql_port or DEFAULT_PORT, "MySQL"),
            socket=socket,
            user=self.mysql_user.strip(),
            defaults_file=self.defaults_file.strip(),
            tls=self.tls,
            tls_ca_file=self.tls_ca_file.strip(),
        )


def _is_whole(text: str) -> bool:
    """Whether more than a host stands there: a scheme, an account, or a port behind one colon."""
    text = text.strip()
    return "://" in text or "@" in text or _has_port(text)


def _has_port(text: str) -> bool:
    """Whether a port ends the address; the colons of an IPv6 address alone are none."""
    host, colon, port = text.strip().partition("://")[2 if "://" in text else 0].rpartition(":")
    bare = host.rpartition("@")[2]
    return bool(colon) and port.isdigit() and (":" not in bare or bare.endswith("]"))


def _whole(text: str, scheme: str) -> str:
    return text.strip() if "://" in text else f"{scheme}://{text.strip()}"


def rows_shown(form: TargetForm) -> dict[str, bool]:
    """Which rows of the form the kind of target needs."""
    ssh, alone = form.kind is TargetKind.SSH, form.kind is TargetKind.MYSQL
    mysql = form.with_mysql or not ssh
    by_socket = form.by_socket and not alone
    over_tcp = mysql and not by_socket
    return {
        **dict.fromkeys(("host", "user", "identity", "with_mysql"), ssh),
        **dict.fromkeys(("mysql_user", "defaults"), mysql),
        "found": form.kind is TargetKind.LOCAL,
        "way": mysql and not alone,
        "socket": mysql and by_socket,
        **dict.fromkeys(("mysql_host", "tls", "tls_ca"), over_tcp),
        **dict.fromkeys(("directory", "sudo"), not alone),
        **dict.fromkeys(("machine_class", "memory", "volume_iops", "volume_throughput"), alone),
        "name": True,
    }


def form_of(spec: TargetSpec) -> TargetForm:
    """The fields that would make ``spec``."""
    ssh, mysql = spec.ssh or SshAddress(""), spec.mysql or MySQLAddress()
    told = spec.told or ToldMachine()
    return TargetForm(
        kind=spec.kind,
        name=spec.name,
        ssh_host=ssh.host,
        ssh_port="" if ssh.port is None else str(ssh.port),
        ssh_user=ssh.user,
        identity_file=ssh.identity_file,
        with_mysql=spec.mysql is not None,
        by_socket=bool(mysql.socket),
        mysql_host=mysql.host,
        mysql_port=str(mysql.port),
        mysql_socket=mysql.socket,
        mysql_user=mysql.user,
        defaults_file=mysql.defaults_file,
        tls=mysql.tls,
        tls_ca_file=mysql.tls_ca_file,
        directory=spec.directory,
        memory=f"{told.memory_bytes / (1 << 30):g} GiB" if told.memory_bytes else "",
        machine_class=told.machine_class,
        volume_iops=str(told.volume_requests_per_s or ""),
        volume_throughput=f"{told.volume_bytes_per_s / (1 << 20):.9g} MiB/s"
        if told.volume_bytes_per_s
        else "",
        sudo=spec.sudo,
    )


def _port(text: str, what: str) -> int:
    number = port_of(text)
    if not number:
        raise UsageError(
            tr("{text} is no {what} port.", text=text.strip(), what=what),
            tr("Enter a number from 1 to 65535."),
        )
    return number
