"""What a field of a target is declared with: its choices, when it is shown, where it is kept."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from advisor.target_names import check_name
from app.fields.field import Field, FieldShape, asked
from app.runtime.translation import tr
from probes.errors import UsageError
from probes.targets.address import TargetKind, TlsMode
from probes.targets.allowed_characters import port_of

if TYPE_CHECKING:
    from app.fields.target import TargetForm

DEFAULT_PORT = "3306"
TCP, SOCKET = "tcp", "socket"

KINDS = (
    (TargetKind.SSH.value, "Over &SSH"),
    (TargetKind.LOCAL.value, "&This computer"),
    (TargetKind.CONTAINER.value, "Container"),
    (TargetKind.MYSQL.value, "MySQL &alone"),
)
WAYS = ((TCP, "TC&P"), (SOCKET, "Unix s&ocket"))
TLS = (
    (TlsMode.VERIFIED.value, "Verified (default)"),
    (TlsMode.VERIFY_CA.value, "Verified, whatever name the certificate has"),
    (TlsMode.VERIFY_IDENTITY.value, "Verified, on loopback too"),
    (TlsMode.UNVERIFIED.value, "Unverified: the password goes to any server with TLS"),
    (TlsMode.DISABLED.value, "Off: whoever is on the way can read along"),
)


@dataclass(frozen=True, slots=True)
class TargetField(Field):
    """A field of a target.

    ``part`` is where the target keeps it ("ssh.port"), "" where nothing of it is kept; ``read``
    and ``write`` make that of what is typed, and the other way. A form has it where ``shown``, and
    in the line of the field that it stands ``beside``; what few need comes with ``more``.
    """

    part: str = ""
    read: Callable[[Any], Any] = str.strip
    write: Callable[[Any], Any] = str
    shown: Callable[[TargetForm], bool] = lambda _form: True
    beside: str = ""
    more: Callable[[TargetForm], bool] = lambda _form: False


def line(
    part: str, caption: str, called: str = "", hint: str = "", default: str = "", **others: Any
) -> Any:
    """A field of one line; ``others`` are those of TargetField."""
    return asked(TargetField(FieldShape.LINE, caption, called, hint, part=part, **others), default)


def file(part: str, caption: str, hint: str, **others: Any) -> Any:
    """A field of a file's path."""
    return asked(TargetField(FieldShape.FILE, caption, hint=hint, part=part, **others))


def over_ssh(form: TargetForm) -> bool:
    """Whether the machine is reached by SSH."""
    return form.kind is TargetKind.SSH


def alone(form: TargetForm) -> bool:
    """Whether only the server can be reached."""
    return form.kind is TargetKind.MYSQL


def reached(form: TargetForm) -> bool:
    """Whether the server's machine can be reached."""
    return form.kind is not TargetKind.MYSQL


def in_container(form: TargetForm) -> bool:
    """Whether a container is looked at."""
    return form.kind is TargetKind.CONTAINER


def may_find(form: TargetForm) -> bool:
    """Whether a server there is looked for where none is named."""
    return form.kind in (TargetKind.SSH, TargetKind.CONTAINER)


def asks_server(form: TargetForm) -> bool:
    """Whether a server is looked at."""
    return form.with_mysql or not may_find(form)


def always(_form: TargetForm) -> bool:
    """For whatever form."""
    return True


def over_tcp(form: TargetForm) -> bool:
    """Whether the server is reached over TCP."""
    return asks_server(form) and not form.by_socket


def figure(number: int | None) -> str:
    """A number as it is typed, "" for none."""
    return str(number or "")


def port_typed(text: str, what: str) -> int:
    """A port as it was typed; raises UsageError for what is none of ``what``."""
    number = port_of(text)
    if not number:
        raise UsageError(
            tr("{text} is no {what} port.", text=text.strip(), what=what),
            tr("Enter a number from 1 to 65535."),
        )
    return number


def check_free(name: str, taken: Collection[str]) -> None:
    """Raise UsageError for what is no target's name, or that of another one."""
    check_name(name)
    if name in taken:
        raise UsageError(
            tr("There is a target called {name} already.", name=name),
            tr("Choose another name."),
        )
