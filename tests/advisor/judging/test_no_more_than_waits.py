"""What is bought or moved saves no more than the waits that it shortens take."""

from __future__ import annotations

import pytest

from advisor.outcomes import Verdict
from advisor.steps import SetVariable
from tests.knowledge.production.cases import production_servers


@pytest.mark.parametrize("name", ["redo_on_disks", "consumer_mirror_no_binlog"])
def test_a_gain_is_no_more_than_the_waits_that_it_is_a_part_of(name: str) -> None:
    judged = production_servers()[name].judged()
    assert judged.time is not None
    seen = [
        one
        for one in judged.recommendations
        if one.gain is not None and one.relieves and one.verdict is not Verdict.FINE
        if not any(isinstance(step, SetVariable) for step in one.steps)
    ]
    assert seen
    for one in seen:
        shares = [judged.time.share(each.wait) for each in one.relieves]
        most = sum(share.high for share in shares if share is not None)
        assert one.gain is not None
        assert 0 < one.gain.high <= most, one.rule
