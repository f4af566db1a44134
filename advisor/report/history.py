"""One server over time as a table, and what became of a query's time where settings changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from advisor.fleet.history import BeforeAfter, PastLook, SettingChange, before_after
from advisor.fleet.levels import HistoryFigure, MovedFigure, NewLevel, new_levels
from advisor.report.document.blocks import GAP, Block, Heading, beside, table, text
from advisor.variables.naming import value_text
from probes.figures import (
    UNKNOWN,
    counted,
    duration_us,
    first_of,
    listed,
    percent,
    rate,
    under_way,
)

_HEADS = ("when (UTC)", "run", "queries", "a query", "at work", "page reads", "commits", "changed")
_WORDS = (0, 7)
_MOST_NAMED, _MOST_MOVED = 3, 2
NO_PROOF = (
    "Looks before and after are no proof: whatever else changed is in it. A trial on the live "
    "server is one."
)


def history_blocks(target: str, looks: Sequence[PastLook]) -> Iterator[Block]:
    """The table, the oldest look first, then each change between looks of like loads."""
    yield text(_summed(target, looks))
    yield GAP
    yield table(_HEADS, map(_row, looks), _WORDS)
    levels = new_levels(looks)
    if levels:
        yield Heading(2, "Since when")
        yield from (text(level_sentence(each)) for each in levels)
    found = list(before_after(tuple(looks)))
    if not found:
        return
    yield Heading(2, "Since a setting changed")
    yield from (text(change_sentence(each)) for each in found)
    yield beside(NO_PROOF)


def history_rows(looks: Sequence[PastLook]) -> dict[str, object]:
    """The same as values."""
    return {
        "looks": [_plain(each) for each in looks],
        "changes": [asdict(each) for each in before_after(tuple(looks))],
        "levels": [asdict(each) for each in new_levels(looks)],
    }


def change_sentence(found: BeforeAfter) -> str:
    """``Since 2026-11-03 (innodb_io_capacity 200 to 1000) a query takes 12 % less time.``."""
    share = found.times - 1
    more = f"{percent(abs(share))} {'more' if share > 0 else 'less'} time"
    looks = f"{counted(found.before, 'look')} before, {found.after} after, of like loads"
    return f"Since {day(found.at)} ({changes_text(found.changed)}) a query takes {more} ({looks})."


def level_sentence(found: NewLevel) -> str:
    """``Since 2026-11-12 a query takes 3.4 ms instead of 2.1 ms.``, and what was set just then."""
    moved = listed([_moved(each) for each in found.moved[:_MOST_MOVED]])
    just = f" Set just before: {changes_text(found.changed)}." if found.changed else ""
    return f"Since {day(found.at)} {moved}.{just}"


def _moved(moved: MovedFigure) -> str:
    before, after = moved.before, moved.after
    match moved.figure:
        case HistoryFigure.TIME:
            return f"a query takes {duration_us(after)} instead of {duration_us(before)}"
        case HistoryFigure.READS:
            return f"a query reads {under_way(after)} pages instead of {under_way(before)}"
        case HistoryFigure.QUERIES:
            return f"{rate(after, 'queries')} come instead of {rate(before, 'queries')}"
        case HistoryFigure.COMMITS:
            return f"{rate(after, 'commits')} instead of {rate(before)}"


def changes_text(changed: Sequence[SettingChange]) -> str:
    """``innodb_buffer_pool_size 16 MiB to 208 MiB``; of many the first, and how many more."""
    named = [
        f"{each.name} {_value(each, each.old)} to {_value(each, each.new)}" for each in changed
    ]
    return first_of(named, _MOST_NAMED)


def _value(change: SettingChange, value: str) -> str:
    return value_text(change.name, value) if value else UNKNOWN


def outdated_text(changed: Sequence[SettingChange]) -> str:
    """That a server is set otherwise by now than when it was looked at; "" where it is not."""
    if not changed:
        return ""
    return f"Changed since it was looked at: {changes_text(changed)}."


def _summed(target: str, looks: Sequence[PastLook]) -> str:
    busy = [each for each in looks if each.load is not None]
    return (
        f"{target}: {counted(len(looks), 'look')} from {day(looks[0].at)} to "
        f"{day(looks[-1].at)}, {len(busy)} of them with queries at work."
    )


def _row(look: PastLook) -> tuple[str, ...]:
    load = look.load
    when = look.at[:16].replace("T", " ")
    changed = changes_text(look.changed) if look.changed else ""
    if load is None:
        return (when, str(look.run_id), "no load", "", "", "", "", changed)
    time_us = load.per_query.time_us
    return (
        when,
        str(look.run_id),
        rate(load.queries_per_s),
        UNKNOWN if time_us is None else duration_us(time_us),
        f"{load.at_work:.1f}",
        rate(load.rate("Innodb_pages_read")),
        rate(load.commits_per_s),
        changed,
    )


def _plain(look: PastLook) -> dict[str, object]:
    load = look.load
    figures: dict[str, object] = {}
    if load is not None:
        figures = {
            "queries_per_s": load.queries_per_s,
            "query_us": load.per_query.time_us,
            "at_work": load.at_work,
            "page_reads_per_s": load.rate("Innodb_pages_read"),
            "commits_per_s": load.commits_per_s,
            "cpu_busy": look.cpu_busy,
            "drive_busy": look.drive_busy,
        }
    changed = [asdict(each) for each in look.changed]
    return {
        "run": look.run_id,
        "at": look.at,
        "kind": look.kind.value,
        "version": look.version,
        "load": figures or None,
        "changed": changed,
    }


def day(at: str) -> str:
    """The day of a moment as it is kept."""
    return at[:10]
