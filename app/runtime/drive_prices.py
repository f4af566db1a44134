"""What drives cost, as the user said last: asked for beside a comparison and in the settings."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from app.runtime.preferences import Preferences

KEPT_AS = "prices"


class DrivePrices(QObject):
    """Prices by the drives' keys, in any one unit. Signals: ``changed()``."""

    changed = Signal()

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self._preferences = preferences
        parts = (line.split("\t") for line in preferences.lines(KEPT_AS))
        kept = [each for each in parts if len(each) == 3]
        self._prices = {key: _number(price) for key, price, _name in kept}
        self._names = {key: name for key, _price, name in kept}

    @property
    def known(self) -> Mapping[str, float]:
        """The prices."""
        return self._prices

    @property
    def names(self) -> Mapping[str, str]:
        """What the drives with a price are called, by their keys."""
        return self._names

    def keep(self, prices: Mapping[str, float], names: Mapping[str, str]) -> None:
        """Have these prices of the drives with such names; one that is left out has none."""
        for key, name in names.items():
            self._prices.pop(key, None)
            self._names.pop(key, None)
            if key in prices:
                self._prices[key], self._names[key] = prices[key], name
        lines = (f"{key}\t{self._prices[key]:.12g}\t{name}" for key, name in self._names.items())
        self._preferences.set_lines(KEPT_AS, lines)
        self.changed.emit()


def _number(text: str) -> float:
    """Nothing where somebody has written something else into the file."""
    try:
        return float(text)
    except ValueError:
        return 0.0
