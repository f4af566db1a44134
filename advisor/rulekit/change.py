"""How a setting is changed: the steps that a plan orders, checks, exports and undoes."""

from __future__ import annotations

from advisor.steps import Change, Needs, SetVariable
from advisor.variables.catalogue import span
from advisor.variables.managed import service_of
from advisor.variables.standing import Standing
from probes.version import ServerVersion


def change(
    version: ServerVersion,
    standing: Standing,
    value: str,
    *,
    first: tuple[tuple[Standing, str], ...] = (),
    then: tuple[tuple[Standing, str], ...] = (),
    dynamic: bool | None = None,
) -> Change:
    """Make the steps that set ``standing`` to ``value``.

    ``first`` are settings that have to be changed before it, because the server would otherwise cut
    the value, ``then`` those that come after it; when one of them takes a restart, so does the
    whole. ``dynamic`` overrides what the version's table says of ``standing``, where it depends on
    the value.
    """
    steps = (*first, (standing, value), *then)
    main = _dynamic(version, standing.name) if dynamic is None else dynamic
    online = main and all(_dynamic(version, setting.name) for setting, _ in (*first, *then))
    needs = Needs.DYNAMIC if online else Needs.RESTART
    return Change(value, needs, tuple(SetVariable(each, wanted, needs) for each, wanted in steps))


def _dynamic(version: ServerVersion, name: str) -> bool:
    known = span(version, name)
    if known is None:
        return False
    # A service takes values by its own parameters alone.
    return known.online if service_of(version) is None else known.dynamic
