"""What a target's home and the verdict above every page say, from judged runs."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QFrame, QLabel
from pytestqt.qtbot import QtBot

from advisor.case import Case
from advisor.facts.catalogue import CATALOGUE
from advisor.judging.decided import decided
from advisor.judging.over_draws import judge
from advisor.outcomes import Judgement, NotJudged, OpenAnswer, Verdict
from advisor.plan.change_plan import ChangePlan, PlanForecast
from advisor.run import RunKind, RunState
from advisor.why import Ends, TurnsOn
from advisor.wording.advice.plan import expected, saved_by
from app.controllers.run import DoneRun, LiveRun
from app.controllers.selection import Selection
from app.presenters.advice.card import card
from app.presenters.frame.quality import quality, together
from app.presenters.overview.facts import chains
from app.presenters.overview.home import (
    MOST_OPEN,
    Home,
    HomeChange,
    Settles,
    disk_lines,
    headline,
    home,
    plan_offer,
)
from app.presenters.overview.voice import spoken_by
from app.theme.appearance import Appearance
from app.views.overview.answers import Answers
from app.views.overview.storage_chains import StorageChains
from app.window.parts import ADVICE, OVERVIEW
from probes.doubts import DoubtKind, doubt
from probes.figures import THIN, duration_us
from probes.points import Probe, Setting, Trust
from probes.statistics.ranges import Range
from tests.advisor.forecasts.live_servers import on_a_slow_drive
from tests.app.window.conftest import OpenWindow
from tests.app.window.machine import inventory
from tests.app.window.replay import Replay, replayed
from tests.app.window.replayed_advice import judgement
from tests.app.window.runs import done_run
from tests.app.window.watched import watched_inventory
from tests.knowledge.production.cases import not_watched, production_servers
from tests.points import doubted
from tests.present import present
from tests.recorded_load import reads

POINTS = tuple(
    replace(replayed(Setting(Probe.RANDOM_READ, threads, 16384, 1, "/data")), id=threads)
    for threads in (1, 8, 64)
)
CASE = Case("local", inventory(), POINTS)


def run_of(case: Case, **changed: Any) -> DoneRun:
    points = changed.pop("points", case.points)
    return done_run(replace(case, points=tuple(points)), judgement(case), **changed)


def test_at_most_five_changes_are_listed_and_the_others_counted() -> None:
    judged = judgement(CASE)
    change = next(one for one in judged.recommendations if one.proposed)
    many = Judgement(tuple(replace(change, rule=f"a.rule-{at}") for at in range(7)))
    found = home(run_of(CASE), CASE, many)
    assert [one.rule for one in found.changes] == [f"a.rule-{at}" for at in range(5)]
    assert found.more == 2
    assert found.nothing == ""


def test_what_to_watch_stands_between_the_changes_by_its_weight() -> None:
    server = production_servers()["network_volume"]
    found = home(run_of(server.case), server.case, server.judged())
    assert [one.rule for one in found.changes[:2]] == ["cloud.request-limit", "buffer-pool.size"]
    watched, change = found.changes[:2]
    assert (watched.icon, change.icon) == ("eye", "lightbulb")
    assert " of query time · keep an eye on · medium confidence" in watched.gain
    assert watched.what == "See whether peaks reach the volume's limit of requests"
    assert "keep an eye on" not in change.gain
    # What only tidies is no change, and what is shown already is not counted again.
    assert found.more == 0
    # Where nothing is to be changed, that is said, and what to watch is counted there.
    clear = not_watched("zfs")
    found = home(run_of(clear.case), clear.case, clear.judged())
    assert found.changes == ()
    assert "2 things to keep an eye on" in found.nothing


def without_gains(judged: Judgement) -> Judgement:
    return replace(
        judged, recommendations=tuple(replace(each, gain=None) for each in judged.recommendations)
    )


def test_the_headline_is_what_limits_with_what_the_plan_saves_of_it() -> None:
    server = production_servers()["network_volume"]
    found = home(run_of(server.case), server.case, server.judged())
    assert re.fullmatch(
        r"\d.* % of query time goes to page reads\.", found.limit.replace(THIN, " ")
    )
    assert found.limit_more
    forecast = PlanForecast(
        *(8, 100.0, Range(148.0, 120.0, 190.0), Range(1.48, 1.2, 1.9), Range(0.3, 0.2, 0.4))
    )
    plan = ChangePlan("db7")
    assert headline(found.limit, None) == headline(found.limit, plan) == found.limit
    assert headline(found.limit, replace(plan, forecast=forecast)) == (
        f"{found.limit[:-1]}; with the plan a query takes 20 to 40{THIN}% less time."
    )


def test_the_button_to_the_plan_says_what_it_brings() -> None:
    assert plan_offer(None) == "See the plan"
    plan = ChangePlan("db7")
    assert plan_offer(plan) == "See the plan"
    times = Range(1.48, 1.2, 1.9)
    forecast = PlanForecast(8, 100.0, Range(148.0, 120.0, 190.0), times, Range(0.3, 0.2, 0.4))
    assert plan_offer(replace(plan, forecast=forecast)) == f"See the plan (+48{THIN}%)"


def test_the_next_step_is_what_would_settle_most() -> None:
    judged = judgement(CASE)
    assert home(run_of(CASE), CASE, judged).settles is Settles.WATCH
    early = run_of(CASE, state=RunState.CANCELLED)
    assert home(early, CASE, judged).settles is Settles.PROBE
    watched = Case("local", watched_inventory(), ())
    seen = run_of(watched, kind=RunKind.WATCH)
    # What is known to be gained comes before more measuring.
    assert home(seen, watched, judged).settles is Settles.PLAN
    small = without_gains(judged)
    assert home(seen, watched, small).settles is Settles.PROBE
    both = Case("local", watched_inventory(), POINTS)
    closed = replace(judged, not_judged=())
    assert home(run_of(both), both, closed).settles is Settles.PLAN
    question = replace(judged.not_judged[0], turns_on="reads", closes_s=20.0)
    asked = replace(small, not_judged=(question,))
    assert home(run_of(both), both, asked).settles is Settles.DECIDE


READS = "curve.random_read.page"
SWUNG = doubt(DoubtKind.SWUNG, low_per_s=1.0, high_per_s=9.0)


def test_an_open_question_has_both_answers_with_what_settles_it() -> None:
    both = (
        OpenAnswer(Verdict.RECOMMEND, 0.64, "a_setting", "1", "2", wrong="More wear."),
        OpenAnswer(Verdict.FINE, 0.36, misses="It waits for less."),
    )
    turns = TurnsOn(READS, ((Ends.RECOMMEND, 0.64), (Ends.FINE, 0.36)))
    question = NotJudged("a.b", "It", turns, READS, 20.0, answers=both)
    (told,) = home(run_of(CASE), CASE, Judgement(not_judged=(question,))).open
    on = f"It turns on {CATALOGUE[READS].meaning}."
    assert (told.title, told.why) == ("a_setting", on)
    assert told.answers == (
        f"1 → 2 (64{THIN}%) or leave it as it is (36{THIN}%); about 20{THIN}s more settles it."
    )
    shown = card(question)
    assert shown.saw == on
    labels = [row.label for row in shown.front]
    assert labels == ["Either", "Or", "What settles it"]
    # The button beside it does that.
    assert shown.settles is Settles.DECIDE
    assert card(replace(question, by_watching=True)).settles is Settles.WATCH
    assert card(replace(question, closes_s=None, settled_by="Ask.")).settles is None
    lab = tuple(replace(each, setting="innodb_page_size") for each in both)
    assert card(replace(question, closes_s=None, answers=lab)).settles is Settles.LAB
    assert "If that is wrong, it costs: More wear." in shown.front[0].text
    assert "If that is wrong, this is missed: It waits for less." in shown.front[1].text


def test_what_is_open_is_counted_once() -> None:
    """Beside the button that closes it, or in the list where that does something else."""
    judged = without_gains(judgement(CASE))
    question = replace(judged.not_judged[0], turns_on="reads", closes_s=20.0)
    asked = replace(judged, not_judged=(question,))
    both = Case("local", watched_inventory(), POINTS)
    found = home(run_of(both), both, asked)
    assert found.why == f"1 open (about 20{THIN}s more measuring closes it)."
    assert found.open_text == ""
    assert len(found.open) == 1
    unwatched = home(run_of(CASE), CASE, asked)
    assert "1 open" not in unwatched.why
    assert unwatched.open_text == ""
    many = replace(judged, not_judged=(question,) * (MOST_OPEN + 1))
    counted = home(run_of(CASE), CASE, many).open_text
    assert counted == f"5 open (about 1{THIN}min 40{THIN}s more measuring closes all)."
    assert home(run_of(both), both, replace(judged, not_judged=())).open_text == ""


def test_what_is_decided_open_and_lacks_facts_adds_up() -> None:
    whole = judgement(CASE)
    closed = tuple(replace(one, turns_on="") for one in whole.not_judged)
    judged = replace(whole, not_judged=closed)
    found = decided(judged, CASE)
    silent = found.applicable - found.judged
    assert silent == 2
    said = home(run_of(CASE), CASE, judged).count
    assert said.startswith(f"{found.judged} of {found.applicable} questions decided, ")
    assert said.endswith(" 2 lack facts.")
    first, *rest = judged.not_judged
    asked = replace(judged, not_judged=(replace(first, turns_on="reads", closes_s=20.0), *rest))
    said = home(run_of(CASE), CASE, asked).count
    assert said.endswith(" 1 lacks facts.")
    said = home(run_of(CASE), CASE, replace(judged, not_judged=())).count
    assert said.endswith(" fine.")


def test_which_run_speaks_is_said_with_the_headline() -> None:
    now = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
    at, later = "2026-11-22T07:24:00+00:00", "2026-11-23T08:10:00+00:00"
    unwatched = replace(CASE, inventory=replace(CASE.inventory, taken_at=at))
    assert spoken_by(run_of(unwatched), "", "", now) == "Read yesterday 07:24."
    assert spoken_by(run_of(unwatched), "", later, now) == (
        "Read yesterday 07:24; looked at again today 08:10."
    )
    case = on_a_slow_drive()
    case = replace(case, inventory=replace(case.inventory, taken_at=at))
    watched = done_run(case, judge(case), kind=RunKind.WATCH)
    assert spoken_by(watched, later, "", now) == (
        "Watched yesterday 07:24, 24.0 queries at work; drive measured today 08:10."
    )
    idle = replace(watched, judgement=replace(watched.judgement, time=None))
    assert spoken_by(idle, "", "", now) == "Watched yesterday 07:24, no query at work."


def test_the_disk_says_what_was_measured_and_what_the_watch_saw() -> None:
    lines = disk_lines(CASE, watched_inventory())
    said = [line for each in lines.values() for line in each]
    assert any("reads/s of 16\u202fKiB at " in line for line in said)
    assert any(line.startswith("watched: busy ") for line in said)
    assert not any("beside" in line for line in said)
    busy = replace(CASE, points=tuple(reads("busy")))
    first, *_ = disk_lines(busy, watched_inventory()).values()
    assert first[0].endswith("of 16\u202fKiB at 64 threads beside the server's own load")


def test_the_disk_says_by_which_call_a_commit_was_synced_and_what_is_doubtful() -> None:
    way = Setting(Probe.REDO_SYNC, 1, 4096, options={"sync": "o_dsync"})
    done = replace(replayed(way), trust=Trust.DOUBTFUL)
    said, *_ = disk_lines(Case("local", inventory(), (done,)), inventory()).values()
    took = duration_us(done.latency.p50_us)
    assert said == (f"a commit's sync takes {took} (O_DSYNC), doubtful",)


@pytest.mark.parametrize(
    ("doubtful", "tone", "says"),
    [
        (0, "good", "Measured well: all 10 points are sound"),
        (1, "good", "Measured well: 9 of 10 points are sound"),
        (3, "warn", "3 doubtful of 10 points"),
        (8, "bad", "8 doubtful of 10 points"),
    ],
)
def test_one_verdict_on_the_measurement(doubtful: int, tone: str, says: str) -> None:
    points = [
        replace(
            POINTS[0],
            trust=Trust.DOUBTFUL if at < doubtful else Trust.OK,
            doubts=(SWUNG,) if at < doubtful else (),
        )
        for at in range(10)
    ]
    found = quality(run_of(CASE, points=points))
    assert found is not None
    assert (found.tone, found.text) == (tone, says)
    assert ("The rate swung." in found.meaning) == (tone != "good")


@pytest.mark.parametrize(("number", "said"), [(1, "the only point is"), (2, "all 2 points are")])
def test_one_point_is_no_all(number: int, said: str) -> None:
    run = run_of(CASE, points=[POINTS[0]] * number)
    assert present(quality(run)).text == f"Measured well: {said} sound"
    live = LiveRun("local", "quick", points=run.points)
    assert present(quality(live)).text == f"Measured well so far: {said} sound"


def test_what_doubtful_points_share_is_said_before_what_all_points_say() -> None:
    doubtful = replace(POINTS[0], trust=Trust.DOUBTFUL, doubts=(SWUNG,))
    other = replace(doubtful, doubts=doubted("It drifted."))
    points = [doubtful, doubtful, other, POINTS[0]]
    run = run_of(CASE, points=points, findings=("A cache helped.",))
    first, *others = together(run)
    assert first == "3 points are doubtful, 2 of them for this: The rate swung."
    assert others == ["A cache helped."]
    assert together(run_of(CASE, points=[POINTS[0]])) == []


def test_a_run_that_goes_on_says_so_far_and_one_without_anything_nothing() -> None:
    going = quality(LiveRun("local", "quick", points=POINTS))
    assert going is not None
    assert "so far" in going.text
    assert quality(None) is None
    assert quality(run_of(CASE, points=[])) is None
    watched = quality(run_of(Case("local", watched_inventory(), ()), kind=RunKind.WATCH))
    assert watched is not None
    assert watched.text.endswith("nothing measured")


def test_home_says_what_is_expected_of_the_plan(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the run that is shown; what another run's plan is expected to bring stands elsewhere."""
    case = on_a_slow_drive()
    seen = done_run(case, judge(case), plan_name="")
    window = open_window(replay)
    window.show_page(ADVICE)
    monkeypatch.setattr(Selection, "latest", property(lambda _selection: seen))
    monkeypatch.setattr(Selection, "inventory", property(lambda _selection: case.inventory))
    window.show_page(OVERVIEW)
    said = window.pages.overview.answers.plan
    qtbot.waitUntil(lambda: said.text().startswith("Forecast of the plan: "))
    plan = present(window.advice_controller.plan)
    assert said.text() == expected(plan, in_brief=True)
    assert saved_by(plan) in window.overview.head.sentence.text()
    window.advice_controller.show(run_of(CASE))
    assert said.text() == ""


