"""How a setting is changed and changed back, in the words of the server's own version."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.outcomes import Apply, Needs
from advisor.plan.steps import SetVariable, Step
from advisor.variables.catalogue import MYSQL, span
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
    the value. ``dynamic`` overrides what the version's table says, where it depends on the value.
    """
    known = span(version, standing.name)
    online = dynamic if dynamic is not None else known is not None and known.dynamic
    steps = (*first, (standing, value))
    cnf = "\n".join(f"{setting.name} = {wanted}" for setting, wanted in steps)
    needs = Needs.DYNAMIC if online else Needs.RESTART
    plan = tuple(SetVariable(setting, wanted, needs) for setting, wanted in steps)
    verify = "\n".join(f"SELECT @@GLOBAL.{setting.name};" for setting, _ in steps)
    if not online:
        back = "\n".join(_line_back(setting) for setting, _ in steps)
        undo = f"# in the option file, then restart:\n{back}"
        return Change(value, needs, Apply(cnf=cnf), undo, verify, plan)
    word = "PERSIST" if version.at_least(MYSQL, 8, 0) else "GLOBAL"
    sql = "\n".join(f"SET {word} {setting.name} = {wanted};" for setting, wanted in steps)
    undo = "\n".join(_undo_sql(version, setting) for setting, _ in reversed(steps))
    return Change(value, needs, Apply(sql=sql, cnf=cnf), undo, verify, plan)


def _undo_sql(version: ServerVersion, standing: Standing) -> str:
    """Say how to return to the old value; what was persisted before stays persisted."""
    if not version.at_least(MYSQL, 8, 0):
        return f"SET GLOBAL {standing.name} = {standing.text};"
    if standing.origin.upper() == "PERSISTED":
        return f"SET PERSIST {standing.name} = {standing.text};"
    return (
        f"SET GLOBAL {standing.name} = {standing.text};\nRESET PERSIST IF EXISTS {standing.name};"
    )


def _line_back(standing: Standing) -> str:
    if standing.default or not standing.text:
        return f"# take the line {standing.name} out again"
    return f"{standing.name} = {standing.text}"
