"""What advice brings of a watched server: each rule's gain, and a plan as a whole."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from advisor.case import Case
from advisor.forecasts.advised import advised, advised_by, settings_of, to_turn
from advisor.forecasts.knobs.knobs import left_apart, turned
from advisor.forecasts.outlook import Outlook, forecast_of
from advisor.forecasts.server.live import Live, live
from advisor.forecasts.what_if import Forecaster
from advisor.gain import QueryTime, Relief, Stakes, Wait
from advisor.judging.engine import judge as judge_figures
from advisor.judging.expected import with_forecasts
from advisor.judging.over_draws import judge
from advisor.model.network.change import FIGURES
from advisor.model.network.stations import Place
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.plan.change_plan import Action, ChangePlan, Group, LateQueries, PlanForecast
from advisor.plan.planning import make_plan
from advisor.report.json.advice import plan_document
from advisor.steps import Needs, Procedure, SetVariable
from advisor.target_config.configuration import configure, planned_of
from advisor.variables.standing import Standing
from advisor.wording.advice.plan import expected, headline, late, outweighed
from probes.errors import UsageError
from probes.figures import THIN
from probes.statistics.ranges import Range
from tests.advisor.forecasts.live_servers import on_a_slow_drive

SLOW = [[1, 700], [4, 2_600], [16, 7_000], [64, 9_500], [256, 9_800]]
PLACES = {
    Wait.PAGE_READS: Place.DRIVE,
    Wait.COMMITS: Place.REDO,
    Wait.PROCESSORS: Place.CPU,
}


def plan(**settings: str) -> ChangePlan:
    steps = [
        SetVariable(Standing(name, "1"), value, Needs.DYNAMIC) for name, value in settings.items()
    ]
    return ChangePlan(
        "db7", actions=tuple(Action(Group.ONLINE, each, (), each.value) for each in steps)
    )


@cache
def case() -> Case:
    return on_a_slow_drive(
        reads_16k=SLOW,
        variables={"innodb_redo_log_capacity": str(1 << 30)},
        rates={"Innodb_redo_log_current_lsn": 2e6},
    )


@cache
def server() -> Live:
    return live(case())


@cache
def judged() -> Judgement:
    return judge(case())


def proposal(**settings: str) -> Recommendation:
    """Advice that sets these."""
    steps = tuple(
        SetVariable(Standing(name, "1"), each, Needs.DYNAMIC) for name, each in settings.items()
    )
    return Recommendation(
        Verdict.RECOMMEND, "Seen.", steps=steps, rule="some.rule", title="Some", topic="some"
    )


def time_of(waits: dict[Wait, float]) -> QueryTime:
    return QueryTime(Range.exact(24.0), {wait: Range.exact(count) for wait, count in waits.items()})


# --- what is turned ---


def test_a_pool_that_is_planned_is_turned() -> None:
    wanted, apart = to_turn(server(), settings_of(plan(innodb_buffer_pool_size=str(32 << 30))))
    assert wanted == {"buffer_pool": str(32 << 30)}
    assert apart == ()


def test_what_no_forecast_knows_is_named() -> None:
    wanted, apart = to_turn(
        server(),
        [
            ("innodb_io_capacity", "2000"),
            ("innodb_flush_method", "O_DIRECT"),
            ("innodb_doublewrite_pages", "128"),
        ],
    )
    assert wanted == {"io_capacity": "2000"}
    assert left_apart(apart) == (
        "What innodb_flush_method and innodb_doublewrite_pages would bring is not in this forecast."
    )
    assert left_apart(apart[:1]) == (
        "What innodb_flush_method would bring is not in this forecast."
    )


def test_a_value_that_can_not_be_turned_here_is_apart_as_well() -> None:
    unseen = live(on_a_slow_drive())
    assert to_turn(unseen, [("innodb_redo_log_capacity", str(8 << 30))]) == (
        {},
        ("innodb_redo_log_capacity",),
    )


def test_a_redo_log_is_as_large_as_all_of_its_files() -> None:
    two = replace(server(), settings=replace(server().settings, redo_files=2))
    wanted = to_turn(two, [("innodb_log_file_size", str(4 << 30))])[0]
    assert wanted == {"redo_log": str(8 << 30)}
    wanted = to_turn(two, [("innodb_redo_log_capacity", str(8 << 30))])[0]
    assert wanted == {"redo_log": str(8 << 30)}


# --- waits that end ---


def test_a_wait_that_no_place_explains_is_spared() -> None:
    found = advised(
        server(), time_of({Wait.FREE_PAGES: 2.0}), (), [Relief.up_to(Wait.FREE_PAGES, 1.0)]
    )
    # 2 queries wait at a time, of 20,000 a second: 100 us of each, half of which is expected.
    assert found.change.spared_us.value == pytest.approx(50, rel=0.02)
    assert found.change.spared_us.high == pytest.approx(100, rel=0.02)
    work = server().server.likeliest()
    after = found.change.made(work, (0.0,) * FIGURES, None)
    assert work.other_us - after.other_us == pytest.approx(50, rel=0.02)


def test_of_several_that_end_a_wait_the_largest_counts() -> None:
    reliefs = [Relief(Wait.COMMITS, Range.exact(each)) for each in (0.25, 0.5, 0.4)]
    found = advised(server(), time_of({Wait.COMMITS: 1.0}), (), reliefs)
    assert found.change.sync_time == Range.exact(0.5)


def test_a_setting_goes_before_what_its_rule_says_of_the_same_place() -> None:
    """A larger pool misses less by the miss curve: reads themselves stay as long."""
    reliefs = [Relief.whole(Wait.PAGE_READS), Relief.whole(Wait.FREE_PAGES)]
    time = time_of({Wait.PAGE_READS: 15.0, Wait.FREE_PAGES: 1.0})
    pool = [("innodb_buffer_pool_size", str(32 << 30))]
    found = advised(server(), time, pool, reliefs).change
    assert found.read_time == Range.exact(1.0)
    assert found.reads.value < 0.8
    assert found.spared_us.value > 0


def test_what_sets_nothing_counts_beside_a_setting_of_the_same_place() -> None:
    """A smaller pool reads more often, and each read of a faster volume is shorter."""
    time, pool = time_of({Wait.PAGE_READS: 15.0}), [("innodb_buffer_pool_size", str(12 << 30))]
    bought = [Relief(Wait.PAGE_READS, Range.exact(0.4))]
    found = advised(server(), time, pool, (), bought).change
    assert found.read_time == Range.exact(0.6)
    assert found.reads.value > 1


def test_a_limit_that_is_raised_makes_a_place_no_faster_than_by_what_it_lets_pass() -> None:
    most = Relief(Wait.PAGE_READS, Range(0.4, 0.0, 0.8), times=1.5)
    found = advised(server(), time_of({Wait.PAGE_READS: 15.0}), (), [most]).change
    assert found.read_time == Range(1 / 1.5, 1 / 1.5, 1.0)
    outlook = Outlook(server(), 16)
    assert 1 < outlook.times(found)[0].value <= 1.5


def test_a_plan_that_buys_is_forecast_with_it_and_without() -> None:
    """A pool that has to become smaller costs queries until the volume is faster."""
    now = Standing("innodb_buffer_pool_size", str(16 << 30))
    smaller = SetVariable(now, str(12 << 30), Needs.DYNAMIC)
    pool = replace(proposal(), rule="a.pool", steps=(smaller,), stakes=Stakes.DATA)
    buys = Procedure("Raise it", ("Raise it.",), needs=Needs.MONEY)
    relieves = (Relief(Wait.PAGE_READS, Range.exact(0.5)),)
    volume = replace(proposal(), rule="b.volume", steps=(buys,), relieves=relieves)
    both = replace(judged(), recommendations=(pool, volume))
    made = make_plan(case(), both.recommendations)
    assert len(made.actions) == 2
    found = forecast_of(case(), both, made, 16)
    assert found is not None
    assert found.until_bought is not None
    assert found.until_bought.value < 1 < found.times.value
    said = expected(replace(made, forecast=found)).replace(THIN, " ")
    assert re.search(r"less time; until more is bought: \d+ % fewer queries\.", said)
    alone = forecast_of(case(), both, make_plan(case(), [volume]), 16)
    assert alone is not None
    assert alone.until_bought is None


@pytest.mark.parametrize("wait", PLACES)
def test_a_place_that_takes_less_time_saves_some_of_it_and_never_more(wait: Wait) -> None:
    outlook = Outlook(server(), 16)
    today = Forecaster(server()).ask(turned(server(), {}), [32]).now.time
    share = {each.place: each.whole for each in today}[PLACES[wait]]
    gains = []
    for part in (0.3, 0.6, 0.9):
        relief = [Relief(wait, Range.exact(part))]
        found = advised(server(), time_of({wait: 1.0}), (), relief)
        gains.append(outlook.gain(outlook.times(found.change)[0]).value)
    assert gains == sorted(gains)
    assert gains[0] > 0
    # What waits for others there is shorter by more than a request itself is.
    assert gains[-1] <= share + 0.01


# --- one figure ---


def test_the_gain_of_a_rule_and_the_forecast_of_its_plan_say_the_same() -> None:
    """A query's time is shorter by the gain, and as many times as much is done."""
    pool = next(each for each in judged().recommendations if each.rule == "buffer-pool.size")
    made = configure(case(), judged(), [pool], alone=True).plan
    found = made.forecast
    assert found is not None and pool.gain is not None
    thinking = found.connections / server().server.at_work.value
    assert pool.gain.value == pytest.approx(thinking * (1 - 1 / found.times.value), abs=0.005)
    # The band of a plan holds besides what a measurement scatters by.
    low, high = (thinking * (1 - 1 / each) for each in (found.times.low, found.times.high))
    assert low < pool.gain.low <= pool.gain.value <= pool.gain.high < high


