"""What holds for any figures: order changes nothing but places, and a winner is really ahead."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.compare import compare
from advisor.compare.contender import Contender
from advisor.compare.roles import RoleOutcome, Unit
from tests.advisor.compare.contenders import contender, reads

rates = st.floats(1.0, 1e7)
spreads = st.sampled_from([0.0, 0.02, 0.3, float("nan")])


@st.composite
def contenders(draw: st.DrawFn) -> list[Contender]:
    count = draw(st.integers(2, 6))
    levels = st.sets(st.sampled_from([1, 2, 4, 8, 16, 32, 64, 128]), min_size=1)
    return [
        contender(
            f"c{index}",
            *(
                point
                for level in sorted(draw(levels))
                for point in reads({level: draw(rates)}, draw(spreads))
            ),
        )
        for index in range(count)
    ]


@settings(max_examples=60, deadline=None)
@given(contenders())
def test_order_changes_nothing_but_places(found: list[Contender]) -> None:
    there, back = compare(found), compare(found[::-1])
    last = len(found) - 1
    for one, other in zip(there.roles, back.roles, strict=True):
        assert (one.name, one.outcome) == (other.name, other.outcome)
        assert one.entries == other.entries[::-1]
        if one.winner is not None and other.winner is not None:
            assert one.winner == last - other.winner
    assert [each.kind for each in there.matched] == [each.kind for each in back.matched]


@settings(max_examples=60, deadline=None)
@given(contenders())
def test_a_winner_is_ahead_of_all_others(found: list[Contender]) -> None:
    for role in compare(found).roles:
        values = [entry.figure.value for entry in role.entries if entry is not None]
        assert len(role.entries) == len(found)
        if role.outcome is RoleOutcome.WON:
            assert role.winner is not None
            assert role.ahead is not None
            best = role.entries[role.winner]
            assert best is not None
            wanted = max(values) if role.unit is Unit.PER_S else min(values)
            assert best.figure.value == wanted
            assert role.ahead.value > 1
            assert not role.ahead.known or role.ahead.low > 1
        if role.outcome is RoleOutcome.ALONE:
            assert len(values) == 1
