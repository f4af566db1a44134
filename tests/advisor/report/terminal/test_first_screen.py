"""What a report says first."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.judging.agenda import agenda
from advisor.judging.over_draws import judge
from advisor.outcomes import Judgement, NotJudged, Verdict
from advisor.report.document.blocks import text
from advisor.report.forms.text import page
from advisor.report.report import Report
from advisor.report.terminal.first_lists import BOTH, BRINGS, MATTERS, WIDTH, cut
from advisor.report.terminal.first_screen import LINES, first_screen
from advisor.rulekit.registry import all_rules
from advisor.run import RunKind, RunState
from advisor.variables.naming import value_text
from advisor.why import Lacks
from advisor.wording.advice.evidence_card import change_of
from advisor.wording.advice.nothing_to_change import left_open
from probes.events import BUDGET_SPENT, Warned
from probes.figures import THIN
from probes.points import Trust
from probes.targets.address import TargetKind
from tests.advisor.report.builders import render, report
from tests.advisor.report.cards import card
from tests.each import some_of
from tests.knowledge.production.cases import (
    ProductionServer,
    each_server,
    not_watched,
    production_servers,
)
from tests.points import doubted
from tests.rules.casework import build
from tests.rules.random_cases.coherent import coherent_case
from tests.rules.test_first_things_first import SMALL

MOST_CHANGES = 5
MANY_CHANGES, OPEN, CLOSES = 18, 13, 38
"""Where a case of each kind was last seen among the coherent ones; the search begins there."""


@cache
def of(number: int) -> Report:
    _, spec = coherent_case(number)
    case = build(spec)
    return replace(report(), case=case, judgement=judge(case))


def lines(told: Report) -> list[str]:
    return page(first_screen(told), WIDTH).splitlines()


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (1.0, "medium confidence)"),
        (0.95, "medium confidence)"),
        (0.87, "medium confidence, likely: holds in 87 % of readings)"),
        (0.7, "medium confidence, worth a try: holds in 70 % of readings)"),
    ],
)
def test_a_change_that_is_not_sure_says_its_share(share: float, said: str) -> None:
    judged = Judgement((replace(card(), share=share),))
    told = " ".join(" ".join(lines(replace(report(), judgement=judged))).split())
    head, _, _ = told.partition("1. innodb_io_capacity: 200 → 2000")[2].partition(")")
    assert f"{head})".endswith(said), head


FULL = (1057, 1066, 1293, 1340)
"""Cases that have the most to say."""


@cache
def production(name: str) -> Report:
    return report_of(production_servers()[name])


def report_of(server: ProductionServer) -> Report:
    return replace(report(), case=server.case, judgement=server.judged())


def flat(text: str) -> str:
    """On one line: a line may end between a figure and its unit."""
    return " ".join(text.split())


def fits(said: list[str]) -> bool:
    return len(said) <= LINES and max(map(len, said)) <= WIDTH


@pytest.mark.parametrize("number", some_of([*FULL, *range(1, 25)], 6))
def test_it_fits_a_screen(number: int) -> None:
    assert fits(lines(of(number)))


def test_it_fits_where_everything_has_much_to_say() -> None:
    told = of(FULL[0])
    saw, proposed = "Words that go on. " * 30, "another value " * 7
    judged = tuple(
        replace(one, saw=saw, proposed=proposed) for one in told.judgement.recommendations
    )
    points = tuple(
        replace(one, trust=Trust.DOUBTFUL, doubts=doubted("The rate swung a lot. " * 8))
        for one in told.case.points
    )
    told = replace(
        told,
        case=replace(told.case, points=points),
        judgement=replace(told.judgement, recommendations=judged),
        run=replace(told.run, state=RunState.FAILED, reason="The connection was lost. " * 7),
    )
    assert fits(lines(told))


@pytest.mark.parametrize("name", each_server())
def test_what_is_proposed_is_told_whole_and_has_a_reason(name: str) -> None:
    told = production(name)
    said = lines(told)
    assert fits(said)
    whole = flat(" ".join(said))
    lists = agenda(told.judgement)
    changes = [line for line in said if re.match(r"\d+\. ", line) and "Keep an eye on" not in line]
    # A server with more of them than the screen has room for is told how many stand elsewhere.
    here = len(changes) if re.search(r"and \d+ more", whole) else len(lists.changes)
    for one in (*lists.risks, *lists.changes[:here]):
        change = flat(change_of(one) if one.setting and one.proposed else one.title)
        if one.verdict is Verdict.WATCH and one.setting and one.now:
            safe = f"; {one.proposed} is safe" if one.proposed else ""
            change = flat(f"{one.setting} is {value_text(one.setting, one.now)}{safe}")
        assert change in whole
        assert flat(one.saw[:30]) in whole.split(change, 1)[1]


@pytest.mark.parametrize("name", ["replica", "galera"])
def test_a_risk_says_what_can_be_lost(name: str) -> None:
    said = flat(" ".join(lines(production(name))))
    assert "Up to 1 s of commits that were confirmed are lost" in said
    assert "apart from the risks, nothing needs a change" in said


def test_where_nothing_is_to_be_changed_that_is_said_and_no_plan_is_offered() -> None:
    for name in ("busy_and_well_tuned", "rds_class"):
        said = flat(" ".join(lines(production(name))))
        assert "Decided so far" in said
        assert "`leadline advise" not in said


def test_a_purchase_is_no_parameter() -> None:
    said = flat(" ".join(lines(report_of(not_watched("azure_business_critical")))))
    assert "a purchase" in said
    assert "`leadline advise 12 --md` gives the steps as text" in said


def test_a_case_files_commands_name_the_file() -> None:
    told = replace(production("unconfigured"), of_file="/tmp/a case.leadline")
    said = flat(" ".join(lines(told)))
    assert "`leadline advise '/tmp/a case.leadline' --full` shows all of it" in said
    assert "`leadline advise '/tmp/a case.leadline' --sql`" in said
    assert "run 12`" not in said
    assert "leadline check" not in said, "its machine is elsewhere"


def test_a_run_that_came_in_a_case_file_is_not_measured_again_from_here() -> None:
    turning = NotJudged("probe.one", "One", "It turns on it.", "fact", 3.0)
    told = replace(report(), judgement=Judgement(not_judged=(turning,)))
    known = " ".join(lines(told))
    came = replace(told, target=replace(told.target, kind=TargetKind.SSH, ssh=None, mysql=None))
    assert "--budget until-decided" in known
    assert "--budget until-decided" not in " ".join(lines(came))


def test_what_stands_below_has_its_part_of_the_screen() -> None:
    below = [text("more")] * 12
    for name in ("unconfigured", "galera"):
        said = page(first_screen(production(name), below), WIDTH).splitlines()
        assert fits(said)
        assert said[-12:] == ["more"] * 12


def test_housekeeping_is_one_line() -> None:
    said = flat(" ".join(lines(production("old_sata"))))
    kept = said.split("Housekeeping: ")[1].split(" questions decided")[0]
    assert "Deprecated in MySQL 5.7.44: query_cache_size = 0" in kept
    tidy = flat(" ".join(lines(production("busy_and_well_tuned"))))
    assert "Housekeeping: Two lines repeat defaults of MySQL 8.4.5" in tidy
    assert "out of support since October 2023" in kept


def test_a_spent_budget_says_what_measures_the_rest() -> None:
    unknown = Lacks(CURVE_RANDOM_READ_PAGE.name, "none")
    lacking = tuple(NotJudged(f"probe.{at}", "One", unknown) for at in range(2))
    told = replace(
        report(),
        judgement=Judgement(not_judged=lacking),
        warnings=(Warned(BUDGET_SPENT, "20 s are over."),),
    )
    said = flat(" ".join(lines(told)))
    assert "`leadline check db7 --budget until-decided` measures what 2 more questions lack" in said


def test_a_machine_that_nobody_described_says_what_would() -> None:
    told = production("rds_class")
    spec = replace(told.target, kind=TargetKind.MYSQL)
    untold = replace(told.case, inventory=replace(told.case.inventory, told=None))
    said = flat(" ".join(lines(replace(told, target=spec, case=untold))))
    assert "--class, --memory and --volume-iops say what this machine is" in said


def test_a_watch_that_settles_is_offered_with_its_seconds() -> None:
    turning = NotJudged("probe.one", "One", "It turns on it.", "fact", 24.0, by_watching=True)
    told = replace(report(), judgement=Judgement(not_judged=(turning,)))
    said = flat(" ".join(lines(told)))
    assert f"`leadline watch {told.case.target} --seconds 24` settles what is open" in said
    never = replace(turning, closes_s=None)
    said = " ".join(lines(replace(told, judgement=Judgement(not_judged=(never,)))))
    assert "What settles most" not in said


@pytest.mark.parametrize("number", FULL)
def test_no_value_is_cut_on_a_full_screen(number: int) -> None:
    told = of(number)
    whole = flat(" ".join(lines(told)))
    listed = whole.split("what matters most first", 1)[1]
    shown = [one for one in agenda(told.judgement).changes if one.setting in listed]
    assert len(shown) >= 4
    assert all(flat(change_of(one)) in listed for one in shown if f"{one.setting}: " in listed)
    assert not re.search("→ …|→ a multiple …", whole)


def test_a_text_is_cut_at_a_sentence_where_that_fills_the_room_else_at_a_word() -> None:
    assert cut("Short.", 20) == "Short."
    assert cut("A sentence that fills it. And another one.", 30) == "A sentence that fills it."
    assert cut("Short. A sentence that goes on and on.", 30) == "Short. A sentence that goes …"


def test_what_goes_down_with_a_setting_of_the_list_is_named_with_it() -> None:
    for name, now, then in (("gp3", 20000, 2000), ("container", 20000, 1000)):
        said = flat(" ".join(lines(production(name))))
        assert "innodb_io_capacity: " in said
        with_it = f"innodb_io_capacity_max: {now} → {then} (with innodb_io_capacity)."
        assert f"With them in one plan: {with_it} Then" in said
    alone = flat(" ".join(lines(production("little_pool_in_idle_memory"))))
    assert "With them in one plan: innodb_buffer_pool_size" not in alone


def test_lines_on_one_wait_name_its_gain_once() -> None:
    said = flat(" ".join(lines(production("reporting_replica_114"))))
    assert re.search(r"2\. tmp_table_size: [^(]*\(2\.6 to 14 % of query time", said)
    assert said.count("Keep an eye on (2.6 to 14 % together with 2)") == 2


def test_what_to_watch_stands_in_the_list_of_changes_by_its_weight() -> None:
    said = "\n".join(lines(production("network_volume")))
    assert BOTH in said
    assert re.search(r"\n1\. Keep an eye on \(\d+ to \d+\u202f% of query time\)", said)
    assert "a limit of 3.00" in said
    assert "\n2. innodb_buffer_pool_size: " in said
    whole = render(production("network_volume"))
    limit, pool = "1. See whether peaks reach", "2. Set innodb_buffer_pool_size to "
    assert -1 < whole.find(limit) < whole.find(pool)
    assert "keep an eye on" in whole[whole.find(limit) : whole.find(pool)]
    assert "\nKeep an eye on\n" not in whole
    # Where all of it is to be changed, the heading says so; where nothing is, that stands first.
    assert BRINGS in "\n".join(lines(production("old_sata")))
    # A log that is full within seconds stands before what is known to bring more.
    urgent = "\n".join(lines(production("unconfigured")))
    assert MATTERS in urgent
    assert BRINGS not in urgent
    nothing = "\n".join(lines(report_of(not_watched("zfs"))))
    assert -1 < nothing.find("Decided so far") < nothing.find("\nKeep an eye on\n•")


@pytest.mark.parametrize(
    ("name", "to_do"),
    [
        ("far_beyond_the_knee", "is 2000. A connection pool in front that admits about 128"),
        ("doublewrite_on_consumer_flash", "Redo on a drive with power-loss protection would"),
    ],
)
def test_what_to_watch_has_what_to_do_about_it_where_there_is_room(name: str, to_do: str) -> None:
    told = production(name)
    screen = page(first_screen(told), WIDTH)
    assert to_do in flat(screen)
    below = [text("More.")] * (LINES - screen.count("\n") + 5)
    full = flat(page(first_screen(told, below), WIDTH))
    assert to_do not in full
    assert "eep an eye on" in full


def test_where_the_only_change_is_a_risk_no_heading_of_changes_stands_over_nothing() -> None:
    told = production("small_vm")
    only = replace(
        told.judgement,
        recommendations=tuple(
            one for one in told.judgement.recommendations if one.rule != "host.swappiness"
        ),
    )
    assert not agenda(only).changes
    said = "\n".join(lines(replace(told, judgement=only)))
    assert "\nRisks\n" in said
    assert "\nChange" not in said
    assert "\nIn the plan\n" in said
    assert "Then watch the server again under load." in said


def test_the_changes_that_bring_most_are_there_in_order_and_the_rest_is_counted() -> None:
    told = next(
        one
        for one in map(of, range(MANY_CHANGES, 200))
        if len(agenda(one.judgement).changes) > MOST_CHANGES and not agenda(one.judgement).watch
    )
    said = "\n".join(lines(told))
    proposed = agenda(told.judgement).changes
    heads = [f"{number}. " for number in range(1, MOST_CHANGES + 1)]
    places = [said.index(f"\n{head}") for head in heads]
    assert places == sorted(places)
    assert f"\n{MOST_CHANGES + 1}. " not in said[said.index("Change, what") :]
    first = proposed[0]
    assert (change_of(first) if first.setting else first.title)[:30] in said
    assert f"and {len(proposed) - MOST_CHANGES} more" in said


def test_an_open_question_names_what_it_turns_on() -> None:
    told = next(one for one in map(of, range(OPEN, 400)) if one.judgement.open)
    said = " ".join(lines(told))
    assert "It turns on " in said
    assert f"{len(told.judgement.open)} open" in said


def test_a_run_that_was_cut_off_says_so_before_anything_else() -> None:
    told = of(1)
    told = replace(told, run=replace(told.run, state=RunState.CANCELLED, reason="Ctrl-C."))
    assert lines(told)[1].startswith("Cancelled. ")


def test_what_comes_with_the_changes_is_said_and_so_is_the_look() -> None:
    drive = {"reads_16k": [[1, 9000], [16, 30000]], "writes_one": [[1, 9e3], [16, 2e4]]}
    host = {"memory_gib": 23, "cpus": 16, "memory_available_bytes": 19 << 30}
    case = build(SMALL | drive | {"host": host})
    said = " ".join(lines(replace(report(), case=case, judgement=judge(case))))
    assert "Judged after them: innodb_io_capacity: 200 → " in said
    assert "so that fewer pages are left for the moment when writers have to wait" in said
    assert "Then watch the server again under load." in said


@pytest.mark.parametrize(
    ("kind", "settles"),
    [
        (RunKind.WATCH, "`leadline check db7` measures the drive for "),
        (RunKind.CHECK, "`leadline check db7 --budget until-decided` measures what is open"),
    ],
)
def test_without_a_change_it_says_how_much_is_decided_and_what_settles_most(
    kind: RunKind, settles: str
) -> None:
    turning = NotJudged("probe.one", "One", "It turns on it.", "fact", 3.0)
    unread = tuple(
        NotJudged(rule.id, "Title", Lacks("host.kernel", "nobody measured it"))
        for rule in all_rules()
    )
    told = replace(report(), judgement=Judgement(not_judged=(turning, *unread)))
    said = " ".join(lines(replace(told, run=replace(told.run, kind=kind))))
    assert "what brings most" not in said
    decided_, where = said.split("Decided so far ")[1].split("`leadline runs show", 1)
    assert decided_.startswith("None of the ")
    assert f"What settles most: {settles}" in decided_
    assert settles not in where


def test_it_says_how_long_it_takes_to_close_what_is_open() -> None:
    told = next(
        one
        for one in map(of, range(CLOSES, 400))
        if any(each.closes_s and not each.by_watching for each in one.judgement.open)
    )
    said = " ".join(lines(told))
    assert left_open(told.judgement) in said
    assert " more measuring closes " in left_open(told.judgement)
    assert "--budget until-decided" in said


def test_it_says_how_long_a_watch_closes_what_turns_on_the_servers_work() -> None:
    def turning(rule: str, closes_s: float, *, by_watching: bool) -> NotJudged:
        return NotJudged(rule, "One", "It turns on it.", "fact", closes_s, by_watching)

    watched = [turning(f"a.{s:.0f}", s, by_watching=True) for s in (40.0, 25.0)]
    found = Judgement(not_judged=tuple(watched))
    assert left_open(found) == f"2 open (about 40{THIN}s of watching closes all)"
    both = Judgement(not_judged=(*watched, turning("b", 3.0, by_watching=False)))
    assert left_open(both) == (
        f"3 open (about 3{THIN}s more measuring closes 1, about 40{THIN}s of watching closes 2)"
    )