def test_no_rule_promises_more_than_the_whole_plan() -> None:
    made = configure(case(), judged(), planned_of(judged())).plan
    assert made.forecast is not None
    thinking = made.forecast.connections / server().server.at_work.value
    most = thinking * (1 - 1 / made.forecast.times.high)
    for one in planned_of(judged()):
        assert one.gain is None or one.gain.low <= most


def test_the_gain_of_what_is_only_watched_is_forecast_as_well() -> None:
    figures = judge_figures(case())
    forecast = with_forecasts(case(), figures.recommendations, figures.time)
    changed = [
        each.rule
        for each, before in zip(forecast, figures.recommendations, strict=True)
        if isinstance(each, Recommendation) and each.gain != before.gain
    ]
    assert "buffer-pool.size" in changed


def test_without_a_watch_gains_stay_as_they_are() -> None:
    unwatched = on_a_slow_drive(watched=None)
    found = judge_figures(unwatched)
    again = with_forecasts(unwatched, found.recommendations, found.time)
    assert tuple(again) == found.recommendations
    assert forecast_of(unwatched, found, plan(innodb_buffer_pool_size=str(32 << 30))) is None


@pytest.mark.parametrize("connections", [300, 3_000])
def test_connections_that_think_are_not_all_solved(connections: int) -> None:
    """As many at work and more that think: a query's time is shorter by as much."""
    thinking = {"series": {"Threads_connected": [connections + 1.0] * 30}}
    many = live(on_a_slow_drive(reads_16k=SLOW, watched=thinking))
    assert many.server.connections == connections
    few = Outlook(many.fewer(64), 16)
    outlook = Outlook(many, 16)
    change = turned(many, {"buffer_pool": "32G"}).change
    gains = [each.gain(each.times(change)[0]).value for each in (few, outlook)]
    assert gains[1] == pytest.approx(gains[0], rel=0.15)
    # Thinking takes most of a round: hardly more is asked.
    assert 1 < outlook.times(change)[0].value < 1 + 24 / connections


