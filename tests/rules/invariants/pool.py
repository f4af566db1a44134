"""The buffer pool against the data that it is for."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.outcomes import Verdict
from tests.rules.invariants.answer import Answer

GROWTH = 1.5
"""What data may grow by before anybody looks again: by half."""

STEP = 1 << 30
"""Pools are rounded up to pieces, of a chunk for each instance."""

LARGE, WIDE_STEP = 64 << 30, 4 << 30
"""Nobody types 82.25 GiB: a large pool is rounded up to such figures."""

SMALLEST = 128 << 20
"""Every server's default."""

POOL = "innodb_buffer_pool_size"


def pool_beyond_the_data(answer: Answer) -> Iterator[str]:
    """No pool is made larger than the data and its growth, where the size of the data is known."""
    mysql, now = answer.case.inventory.mysql, answer.number(POOL)
    data = None if mysql is None else mysql.innodb_files_bytes
    if data is None or now is None:
        return
    most = max(now, GROWTH * data, SMALLEST)
    most += WIDE_STEP if most >= LARGE else STEP
    listed = [
        ("the list", one.proposed)
        for one in answer.judgement.recommendations
        if one.setting == POOL and one.verdict is Verdict.RECOMMEND
    ]
    for where, text in (*listed, ("the plan", answer.planned.get(POOL, "0"))):
        if text.isdigit() and int(text) > most:
            times = int(text) / max(data, 1)
            yield f"{where} makes the pool {text} from {now:.0f}, {times:.1f} times {data} of data"
