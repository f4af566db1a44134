"""What the lab has found of a setting, in words; and which question of the lab's settles one."""

from __future__ import annotations

from collections.abc import Iterable

from advisor.lab.presets import PRESETS
from advisor.tried import RuleRecord, Tried
from advisor.variables.naming import value_text
from advisor.wording.measured.lab import difference
from probes.figures import counted, times

NOT_SURE = ", not decided"
OTHER_LOAD = "Its load was not this server's."

_ASKS = {preset.setting: preset.name for preset in PRESETS.values() if preset.setting}


def tried_text(tried: Iterable[Tried]) -> str:
    """Each value against the one that it was held against, a line each."""
    found = list(tried)
    lines = [_line(each) for each in found]
    if found and not any(each.like for each in found):
        lines.append(OTHER_LOAD)
    return "\n".join(lines)


def _line(one: Tried) -> str:
    value, before = (value_text(one.setting, each) for each in (one.value, one.before))
    sure = "" if one.decided else NOT_SURE
    if one.live:
        return (
            f"{value} does {difference(one.times)} than {before}{sure}: "
            f"a trial on the server itself, run {one.run_id} of {one.on}."
        )
    return (
        f"{value} does {difference(one.times)} than {before}{sure}: {one.load}, "
        f"{one.connections} connections, {one.server}, run {one.run_id} of {one.on}."
    )


def lab_command(setting: str, target: str = "") -> str:
    """The lab that tries a setting; "" where none has it as a question."""
    name = _ASKS.get(setting, "")
    return " ".join(filter(None, ("leadline lab", target, f"--ask {name}"))) if name else ""


def _where(record: RuleRecord) -> str:
    """``(2 in labs, 1 seen later on a server)``; "" where all were trials."""
    labs = f"{record.labs} in labs" if record.labs else ""
    later = f"{record.watches} seen later on servers that have it" if record.watches else ""
    where = ", ".join(filter(None, (labs, later)))
    return f" ({where})" if where else ""


def record_text(record: RuleRecord | None) -> str:
    """``Tried 4 times: 3 kept, 1 back. 2 of 3 forecasts held.``; "" where it was never tried."""
    if record is None:
        return ""
    parts = ((record.kept, "kept"), (record.back, "back"), (record.undecided, "undecided"))
    became = ", ".join(f"{number} {word}" for number, word in parts if number)
    text = f"Tried {counted(record.tried, 'time')}{_where(record)}: {became}."
    if record.forecasts:
        text += f" {record.inside} of {counted(record.forecasts, 'forecast')} held."
    if record.ratio is not None:
        text += f" What came was {times(record.ratio)} what was forecast (median)."
    if record.doubtful:
        text += " So its advice is less sure."
    return text
