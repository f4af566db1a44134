"""Wishes are read as they are meant, or refused with a sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.cli import wishes
from app.cli.probe import kinds_and_target
from probes.errors import UsageError
from probes.plans.kinds import Kind
from probes.plans.plan import Budget
from probes.points import Probe


@pytest.mark.parametrize(
    ("got", "wanted"),
    [
        (wishes.sizes("4k,16KiB, 512 ,64K,4096"), (4096, 16384, 512, 65536)),
        (wishes.sizes(""), ()),
        (wishes.size("1.5G"), 3 << 29),
        (wishes.size("2MB"), 2 << 20),
        (wishes.size("8b"), 8),
        (wishes.levels("64,1, 8,8"), (1, 8, 64)),
        (wishes.share("3%"), 0.03),
        (wishes.share("1.5"), 0.015),
        (wishes.duration_s("90"), 90.0),
        (wishes.duration_s("10min"), 600.0),
        (wishes.duration_s("1h"), 3600.0),
        (
            wishes.probes(("random-read,redo_sync", "random_read")),
            (Probe.RANDOM_READ, Probe.REDO_SYNC),
        ),
        (
            wishes.budget(("seconds=10m,write=20G", "added-latency=20ms,endurance=0.1%,read=1T")),
            Budget(600.0, 1 << 40, 20 << 30, 0.001, 20_000.0),
        ),
        (wishes.budget(()), Budget()),
        (wishes.budget(("added-latency=500µs",)), Budget(added_us=500.0)),
    ],
)
def test_a_wish_is_read(got: object, wanted: object) -> None:
    assert got == pytest.approx(wanted) if isinstance(wanted, float) else got == wanted


@pytest.mark.parametrize(
    ("read", "text", "sentence"),
    [
        (wishes.sizes, "4x", "'4x' is no size"),
        (wishes.sizes, "4ib", "'4ib' is no size"),
        (wishes.sizes, "-4k", "'-4k' is no size"),
        (wishes.sizes, "nan", "'nan' is no size"),
        (wishes.levels, "1,two", "'two' is no number of threads"),
        (wishes.levels, "0", "'0' is no number of threads"),
        (wishes.share, "3ms", "'3ms' is no percentage"),
        (wishes.duration_s, "soon", "'soon' is no time"),
        (lambda text: wishes.budget((text,)), "write", "'write' is no part of a budget"),
        (lambda text: wishes.budget((text,)), "money=3", "'money=3' is no part of a budget"),
        (lambda text: wishes.budget((text,)), "added-latency=20", "'20' is no delay"),
        (lambda text: wishes.budget((text,)), "seconds=x", "'x' is no time"),
        (lambda text: wishes.probes((text,)), "random_walk", "no probe 'random_walk'"),
        (lambda text: wishes.probes((text,)), "oltp", "no probe 'oltp'"),
    ],
)
def test_what_is_not_understood_is_said(
    read: Callable[[str], object], text: str, sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence) as caught:
        read(text)
    assert caught.value.advice


def test_kinds_and_the_target_come_in_any_order() -> None:
    assert kinds_and_target(("storage", "redo")) == ({Kind.STORAGE, Kind.REDO}, "local")
    assert kinds_and_target(("db7", "mixed")) == ({Kind.MIXED}, "db7")
    assert kinds_and_target(("mysql", "ssh://root@db7")) == ({Kind.MYSQL}, "ssh://root@db7")
    for words, sentence in (
        ((), "No probe was named"),
        (("db7",), "'db7' is no kind"),
        (("redo", "db7", "db8"), "db7 and db8 are 2"),
    ):
        with pytest.raises(UsageError, match=sentence):
            kinds_and_target(words)