@pytest.mark.parametrize("width", [760, 2400])
def test_what_is_said_of_a_disk_is_seen_whole(
    qtbot: QtBot, appearance: Appearance, width: int
) -> None:
    long = "a commit's sync takes 236 µs beside the server's own load, busy 5.2 %"
    shown = StorageChains(appearance, chains(inventory(), {"nvme0n1": (long,) * 6}))
    qtbot.addWidget(shown)
    shown.resize(width, shown.heightForWidth(width))
    shown.show()
    said = next(one for one in shown.findChildren(QLabel) if one.text() == long)
    assert said.height() >= said.heightForWidth(said.width())


def test_what_a_change_is_for_is_seen_whole(qtbot: QtBot, appearance: Appearance) -> None:
    gain = "gain not quantified · a change of the machine · high confidence"
    why = "Drive vda reports rotational=1, but one thread's read takes no longer than a flash's."
    told = Home(
        "",
        (HomeChange("a.rule", "rotational: 1 to 0", gain, why),),
        0,
        "",
        (),
        "",
        "",
        Settles.PLAN,
        "",
    )
    shown = Answers(appearance)
    qtbot.addWidget(shown)
    list(shown.display(told))
    shown.resize(520, 400)
    shown.show()
    for text in (gain, why):
        line = next(one for one in shown.findChildren(QLabel) if one.text() == text)
        assert line.height() >= line.heightForWidth(line.width()) > line.fontMetrics().height()


