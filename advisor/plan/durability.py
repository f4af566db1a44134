"""Which values of a setting make commits or pages less safe than others."""

from __future__ import annotations

from advisor.steps import SetVariable

OTHERS = "others"
"""Stands for all values that are not listed."""

DURABILITY: dict[str, tuple[str, ...]] = {
    "innodb_flush_log_at_trx_commit": ("0", "2", "1"),
    "innodb_doublewrite": ("OFF", "DETECT_ONLY", "FAST", "ON"),
    "innodb_checksum_algorithm": ("NONE", "STRICT_NONE"),
    "innodb_checksums": ("OFF",),
    "innodb_log_checksums": ("OFF",),
    "sync_binlog": ("0", OTHERS, "1"),
}
"""Values by rising safety; one that is not listed stands where OTHERS does, else above all."""


def less_safe(step: object) -> str:
    """Say that a step would make commits or pages less safe, "" when it does not."""
    if not isinstance(step, SetVariable) or step.name not in DURABILITY or step.safe_because:
        return ""
    if _safety(step.name, step.value) >= _safety(step.name, step.standing.value):
        return ""
    return f"{step.name} = {step.value} is less safe than {step.standing.value}: yours to decide."


def _safety(name: str, value: str) -> int:
    values = (*DURABILITY[name], OTHERS)
    return values.index(value.upper() if value.upper() in values else OTHERS)
