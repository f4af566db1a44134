"""Which end of the values that a rule may recommend is safe, where figures leave a range."""

from __future__ import annotations

from enum import StrEnum


class SafeEnd(StrEnum):
    """The end that costs least where the true figures are not those that were measured."""

    LOWEST = "lowest"
    """Memory, and rates that the drive surely gives: more than there is does harm."""

    HIGHEST = "highest"
    """Room that is needed: too little does harm, more costs little."""

    NEAREST = "nearest"
    """Harm lies at both sides: the smallest change counts."""

    @property
    def sentence(self) -> str:
        """What a rule's page says of it."""
        of = "Where the figures allow several values, the"
        if self is SafeEnd.NEAREST:
            return f"{of} one nearest to the present setting is recommended."
        return f"{of} {self.value} is recommended."