def test_as_many_connections_as_take_too_long_keep_their_share_of_waits() -> None:
    crowd = {
        "series": {"Threads_connected": [2_001.0] * 30},
        "running": [1_999.0, 2_000.0] * 15,
    }
    crowded = on_a_slow_drive(reads_16k=SLOW, watched=crowd)
    with pytest.raises(UsageError, match="take too long"):
        Outlook(live(crowded), 16)
    found = judge_figures(crowded)
    again = with_forecasts(crowded, found.recommendations, found.time)
    assert tuple(again) == found.recommendations


def some_server(number: int) -> Case:
    """Figures of any size, also such as can't all be true of one server."""
    random = Random(number)
    rate = 10 ** random.uniform(1.1, 5)
    connections = random.choice([1, 8, 100, 700])
    reads_us = 10 ** random.uniform(0, 4)
    counters = {
        "Questions": rate,
        "Com_commit": rate * random.choice([0, 0.5]),
        "Innodb_buffer_pool_reads": rate * random.choice([0, 0.01, 3]),
        "Innodb_pages_written": rate * random.choice([0, 0.1]),
        "Innodb_buffer_pool_wait_free": random.choice([0, 500]),
    }
    return on_a_slow_drive(
        rates=counters | {"Innodb_redo_log_current_lsn": random.choice([0, 6e6])},
        variables={
            "innodb_buffer_pool_size": str(random.choice([128 << 20, 16 << 30])),
            "innodb_redo_log_capacity": str(random.choice([50 << 20, 8 << 30])),
        },
        watched={
            "series": {name: [each * at for at in range(30)] for name, each in counters.items()}
            | {"Threads_connected": [connections + 1.0] * 30},
            "running": [min(connections, random.choice([0.1, 4, 90]))] * 30,
            "files": [
                ["data", "read", 1.0, reads_us, random.choice([0, reads_us]), 2 * reads_us],
                ["redo", "sync", 1.0, 400.0, 300.0, 900.0],
            ],
            "cpu": [8 * random.random(), 0.1],
            "machine": [random.random(), random.choice([0.0, 0.2])],
        },
    )


