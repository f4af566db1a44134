"""What has to hold of every answer, held to all whole servers as users get them."""

from __future__ import annotations

from functools import cache

import pytest

from tests.knowledge.production_cases import production_servers
from tests.rules.invariants import ALL, Answer, answer_to

SERVERS = production_servers()


@cache
def answer(name: str) -> Answer:
    return answer_to(SERVERS[name].case, SERVERS[name].judged())


@pytest.mark.parametrize("invariant", ALL)
@pytest.mark.parametrize("name", SERVERS)
def test_every_answer_keeps_it(name: str, invariant: str) -> None:
    assert list(ALL[invariant](answer(name))) == []
