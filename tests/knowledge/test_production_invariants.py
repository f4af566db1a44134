"""What has to hold of every answer, held to all whole servers as users get them."""

from __future__ import annotations

from functools import cache

import pytest

from tests.knowledge.production_cases import production_servers
from tests.knowledge.wrong_now import INVARIANTS
from tests.rules.invariants import ALL, Answer, answer_to

SERVERS = production_servers()


@cache
def answer(name: str) -> Answer:
    return answer_to(SERVERS[name].case, SERVERS[name].judged())


@pytest.mark.parametrize(
    ("name", "invariant"),
    [
        pytest.param(
            name,
            invariant,
            marks=pytest.mark.xfail(strict=True) if name in INVARIANTS.get(invariant, ()) else (),
        )
        for name in SERVERS
        for invariant in ALL
    ],
)
def test_every_answer_keeps_it(name: str, invariant: str) -> None:
    assert list(ALL[invariant](answer(name))) == []


def test_what_is_known_to_be_broken_names_servers_and_invariants_that_exist() -> None:
    assert INVARIANTS.keys() <= ALL.keys()
    assert {name for names in INVARIANTS.values() for name in names} <= SERVERS.keys()
