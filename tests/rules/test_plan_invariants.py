"""List and plan keep what they must of every server; and a breach of each is noticed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.judging.engine import judge
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.plan.change_plan import Action, Group
from advisor.steps import Needs, SetVariable
from advisor.target_config.configuration import configure, worth_planning
from advisor.variables.standing import Standing
from tests.knowledge.production_cases import ProductionServer, production_servers
from tests.rules.casework import build
from tests.rules.coherent import coherent_case
from tests.rules.plan_invariants import broken, lowered_unseen

SERVERS = production_servers()
TWO_VALUES = (11, 128, 179, 193, 881)
UNSEEN = (14, 16, 20, 22, 24, 25)
PACED = (0, 12, 13, 30, 34, 340)
IN_VAIN = (15, 27, 33, 51, 60, 64, 70)
"""Random cases in which a list and a plan were at odds, by what was wrong."""


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest) -> ProductionServer:
    return SERVERS[request.param]


def test_list_and_plan_of_a_whole_server_agree(server: ProductionServer) -> None:
    assert not broken(server.case, server.judged())


@pytest.mark.parametrize("number", [*TWO_VALUES, *UNSEEN, *PACED, *IN_VAIN])
def test_they_agree_where_they_were_at_odds(number: int) -> None:
    case = build(coherent_case(number)[1])
    assert not broken(case, judge(case))


def changed(judgement: Judgement, rule: str, **said: object) -> Judgement:
    """The judgement with something else said by one rule."""
    assert rule in {one.rule for one in judgement.recommendations}
    found: tuple[Recommendation, ...] = tuple(
        replace(one, **said) if one.rule == rule else one  # type: ignore[arg-type]
        for one in judgement.recommendations
    )
    return replace(judgement, recommendations=found)


def test_another_value_in_the_list_is_noticed() -> None:
    server = SERVERS["paced_mariadb"]
    listed = changed(server.judged(), "redo.capacity", proposed="1048576")
    assert broken(server.case, listed)[0].startswith("two values: innodb_log_file_size")


def test_what_waits_for_what_is_not_planned_is_noticed() -> None:
    server = SERVERS["paced_mariadb"]
    held = changed(
        server.judged(), "durability.commit-price", verdict=Verdict.WATCH, waits_for="other.rule"
    )
    assert "waits in vain: durability.commit-price for other.rule" in broken(server.case, held)


def test_a_pool_of_several_times_the_data_is_noticed() -> None:
    server = SERVERS["little_pool_in_idle_memory"]
    mysql = server.case.inventory.mysql
    assert mysql is not None
    small = replace(mysql, innodb_files_bytes=8 << 30)
    case = replace(server.case, inventory=replace(server.case.inventory, mysql=small))
    assert any(each.startswith("pool: ") for each in broken(case, server.judged()))


def test_a_pace_for_a_server_that_writes_nothing_is_noticed() -> None:
    server = SERVERS["cached_and_read_only"]
    paced = changed(server.judged(), "flushing.io-capacity", verdict=Verdict.RECOMMEND)
    assert any(each.startswith("paces 4 pages/s") for each in broken(server.case, paced))


def test_a_limit_that_the_list_does_not_lower_is_noticed() -> None:
    server = SERVERS["paced_mariadb"]
    judgement = server.judged()
    made = configure(server.case, judgement, worth_planning(judgement))
    assert not list(lowered_unseen(made.after, judgement, made.plan))
    step = SetVariable(Standing("innodb_io_capacity", "3000"), "1000", Needs.DYNAMIC)
    more = Action(Group.ONLINE, step, ("flushing.io-capacity",))
    plan = replace(made.plan, actions=(*made.plan.actions, more))
    assert list(lowered_unseen(made.after, judgement, plan)) == [
        "lowered unseen: innodb_io_capacity 3000 -> 1000"
    ]
