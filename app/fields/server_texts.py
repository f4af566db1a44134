"""What a user may say of a server beside its texts, and the request that it makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advisor.target_names import check_name
from advisor.typed_machine import TypedMachine, stated_machine
from app.fields.field import Field, FieldShape, asked
from app.runtime.translation import tr
from probes.errors import UsageError


def _line(caption: str, hint: str, called: str = "") -> Any:
    return asked(Field(FieldShape.LINE, caption, called, hint), "")


@dataclass(frozen=True, slots=True)
class ServerTextsForm:
    """The fields as they stand; each but the name may be empty."""

    name: str = _line("&Name", "db7", "Name in the list")
    version: str = _line("&Version", "as the texts say, or 8.0.36")
    memory: str = _line("&Memory", "as the texts say, or 64G")
    cpus: str = _line("&Processors", "as the texts say, or 16")
    machine_class: str = _line("&Instance class", "db.r6g.2xlarge")
    volume_iops: str = _line("Volume's I&OPS", "3000")

    @property
    def machine(self) -> TypedMachine:
        """What is typed of the machine."""
        return TypedMachine(
            self.memory, self.machine_class, self.volume_iops, cpus=self.cpus.strip()
        )

    def check(self, files: Sequence[Path], pasted: str) -> None:
        """Raise UsageError with the first fault: no text, no name, no such memory."""
        if not files and not pasted.strip():
            raise UsageError(
                tr("There is no text yet."), tr("Choose files or a folder, or paste one.")
            )
        check_name(self.name.strip())
        stated_machine(self.machine)