def test_why_is_one_sentence() -> None:
    judged = judgement(CASE)
    change = next(one for one in judged.recommendations if one.proposed)
    long = replace(change, saw="The pool holds 1.5 % of the data. It misses often.")
    found = home(run_of(CASE), CASE, Judgement((long,)))
    assert found.changes[0].why == "The pool holds 1.5 % of the data."


def test_a_short_way_down_has_the_room_of_a_long_one_s_layers(
    qtbot: QtBot, appearance: Appearance
) -> None:
    """Disks stand below each other, and no line of a filesystem is broken for an empty place."""
    shown = StorageChains(appearance, chains(inventory()))
    qtbot.addWidget(shown)
    appearance.dress(shown)
    shown.resize(726, shown.heightForWidth(726))
    shown.show()
    frames = [one for one in shown.findChildren(QFrame) if one.property("role") == "disk"]
    lefts = {one.mapTo(shown, QPoint()).x() for one in frames}
    assert len(frames) > 1
    assert len(lefts) == 1
    free = [one for one in shown.findChildren(QLabel) if "free (" in one.text()]
    assert free[-1].height() < 2 * free[-1].fontMetrics().height()


def test_what_is_open_has_room_for_words_beside_the_changes(
    qtbot: QtBot, appearance: Appearance
) -> None:
    """In a window of 1024 pixels, too."""
    answers = Answers(appearance)
    qtbot.addWidget(answers)
    answers.resize(716, 400)
    answers.show()
    assert answers.questions_column.width() > 716 * 0.35
