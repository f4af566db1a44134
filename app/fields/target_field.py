"""What a field of a target is, and the choices that such fields offer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.fields.field import Field, FieldShape, asked
from probes.targets.address import TargetKind, TlsMode

if TYPE_CHECKING:
    from app.fields.target import TargetForm

DEFAULT_PORT = "3306"
TCP, SOCKET = "tcp", "socket"

KINDS = (
    (TargetKind.SSH.value, "A machine over &SSH"),
    (TargetKind.LOCAL.value, "MySQL on &this computer"),
    (TargetKind.CONTAINER.value, "A container"),
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
    in the line of the field that it stands ``beside``.
    """

    part: str = ""
    read: Callable[[Any], Any] = str.strip
    write: Callable[[Any], Any] = str
    shown: Callable[[TargetForm], bool] = lambda _form: True
    beside: str = ""


def line(
    part: str, caption: str, called: str = "", hint: str = "", default: str = "", **others: Any
) -> Any:
    """One that is typed on a line, "" at first."""
    return asked(TargetField(FieldShape.LINE, caption, called, hint, part=part, **others), default)


def file(part: str, caption: str, hint: str, **others: Any) -> Any:
    """One that names a file of this computer."""
    return asked(TargetField(FieldShape.FILE, caption, hint=hint, part=part, **others))
