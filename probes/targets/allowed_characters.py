"""Which characters an address may hold: none that a shell or a configuration text could obey.

An address may be pasted from a mail, and a saved one may come from an older program. Its parts
reach a shell where the user's own SSH configuration puts them there (``ProxyCommand``, ``Match
exec``), the known_hosts file, and messages. So they are checked where they are read, and once more
where they are used. The rules are those of OpenSSH 9.6 (``valid_hostname``, ``valid_ruser``) and
stricter: no white space, no wildcards, and none of what known_hosts gives a meaning to.
"""

from __future__ import annotations

import re
import unicodedata

from probes.errors import UsageError
from probes.targets.address import ContainerAddress, MySQLAddress, SshAddress, TargetSpec

_SHELL = frozenset("'\"`$;&|<>(){}\\*?[]!")
"""What quotes, expands, joins or redirects in a shell's line."""

_NOT_IN_HOSTS = _SHELL | frozenset(",@/#~")
"""A comma, for one, would make two hosts of a name in known_hosts."""

_NOT_IN_FRONT = frozenset("-#~")
"""Would begin an option or a comment, or stand for a home directory."""

_LAST_PORT = 65535

_CONTAINER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,252}")
"""As docker, podman and Kubernetes name things; none begins an option."""

_NAMES = {
    "\0": "a zero byte",
    "\t": "a tab",
    "\n": "a line break",
    "\r": "a line break",
    " ": "a space",
}

_ADVICE = (
    "Write it without. If somebody sent you this address, do not use it: such characters can make "
    "a computer run commands."
)
_ADVICE_DOMAIN = (
    r"An account such as CORP\me belongs on a User line of ~/.ssh/config, and out of the address."
)


def check_target(spec: TargetSpec) -> None:
    """Refuse a target with an address that could do harm; raises UsageError."""
    if spec.ssh is not None:
        check_ssh(spec.ssh)
    if spec.container is not None:
        check_container(spec.container)
    if spec.mysql is not None:
        check_mysql(spec.mysql)
    _check_path(spec.directory, "The directory")


def check_ssh(address: SshAddress) -> None:
    """Refuse user, host or port of an SSH address; raises UsageError."""
    check_host(address.host, "The SSH host")
    if address.user:
        check_user(address.user, "The SSH user")
    if address.port is not None:
        _check_port(address.port, "The SSH port")
    _check_path(address.identity_file, "The path of the identity file")


def check_container(address: ContainerAddress) -> None:
    """Refuse names that no container, pod or name space can have; raises UsageError."""
    for part in (address.name, *filter(None, (address.namespace, address.container))):
        check_line(part, "The container's name")
        if not _CONTAINER.fullmatch(part):
            raise UsageError(
                f"{part!r} is no name of a container." if part else "The container has no name.",
                "Such names are letters, digits, and . _ - behind the first.",
            )


def check_mysql(address: MySQLAddress) -> None:
    """Refuse user, host or port of a MySQL address; raises UsageError."""
    if address.host:
        check_host(address.host, "The MySQL host")
    check_mysql_user(address.user)
    _check_port(address.port, "The MySQL port")
    _check_path(address.socket, "The path of the MySQL socket")
    _check_path(address.defaults_file, "The path of the option file")
    _check_path(address.tls_ca_file, "The path of the CA file")


def check_host(text: str, what: str) -> None:
    """Refuse a host's name or address; ``what`` begins the sentence. Raises UsageError."""
    if not text:
        raise UsageError(f"{what} is missing.", "Write a name or an address.")
    _check(text, what, _NOT_IN_HOSTS)


def check_user(text: str, what: str) -> None:
    """Refuse the name of an account of a machine; ``what`` begins the sentence.

    Names of directory services pass: ``CORP+me``, ``me@corp.example``. Raises UsageError.
    """
    advice = _ADVICE_DOMAIN if "\\" in text else _ADVICE
    _check(text, what, _SHELL, advice)


def check_in_shell(text: str, what: str) -> None:
    """Refuse what must not stand unquoted in a shell's line, whoever wrote it; raises UsageError.

    A backslash within passes, as with OpenSSH: it can only hide itself.
    """
    inner = text[:-1].replace("\\", "") + text[-1:]
    _check(inner, what, _SHELL, "Correct its line in ~/.ssh/config.")


def check_mysql_user(text: str) -> None:
    """Refuse a MySQL account's name that can't be shown in a line; raises UsageError.

    It reaches no shell, and MySQL's own rules allow quotes and spaces: only what can't be seen, or
    would end a line of an option file, is refused.
    """
    check_line(text, "The MySQL user")


def port_of(text: str) -> int:
    """The port that is written in ``text``, 0 where none is."""
    digits = text.strip()
    is_number = digits.isascii() and digits.isdigit() and len(digits) < 6
    number = int(digits) if is_number else 0
    return number if number <= _LAST_PORT else 0


def _check(text: str, what: str, forbidden: frozenset[str], advice: str = _ADVICE) -> None:
    check_line(text, what)
    for character in text:
        if character in forbidden or character == " ":
            raise _refused(what, character, advice)
    if text[:1] in _NOT_IN_FRONT:
        raise UsageError(f"{what} begins with {text[0]}, so it is refused.", advice)


def check_line(text: str, what: str) -> None:
    """Refuse text with what can't be seen: line breaks, control characters; raises UsageError."""
    # A store or a case that somebody else has written need not hold text here.
    if not isinstance(text, str):
        raise UsageError(f"{what} is no text.", "Save the target again.")
    for character in text:
        if not character.isprintable():
            raise _refused(what, character, _ADVICE)


def _check_port(port: int, what: str) -> None:
    if not isinstance(port, int) or not 0 < port <= _LAST_PORT:
        raise UsageError(f"{what} is not a valid port.", "A port is a number from 1 to 65535.")


def _check_path(path: str, what: str) -> None:
    """A path may hold anything that a file's name can: it stands alone, or is quoted."""
    if not isinstance(path, str) or "\0" in path:
        raise UsageError(f"{what} is none that a file can have.", "Save the target again.")


def _refused(what: str, character: str, advice: str) -> UsageError:
    named = _NAMES.get(character)
    if named is None and character.isprintable():
        named = f"the character {character}"
    elif named is None:
        named = unicodedata.name(character, "a control character").lower()
        named = f"{named} (U+{ord(character):04X})"
    return UsageError(f"{what} holds {named}, so it is refused.", advice)
