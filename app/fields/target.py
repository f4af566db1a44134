"""What a person says of a target, and the target that it makes.

A new field is one attribute of ``TargetForm``: the window's dialog shows it, and the command line
takes it, as it is declared there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from advisor.typed_machine import TypedMachine, stated_machine
from app.fields.field import FieldShape, Option, asked, fields_of
from app.fields.pasted import ends_in_port, whole_container, whole_mysql, whole_ssh
from app.fields.target_field import (
    DEFAULT_PORT,
    SOCKET,
    TCP,
    TLS,
    WAYS,
    TargetField,
    alone,
    always,
    asks_server,
    check_free,
    figure,
    file,
    in_container,
    line,
    may_find,
    over_ssh,
    over_tcp,
    port_typed,
    reached,
)
from app.runtime.translation import tr
from probes.errors import UsageError
from probes.mysql.any_address import any_address
from probes.targets.address import (
    MySQLAddress,
    SshAddress,
    StatedMachine,
    TargetKind,
    TargetSpec,
    TlsMode,
)
from probes.targets.allowed_characters import check_target
from probes.targets.parse import container_text, is_container


@dataclass(frozen=True, slots=True)
class TargetForm:
    """The fields as they stand. ``with_mysql`` says whether a server is looked at too."""

    kind: TargetKind = TargetKind.SSH
    address: str = line("", "Address", hint="root@db7, mysql://app@db7, my.cnf, any URL")
    ssh_host: str = line("ssh.host", "&Host", "SSH host", "name or address", shown=over_ssh)
    ssh_port: str = line(
        "ssh.port",
        "Port",
        "SSH port",
        "22",
        beside="ssh_host",
        shown=over_ssh,
        read=lambda text: port_typed(text, "SSH") if text.strip() else None,
        write=figure,
    )
    ssh_user: str = line("ssh.user", "&User", "SSH user", "as in ~/.ssh/config", shown=over_ssh)
    identity_file: str = file(
        "ssh.identity_file",
        "&Identity file",
        "the SSH agent's",
        shown=over_ssh,
        more=always,
    )
    container: str = line(
        "",
        "Container",
        hint="podman://db, docker+ssh://root@db7/db, kubectl://prod/db-0",
        shown=in_container,
    )
    with_mysql: bool = asked(
        TargetField(FieldShape.SWITCH, "MySQL &runs there", shown=may_find), False
    )
    way: str = asked(
        TargetField(
            FieldShape.SEGMENTS,
            "Connection",
            choices=WAYS,
            shown=lambda form: asks_server(form) and reached(form),
            more=always,
        ),
        TCP,
    )
    mysql_host: str = line(
        "mysql.host",
        "M&ySQL host",
        hint="found there, or 127.0.0.1",
        shown=over_tcp,
        more=reached,
    )
    mysql_port: str = line(
        "mysql.port",
        "Port",
        "MySQL port",
        DEFAULT_PORT,
        DEFAULT_PORT,
        beside="mysql_host",
        shown=over_tcp,
        more=reached,
        read=lambda text: port_typed(text or DEFAULT_PORT, "MySQL"),
    )
    mysql_socket: str = line(
        "mysql.socket",
        "Soc&ket",
        hint="/run/mysqld/mysqld.sock",
        shown=lambda form: asks_server(form) and form.by_socket,
        more=always,
    )
    mysql_user: str = line(
        "mysql.user", "MySQL us&er", "MySQL user", "from the option file", shown=asks_server
    )
    defaults_file: str = file(
        "mysql.defaults_file", "Option &file", "~/.my.cnf", shown=asks_server, more=always
    )
    tls: str = asked(
        TargetField(
            FieldShape.LIST,
            "T&LS",
            choices=TLS,
            part="mysql.tls",
            read=TlsMode,
            shown=over_tcp,
            more=always,
            option=Option(
                "--tls",
                "How the MySQL server over TCP is trusted: verified by default. unverified gives"
                " the password to any server with TLS; disabled does without TLS, and gives it to"
                " none.",
                choices=tuple(mode.value for mode in TlsMode),
            ),
        ),
        TlsMode.VERIFIED.value,
    )
    tls_ca_file: str = file(
        "mysql.tls_ca_file", "CA file", "the system's own", shown=over_tcp, more=always
    )
    directory: str = line(
        "directory",
        "&Directory",
        hint="automatic",
        shown=reached,
        more=always,
        option=Option("--dir", "Where to measure the drive.", "PATH"),
    )
    sudo: bool = asked(
        TargetField(
            FieldShape.SWITCH,
            "Trace by &sudo -n",
            part="sudo",
            tip="Where the account is not root, what looks at the server is run by sudo -n, so "
            "that the kernel may trace its reads, writes and syncs. It never asks for a password.",
            read=bool,
            write=bool,
            shown=reached,
            more=always,
            option=Option(
                "--sudo/--no-sudo",
                "Run what looks at the server by `sudo -n` where the account is not root, so that "
                "the kernel may trace its reads, writes and syncs. It never asks for a password.",
            ),
        ),
        False,
    )
    machine_class: str = line(
        "told.machine_class",
        "Instance class",
        hint="db.r6g.2xlarge",
        shown=alone,
        more=always,
        option=Option(
            "--class", "Its instance class, as db.r6g.2xlarge (mysql:// targets).", "NAME"
        ),
    )
    memory: str = line(
        "told.memory_bytes",
        "&Memory",
        hint="of the class, or 64G",
        shown=alone,
        more=always,
        write=lambda size: f"{size / (1 << 30):g} GiB" if size else "",
        option=Option(
            "--memory",
            "The memory of a server's machine that can't be reached, as 64G (mysql:// targets), or"
            " of a new server's (with --for, or for the program that is installed here).",
            "SIZE",
        ),
    )
    cpus: str = line(
        "told.cpus",
        "Processors",
        hint="of the class, or 16",
        shown=alone,
        more=always,
        write=figure,
        option=Option(
            "--cpus",
            "How many processors (threads) its machine has, as 16 (mysql:// targets).",
            "NUMBER",
        ),
    )
    volume_iops: str = line(
        "told.volume_requests_per_s",
        "Volume's IOPS",
        hint="3000",
        shown=alone,
        more=always,
        write=figure,
        option=Option(
            "--volume-iops",
            "What its volume was bought with, in requests per second, as 3000 (mysql:// targets).",
            "NUMBER",
        ),
    )
    volume_throughput: str = line(
        "told.volume_bytes_per_s",
        "Volume's throughput",
        hint="125 MiB/s",
        shown=alone,
        more=always,
        write=lambda size: f"{size / (1 << 20):.9g} MiB/s" if size else "",
        option=Option(
            "--volume-throughput",
            "The same in bytes per second, as 125M (mysql:// targets).",
            "SIZE",
        ),
    )
    name: str = line("name", "&Name", "Name in the list", "from the address")

    def at_address(self) -> tuple[TargetForm, bool]:
        """The same where ``address`` leads to, and if that held a password; raises UsageError."""
        if not self.address.strip():
            return self, False
        found = any_address(self.address)
        there = form_of(found.target)
        parts = {"ssh": found.target.ssh, "mysql": found.target.mysql}
        changes = {
            name: getattr(there, name)
            for name, field in FIELDS.items()
            if parts.get(field.part.partition(".")[0])
            and (field.part != "ssh.identity_file" or there.identity_file)
        }
        if found.target.mysql is not None:
            changes |= {"with_mysql": True, "way": there.way}
        changes |= {"address": "", "kind": there.kind, "container": there.container}
        return replace(self, **changes), found.password

    @property
    def by_socket(self) -> bool:
        """Whether the server is reached by its socket, where it is reached from its machine."""
        return self.way == SOCKET and self.kind is not TargetKind.MYSQL

    def spec(self, taken: Collection[str] = ()) -> TargetSpec:
        """The target; raises UsageError with the field's fault. ``taken`` are names in use."""
        return self.at_address()[0].taken_apart()._spec(taken)

    def taken_apart(self) -> TargetForm:
        """The same with what was typed or pasted whole into a host's field in fields of its own.

        ``root@db7``, ``db7:2222`` and ``ssh://root@db7:2222``, and a MySQL server's address
        likewise; with ``podman://db`` it is a container. Raises UsageError where that is no such
        address.
        """
        made = self
        if made.kind is TargetKind.SSH and is_container(made.ssh_host):
            return replace(
                made, kind=TargetKind.CONTAINER, container=made.ssh_host.strip(), ssh_host=""
            )
        ssh = whole_ssh(made.ssh_host) if made.kind is TargetKind.SSH else None
        if ssh is not None:
            made = replace(
                made,
                ssh_host=ssh.host,
                ssh_user=ssh.user or made.ssh_user,
                ssh_port=made.ssh_port if ssh.port is None else str(ssh.port),
            )
        mysql = None if made.by_socket else whole_mysql(made.mysql_host)
        if mysql is not None:
            made = replace(
                made,
                mysql_host=mysql.host,
                mysql_user=mysql.user or made.mysql_user,
                mysql_port=str(mysql.port) if ends_in_port(made.mysql_host) else made.mysql_port,
            )
        return made

    def _spec(self, taken: Collection[str]) -> TargetSpec:
        by_machine = self.kind is not TargetKind.MYSQL
        ssh = self._ssh() if self.kind is TargetKind.SSH else None
        container = None
        if self.kind is TargetKind.CONTAINER:
            typed = whole_container(self.container)
            ssh, container = typed.ssh, typed.container
        mysql = self._mysql() if asks_server(self) else None
        name = self.name.strip() or self.suggested_name()
        stated = None if by_machine else stated_machine(self.machine)
        spec = TargetSpec(
            self.kind,
            name,
            ssh,
            mysql,
            self.directory.strip() if by_machine else "",
            None if stated == StatedMachine() else stated,
            self.sudo and by_machine,
            container,
        )
        check_target(spec)
        check_free(name, taken)
        return spec

    def suggested_name(self) -> str:
        """A name made of the address."""
        if self.kind is TargetKind.SSH:
            return self.ssh_host.strip()
        if self.kind is TargetKind.CONTAINER:
            return self.container.strip().rpartition("/")[2]
        return (self.mysql_socket if self.by_socket else self.mysql_host).strip() or tr(
            "MySQL here"
        )

    @property
    def machine(self) -> TypedMachine:
        """What is typed of a machine that can't be asked."""
        return TypedMachine(**{name: getattr(self, name) for name in MACHINE})

    def _of(self, part: str) -> dict[str, Any]:
        """What the fields say of one part of the target, by the names that it has there."""
        return {
            field.part.removeprefix(f"{part}."): field.read(getattr(self, name))
            for name, field in FIELDS.items()
            if field.part.startswith(f"{part}.")
        }

    def _ssh(self) -> SshAddress:
        if not self.ssh_host.strip():
            raise UsageError(
                tr("The SSH host is missing."),
                tr("Enter a name, an address, or a Host of ~/.ssh/config."),
            )
        return SshAddress(**self._of("ssh"))

    def _mysql(self) -> MySQLAddress:
        host, socket = self.mysql_host.strip(), self.mysql_socket.strip()
        if self.by_socket and not socket:
            raise UsageError(
                tr("The server's socket is missing."), tr("Enter its path on the target.")
            )
        if self.kind is TargetKind.MYSQL and not host:
            raise UsageError(tr("The MySQL host is missing."), tr("Enter a name or an address."))
        if not host and self.mysql_port.strip() not in ("", DEFAULT_PORT):
            host = "127.0.0.1"  # a port alone is this machine's
        place = ("", socket) if self.by_socket else (host, "")
        return MySQLAddress(**{**self._of("mysql"), "host": place[0], "socket": place[1]})


FIELDS: Mapping[str, TargetField] = fields_of(TargetForm)
MACHINE = tuple(each.name for each in fields(TypedMachine))
"""What is typed of a machine that can't be asked."""


def form_of(spec: TargetSpec) -> TargetForm:
    """The fields that would make ``spec``."""
    parts = {
        "": spec,
        "ssh": spec.ssh or SshAddress(""),
        "mysql": spec.mysql or MySQLAddress(),
        "told": spec.told or StatedMachine(),
    }
    texts = {}
    for name, field in FIELDS.items():
        if field.part:
            part, _, its_name = field.part.rpartition(".")
            texts[name] = field.write(getattr(parts[part], its_name))
    by_socket = spec.mysql is not None and bool(spec.mysql.socket)
    # Whoever gives a server that is known from texts an address gives that of the server.
    kind = TargetKind.MYSQL if spec.kind is TargetKind.TEXTS else spec.kind
    return TargetForm(
        kind,
        container=container_text(spec),
        with_mysql=spec.mysql is not None,
        way=SOCKET if by_socket else TCP,
        **texts,
    )
