"""Where a query spends its time, as it is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from advisor.model.network.stations import Place
from probes.kinds.words import capital


class _Noun(NamedTuple):
    name: str
    article: str = "the "


_NOUNS: Mapping[Place, _Noun] = {
    Place.SERVER: _Noun("server"),
    Place.DRIVE: _Noun("drive"),
    Place.REDO: _Noun("redo log"),
    Place.CPU: _Noun("CPU", ""),
    Place.NETWORK: _Noun("network"),
    Place.FLUSHING: _Noun("flushing", ""),
    Place.OTHER: _Noun("other waits (locks)", ""),
    Place.CLIENT: _Noun("clients"),
}


def named(place: Place) -> str:
    """Within a sentence: ``the drive``."""
    noun = _NOUNS[place]
    return f"{noun.article}{noun.name}"


def begun(place: Place) -> str:
    """At the beginning of a sentence: ``The drive``."""
    return capital(named(place))


def bare(place: Place) -> str:
    """In a cell: ``drive``."""
    return _NOUNS[place].name


def heading(place: Place) -> str:
    """As a heading: ``Drive``."""
    return capital(bare(place))
