"""What has to hold of every answer, held to all whole servers as users get them."""

from __future__ import annotations

import pytest

from tests.knowledge.production_cases import each_server, production_servers
from tests.rules.invariants import answer_to, broken


@pytest.mark.parametrize("name", each_server())
def test_every_answer_keeps_all_of_it(name: str) -> None:
    server = production_servers()[name]
    assert broken(answer_to(server.case, server.judged())) == {}
