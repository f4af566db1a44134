"""A change plan as a forecast takes it."""

from __future__ import annotations

from advisor.forecasts.live import live
from advisor.forecasts.of_plan import of_plan
from advisor.forecasts.turns import turned
from advisor.judging.over_draws import judge
from advisor.plan.change_plan import Action, ChangePlan, Group
from advisor.steps import Needs, SetVariable
from advisor.target_config.configuration import planned_of
from advisor.target_config.planned import plan_of
from advisor.variables.standing import Standing
from tests.advisor.forecasts.live_servers import on_a_slow_drive


def plan(**settings: str) -> ChangePlan:
    steps = [
        SetVariable(Standing(name, "1"), value, Needs.DYNAMIC) for name, value in settings.items()
    ]
    return ChangePlan(
        "db7", actions=tuple(Action(Group.ONLINE, each, (), each.value) for each in steps)
    )


def test_a_pool_that_is_planned_is_forecast() -> None:
    case = on_a_slow_drive()
    judgement = judge(case)
    wanted, apart = of_plan(plan_of(case, judgement, planned_of(judgement)), 1)
    assert list(wanted) == ["buffer_pool"]
    assert apart == ""
    change = turned(live(case), wanted).change
    assert change.reads.value < 0.6


def test_what_no_forecast_knows_is_named() -> None:
    wanted, apart = of_plan(
        plan(
            innodb_io_capacity="2000",
            innodb_flush_method="O_DIRECT",
            innodb_doublewrite_pages="128",
        ),
        log_files=1,
    )
    assert wanted == {"io_capacity": "2000"}
    assert apart == (
        "What innodb_flush_method and innodb_doublewrite_pages would bring is not in this forecast."
    )


def test_a_redo_log_is_as_large_as_all_of_its_files() -> None:
    assert of_plan(plan(innodb_redo_log_capacity="8192"), 2)[0] == {"redo_log": "8192"}
    assert of_plan(plan(innodb_log_file_size="4096"), 2)[0] == {"redo_log": "8192"}


def test_one_is_named_alone() -> None:
    _, apart = of_plan(plan(innodb_flush_method="O_DIRECT"), 1)
    assert apart == "What innodb_flush_method would bring is not in this forecast."
