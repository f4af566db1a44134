"""Reaching a target: its machine, and its MySQL server where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from probes.cancel import CancelToken
from probes.errors import MySQLError
from probes.events import Warned
from probes.mysql.discover import find_socket
from probes.mysql.login import Protection, is_loopback
from probes.targets.address import MySQLAddress, Prompts, StatedMachine, TargetKind, TargetSpec
from probes.targets.connect import open_target
from probes.targets.container.facts import ContainerFacts
from probes.targets.container.target import ContainerTarget
from probes.targets.silent import Silent
from probes.targets.target import Target

if TYPE_CHECKING:
    from probes.mysql.connection import MySQLSession


@dataclass(frozen=True, slots=True)
class Link:
    """An open way to a target; ``mysql`` is None when there is no server to look at.

    ``machine`` is the server's machine: None when only MySQL can be reached, and then ``target`` is
    this computer, from which probes go over the network. ``stated`` is what a person said of that
    machine, ``container`` what is known of the container that ``machine`` is.
    """

    target: Target
    machine: Target | None
    mysql: MySQLSession | None
    notes: tuple[Warned, ...] = ()
    stated: StatedMachine | None = None
    container: ContainerFacts | None = None


@contextmanager
def linked(spec: TargetSpec, prompts: Prompts, token: CancelToken) -> Iterator[Link]:
    """Open the target and its server; closes both. Raises TargetError and MySQLError.

    Where no server is named, one that runs on the target and lets this account in without a
    question is looked at too; one that does not is mentioned in ``notes``.
    """
    with ExitStack() as stack:
        target = stack.enter_context(open_target(spec, prompts, token))
        machine = None if spec.kind is TargetKind.MYSQL else target
        notes: tuple[Warned, ...] = ()
        mysql: MySQLSession | None = None
        if spec.mysql is not None:
            mysql = stack.enter_context(mysql_session(spec.mysql, target, prompts, token))
            notes = _risks(mysql)
        elif (socket := find_socket(target)) is not None:
            address = MySQLAddress(socket=socket)
            try:
                # A server that nobody named is not worth a question.
                session = mysql_session(address, target, Silent(), token, found=True)
                mysql = stack.enter_context(session)
            except MySQLError as error:
                notes = (_uninvited(socket, error),)
        container = target.facts if isinstance(target, ContainerTarget) else None
        stated = spec.told if machine is None else None
        yield Link(target, machine, mysql, notes, stated, container)


def mysql_session(
    address: MySQLAddress,
    via: Target,
    prompts: Prompts,
    token: CancelToken,
    *,
    found: bool = False,
) -> AbstractContextManager[MySQLSession]:
    """A session; what it takes is loaded with the first one. ``found``: nobody named the server."""
    from probes.mysql.connection import connect  # noqa: PLC0415 - not before

    return connect(address, via=via, prompts=prompts, token=token, found=found)


def _risks(mysql: MySQLSession) -> tuple[Warned, ...]:
    """What the person has accepted for this server, so that whoever reads the run knows it too."""
    login = mysql.login
    if login.socket or login.private or is_loopback(login.host):
        return ()
    if login.protection is Protection.UNVERIFIED:
        risk = "was not verified (tls=unverified): the password may have gone to somebody else"
    elif login.protection is Protection.NONE:
        risk = "had no TLS (tls=disabled): what it said may have been read and changed on the way"
    else:
        return ()
    return (Warned("mysql_connection", f"The connection to {login.host}:{login.port} {risk}."),)


def _uninvited(socket: str, error: MySQLError) -> Warned:
    return Warned(
        "mysql_not_asked",
        f"A MySQL server listens on {socket}, but it is left out: {error.sentence} "
        "Name it and an account with --mysql, or in the target's settings.",
    )
