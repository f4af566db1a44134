"""Wishes are read as they are meant, or refused with a sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.cli.commands.probe import kinds_and_target
from app.fields.lists import probes_named
from app.fields.probe import ProbeForm
from probes.errors import UsageError
from probes.kinds.kind import Kind
from probes.plans.plan import Budget
from probes.points import Probe


def budget(texts: tuple[str, ...]) -> Budget:
    return ProbeForm(budgets=texts).wishes().budget


@pytest.mark.parametrize(
    ("got", "wanted"),
    [
        (
            probes_named(("random-read,redo_sync", "random_read")),
            (Probe.RANDOM_READ, Probe.REDO_SYNC),
        ),
        (
            budget(("seconds=10m,write=20G", "added-latency=20ms,endurance=0.1%,read=1T")),
            Budget(600.0, 1 << 40, 20 << 30, 0.001, 20_000.0),
        ),
        (budget(()), Budget()),
        (budget(("write=1,5 GiB, seconds=1,5 h ,",)), Budget(5400.0, 0, 3 << 29)),
        (budget(("added-latency=500µs",)), Budget(added_us=500.0)),
    ],
)
def test_a_wish_is_read(got: object, wanted: object) -> None:
    assert got == wanted


@pytest.mark.parametrize(
    ("read", "text", "sentence"),
    [
        (lambda text: budget((text,)), "write", "'write' is not a valid part of a budget"),
        (
            lambda text: budget((text,)),
            "money=3",
            "'money=3' is not a valid part of a budget",
        ),
        (lambda text: budget((text,)), "added-latency=20", "'20' is not a valid latency"),
        (lambda text: budget((text,)), "seconds=x", "'x' is not a valid time"),
        (lambda text: probes_named((text,)), "random_walk", "no probe 'random_walk'"),
        (lambda text: probes_named((text,)), "oltp", "no probe 'oltp'"),
    ],
)
def test_what_is_not_understood_is_said(
    read: Callable[[str], object], text: str, sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence) as caught:
        read(text)
    assert caught.value.advice


def test_kinds_and_the_target_come_in_any_order() -> None:
    assert kinds_and_target(("storage", "redo")) == (frozenset({Kind.STORAGE, Kind.REDO}), "local")
    assert kinds_and_target(("db7", "mixed")) == (frozenset({Kind.MIXED}), "db7")
    assert kinds_and_target(("mysql", "ssh://root@db7")) == (
        frozenset({Kind.MYSQL}),
        "ssh://root@db7",
    )
    for words, sentence in (
        ((), "No probe was named"),
        (("db7",), "'db7' is not a kind"),
        (("redo", "db7", "db8"), "db7 and db8 are 2"),
    ):
        with pytest.raises(UsageError, match=sentence):
            kinds_and_target(words)
