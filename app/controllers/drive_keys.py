"""What is laid side by side or tried instead of a drive, named: kept runs, or a published table."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBERS = re.compile(r"(?:run-)?([0-9]{1,18}(?:\+[0-9]{1,18})*)")


@dataclass(frozen=True, slots=True)
class RunKey:
    """A run, or runs that repeat one measurement."""

    run_ids: tuple[int, ...]

    @property
    def numbers(self) -> str:
        """As the command line calls them: ``1+4``."""
        return "+".join(map(str, self.run_ids))

    @property
    def text(self) -> str:
        """As a scenario keeps it."""
        return f"run-{self.numbers}"


@dataclass(frozen=True, slots=True)
class ReferenceKey:
    """A published table."""

    name: str

    @property
    def text(self) -> str:
        """As a scenario keeps it."""
        return f"reference-{self.name}"


DriveKey = RunKey | ReferenceKey


def read_key(text: str) -> DriveKey | None:
    """The key in a scenario's text, of the window or of the command line; None in ""."""
    if numbers := _NUMBERS.fullmatch(text):
        return RunKey(tuple(map(int, numbers[1].split("+"))))
    return ReferenceKey(text.removeprefix("reference-")) if text else None
