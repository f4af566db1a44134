"""How a setting is changed and changed back, in the words of the server's own version."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.outcomes import Apply
from advisor.plan.writing import (
    cnf_line,
    cnf_line_back,
    online_sql,
    online_undo_sql,
    read_sql,
)
from advisor.steps import Needs, SetVariable, Step
from advisor.variables.catalogue import span
from advisor.variables.standing import Standing
from probes.version import ServerVersion


@dataclass(frozen=True, slots=True)
class Change:
    """Ready-made texts of one change; ``undo`` is SQL, or option-file lines with a comment."""

    proposed: str
    needs: Needs
    apply: Apply
    undo: str
    verify: str = ""
    steps: tuple[Step, ...] = ()


def change(
    version: ServerVersion,
    standing: Standing,
    value: str,
    *,
    first: tuple[tuple[Standing, str], ...] = (),
    dynamic: bool | None = None,
) -> Change:
    """Make the texts that set ``standing`` to ``value``.

    ``first`` are settings that have to be changed before it, because the server would otherwise cut
    the value; when one of them takes a restart, so does the whole. ``dynamic`` overrides what the
    version's table says of ``standing``, where it depends on the value.
    """
    steps = (*first, (standing, value))
    main = _dynamic(version, standing.name) if dynamic is None else dynamic
    online = main and all(_dynamic(version, setting.name) for setting, _ in first)
    needs = Needs.DYNAMIC if online else Needs.RESTART
    cnf = "\n".join(cnf_line(setting.name, wanted, version) for setting, wanted in steps)
    plan = tuple(SetVariable(setting, wanted, needs) for setting, wanted in steps)
    verify = "\n".join(read_sql(setting.name) for setting, _ in steps)
    if not online:
        back = "\n".join(cnf_line_back(setting, version) for setting, _ in steps)
        undo = f"# in the option file, then restart:\n{back}"
        return Change(value, needs, Apply(cnf=cnf), undo, verify, plan)
    sql = "\n".join(online_sql(version, setting.name, wanted) for setting, wanted in steps)
    undo = "\n".join(online_undo_sql(version, setting) for setting, _ in reversed(steps))
    return Change(value, needs, Apply(sql=sql, cnf=cnf), undo, verify, plan)


def _dynamic(version: ServerVersion, name: str) -> bool:
    known = span(version, name)
    return known is not None and known.dynamic