@pytest.mark.parametrize("number", range(12))
def test_whatever_was_watched_a_gain_is_a_share_of_query_time(number: int) -> None:
    found = judge_figures(some_server(number))
    for one in with_forecasts(some_server(number), found.recommendations, found.time):
        if isinstance(one, Recommendation) and one.gain is not None:
            assert 0 <= one.gain.low <= one.gain.value <= one.gain.high <= 1


# --- what would make it slower ---


def test_a_proposal_that_is_forecast_to_be_slower_is_not_proposed() -> None:
    small = proposal(innodb_buffer_pool_size=str(2 << 30))
    (found,) = with_forecasts(case(), [small], judged().time)
    assert isinstance(found, Recommendation)
    assert found.verdict is Verdict.WATCH
    assert found.steps == ()
    assert "so it is not proposed" in found.saw


def test_the_safety_of_data_is_not_weighed_against_speed() -> None:
    small = replace(proposal(innodb_buffer_pool_size=str(2 << 30)), stakes=Stakes.DATA)
    assert with_forecasts(case(), [small], judged().time) == [small]


def test_a_change_that_may_be_faster_is_proposed() -> None:
    large = proposal(innodb_buffer_pool_size=str(32 << 30))
    assert with_forecasts(case(), [large], judged().time) == [large]


# --- in words ---


def forecast(value: float, low: float, high: float) -> PlanForecast:
    times, saves = Range(value, low, high), Range(max(0.0, value - 1), 0.0, 1.0)
    return PlanForecast(16, 100.0, times.times(100.0), times, saves, ("innodb_flush_method",))


def test_a_plan_says_what_is_expected_of_it() -> None:
    made = plan(innodb_buffer_pool_size="1")
    assert expected(made) == ""
    better = replace(made, forecast=forecast(1.5, 1.2, 1.8))
    assert expected(better) == (
        "Forecast of the plan: 1.5× today's queries (1.2 to 1.8× in nine of ten "
        f"measurements); a query takes 0 to 100{THIN}% less time."
    )
    assert headline(better).endswith(
        "less time. What innodb_flush_method would bring is not in this forecast."
    )
    assert late(better) == ""
    timed = replace(forecast(1.5, 1.2, 1.8), p95=LateQueries(3_000.0, Range(2_000.0, 1e3, 4e3)))
    assert late(replace(made, forecast=timed)).replace(THIN, " ") == (
        "95 of 100 queries would be done within 2 ms (1 to 4 ms), today within 3 ms."
    )
    unsure = replace(made, forecast=forecast(1.3, 0.9, 1.7))
    assert expected(unsure).replace(THIN, " ") == (
        "Forecast of the plan: 30 % more queries (−10 to +70 % in nine of ten measurements); a "
        "query takes 0 to 100 % less time. One measurement alone may show nothing."
    )
    slower = replace(made, forecast=forecast(0.7, 0.6, 0.8))
    assert expected(slower).replace(THIN, " ") == (
        "Forecast of the plan: 30 % fewer queries (−40 to −20 % in nine of ten measurements)."
    )
    (proposed,) = with_forecasts(
        case(), [proposal(innodb_buffer_pool_size=str(32 << 30))], judged().time
    )
    assert isinstance(proposed, Recommendation)
    one = replace(proposed, gain=Range(0.6, 0.5, 0.7))
    assert outweighed(better, [one]).startswith("All steps together save less")
    assert outweighed(better, [replace(one, gain=Range(0.4, 0.3, 0.5))]) == ""
    assert outweighed(made, [one]) == ""
    assert plan_document(better)["forecast"]["times"] == {"value": 1.5, "low": 1.2, "high": 1.8}
    assert plan_document(made)["forecast"] is None


def test_advice_without_settings_is_nothing_to_turn() -> None:
    assert not advised_by(server(), time_of({}), proposal()).changes
