"""What ``leadline try --plan`` takes of the advice, and what it says where there is nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from advisor.report.report import gather
from advisor.steps import SetVariable
from advisor.store.store import Store
from app.cli.arguments import advised
from probes.errors import UsageError
from tests.app.cli.kept import RULE, keep


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with Store.open() as opened:
        yield opened


def test_what_can_be_switched_is_the_plan(store: Store) -> None:
    keep(store)
    [found] = advised.advised_plan(store, "db7")
    assert found.rule == RULE
    assert found.values == {"innodb_io_capacity": "1500", "innodb_io_capacity_max": "3000"}


@pytest.mark.parametrize(
    ("setting", "advice"),
    [
        ("innodb_buffer_pool_size", f"`leadline try db7 --rule {RULE}` changes innodb_buffer_pool"),
        ("innodb_flush_method", ""),
    ],
)
def test_what_changes_in_steps_alone_is_named(
    setting: str, advice: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(store)

    def gathered(*asked: Any) -> Any:
        found = gather(*asked)
        one = next(each for each in found.judgement.recommendations if each.rule == RULE)
        step = next(each for each in one.steps if isinstance(each, SetVariable))
        named = replace(step, standing=replace(step.standing, name=setting))
        one = replace(one, steps=(named,))
        return replace(found, judgement=replace(found.judgement, recommendations=(one,)))

    monkeypatch.setattr(advised, "gather", gathered)
    with pytest.raises(UsageError, match="can be switched back and forth") as caught:
        advised.advised_plan(store, "db7")
    assert caught.value.advice.startswith(advice)
    assert bool(caught.value.advice) is bool(advice)
