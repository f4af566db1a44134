"""What rules may know of a lab: each variant that differs from the base in one setting."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.lab.asked import PAGE_SIZE, POOL, REDO
from advisor.lab.effects.contrasts import Decision
from advisor.lab.looked import answers
from advisor.lab.record import Record
from advisor.tried import Tried
from probes.lab.variant import Variant

_POOL_SIZE = "innodb_buffer_pool_size"
_REDO_SIZE = "innodb_log_file_size"
_NAMES = {POOL: _POOL_SIZE, REDO: _REDO_SIZE}


def findings(record: Record, run_id: int, on: str) -> Iterator[Tried]:
    """What was tried of single settings; ``on`` is the lab's day."""
    base = record.asked.base
    changed = {each.name: _changed(base, each) for each in record.asked.variants[1:]}
    for level, contrast, times in answers(record):
        change = changed.get(contrast.variant)
        if change is None:
            continue
        setting, before, value = change
        yield Tried(
            setting,
            before,
            value,
            times,
            decided=contrast.decision is not Decision.OPEN,
            load=record.asked.load.kind.value,
            connections=level,
            server=record.servers.get(contrast.variant, ""),
            run_id=run_id,
            on=on,
            like=record.asked.like is not None,
        )


def _changed(base: Variant, other: Variant) -> tuple[str, str, str] | None:
    """The one setting in which two variants differ, with both values; None for more, or others."""
    elsewhere = (base.directory, base.server, base.engine)
    if elsewhere != (other.directory, other.server, other.engine):
        return None
    one, two = _settings(base), _settings(other)
    differ = [name for name in two if one.get(name) != two[name]]
    if len(differ) != 1 or differ[0] not in one:
        return None
    (name,) = differ
    return _NAMES.get(name, name), one[name], two[name]


def _settings(variant: Variant) -> dict[str, str]:
    found = dict(variant.lines)
    if variant.page_bytes:
        found[PAGE_SIZE] = str(variant.page_bytes)
    return found
