"""What one recommendation asks to be done: steps that a plan can order, check, export and undo."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from advisor.variables.standing import Standing
from probes.inventory.facts import PERSISTED


class Needs(StrEnum):
    """What applying a change takes, from the cheapest to the dearest to take back.

    REWRITE is all data written again: copied to another place, or rebuilt where it lies. MONEY is
    what has to be bought, whatever else it takes.
    """

    NOTHING = "nothing"
    DYNAMIC = "dynamic"
    OS = "os"
    RESTART = "restart"
    REBOOT = "reboot"
    REWRITE = "rewrite"
    REINIT = "re-init"
    MONEY = "money"


@dataclass(frozen=True, slots=True)
class SetVariable:
    """Give a server variable another value.

    ``needs`` is DYNAMIC, RESTART, or REINIT where only a new data directory takes it.
    ``safe_because`` says why a value that is less safe elsewhere is as safe here.
    """

    standing: Standing
    value: str
    needs: Needs
    safe_because: str = ""

    @property
    def name(self) -> str:
        """The variable's name."""
        return self.standing.name


@dataclass(frozen=True, slots=True)
class StatedOption:
    """An option that somebody set; ``origin`` is where, in the words of ``Variable.origin``.

    Where the option file was read, ``text`` is the line as it stands there, ``number`` its number
    and ``group`` the group that it stands in.
    """

    name: str
    value: str
    origin: str = ""
    number: int = 0
    text: str = ""
    group: str = ""

    @property
    def persisted(self) -> bool:
        """Whether it is no line: the server keeps the value in its data directory."""
        return self.origin.upper() == PERSISTED

    @property
    def place(self) -> str:
        """The option file, "" where it is not known, with the line's number where that is."""
        return f"{self.origin}, line {self.number}" if self.number else self.origin


@dataclass(frozen=True, slots=True)
class RemoveLine(StatedOption):
    """Take an option out of the option file, or a persisted value out of the data directory.

    ``needs`` is NOTHING where the running server is what it would be without the line, RESTART
    where only its next start makes it so.
    """

    needs: Needs = Needs.RESTART

    @classmethod
    def of(cls, stated: StatedOption, needs: Needs = Needs.RESTART) -> RemoveLine:
        """Take out what ``stated`` sets."""
        where = stated.number, stated.text, stated.group
        return cls(stated.name, stated.value, stated.origin, *where, needs)

    @property
    def line(self) -> str:
        """The line itself, as it stands there or as it would be written."""
        return self.text or f"{self.name} = {self.value}"

    @property
    def identity(self) -> tuple[str, str, int]:
        """What distinguishes it from every other line, however much of it is known."""
        return self.name, self.origin, self.number


@dataclass(frozen=True, slots=True)
class HostCommand:
    """Change the machine: ``run`` and ``undo`` are shell lines for root.

    ``keep_file`` with ``keep_line`` makes the change outlive a boot ("" when ``run`` does).
    """

    what: str
    run: str
    undo: str
    verify: str
    keep_file: str = ""
    keep_line: str = ""


@dataclass(frozen=True, slots=True)
class Procedure:
    """What people do by hand, in order: a rebuild, a cloud console, a hardware change.

    ``sql`` is the one statement that does it all, where there is one.
    """

    what: str
    steps: tuple[str, ...]
    undo: tuple[str, ...] = ()
    needs: Needs = Needs.REINIT
    sql: str = ""


Step = SetVariable | RemoveLine | HostCommand | Procedure


@dataclass(frozen=True, slots=True)
class Change:
    """What a rule proposes: the value in words, what applying it takes, and the steps."""

    proposed: str
    needs: Needs
    steps: tuple[Step, ...]
