"""An address that was typed or pasted whole into the field of a host."""

from __future__ import annotations

from app.runtime.translation import tr
from probes.errors import UsageError
from probes.targets.address import MySQLAddress, SshAddress, TargetSpec
from probes.targets.parse import is_container, parse_mysql, parse_target


def whole_ssh(text: str) -> SshAddress | None:
    """``root@db7``, ``db7:2222`` or ``ssh://root@db7:2222``; None for a host alone.

    Raises UsageError for what is no address over SSH.
    """
    ssh = parse_target(_url(text, "ssh")).ssh if _is_whole(text) else None
    if ssh is None and "://" in text:
        raise UsageError(
            tr("{text} is no address over SSH.", text=text.strip()),
            tr("Enter a name, an address, or a Host of ~/.ssh/config."),
        )
    return ssh


def whole_mysql(text: str) -> MySQLAddress | None:
    """A MySQL server's address likewise; raises UsageError."""
    return parse_mysql(_url(text, "mysql")) if _is_whole(text) else None


def ends_in_port(text: str) -> bool:
    """Whether a port ends the address; the colons of an IPv6 address alone are none."""
    host, colon, port = text.strip().partition("://")[2 if "://" in text else 0].rpartition(":")
    bare = host.rpartition("@")[2]
    return bool(colon) and port.isdigit() and (":" not in bare or bare.endswith("]"))


def _is_whole(text: str) -> bool:
    """Whether more than a host stands there: a scheme, an account, or a port behind one colon."""
    return "://" in text or "@" in text or ends_in_port(text)


def _url(text: str, scheme: str) -> str:
    return text.strip() if "://" in text else f"{scheme}://{text.strip()}"


def whole_container(text: str) -> TargetSpec:
    """The target that a container's address alone would make; raises UsageError."""
    address = text.strip()
    if not is_container(address):
        raise UsageError(
            tr("The container's address is missing.")
            if not address
            else tr("{text} is no address of a container.", text=address),
            tr("Enter docker://NAME, podman://NAME or kubectl://namespace/pod."),
        )
    return parse_target(address)
