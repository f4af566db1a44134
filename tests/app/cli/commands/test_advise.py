"""A stored run is judged anew: advice, the plan in every form, and another version's view."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.report.forms.plan_formats import FORMATS
from advisor.rulekit.registry import GONE
from advisor.run import RunState
from advisor.store.store import Store
from tests.advisor.report.json.schema import faults
from tests.advisor.store.builders import IMPORTED, PLAN, RAW, SPEC
from tests.app.cli.forked import Done
from tests.app.cli.kept import RULE, keep

Leadline = Callable[..., Done]


@pytest.fixture
def run_id(home: Path) -> str:
    with Store.open() as store:
        return str(keep(store))


def flat(text: str) -> str:
    return " ".join(text.split())


def test_advice_comes_with_its_plan(leadline: Leadline, run_id: str) -> None:
    done = leadline("advise", run_id, "--full")
    assert done.code == 0
    text = flat(done.stdout)
    assert f"({RULE})" in text
    assert "innodb_io_capacity: 20000 →" in text
    assert text.index("Advice") < text.index("Not judged") < text.index("Change plan")
    assert "While the server runs" in text.split("Change plan")[1]
    assert leadline("advise", "db7", "--full") == done


def test_what_is_found_ends_it_with_a_code_of_its_own(leadline: Leadline, run_id: str) -> None:
    """The run has a change that pays, and no risk."""
    plain = leadline("advise", run_id)
    codes = {
        part: leadline("advise", run_id, "--fail-on", part).code for part in ("risk", "change")
    }
    assert plain.code == 0
    assert codes == {"risk": 0, "change": 5}
    assert leadline("advise", run_id, "--fail-on", "change").stdout == plain.stdout


def test_the_document_holds_the_plan(leadline: Leadline, run_id: str, tmp_path: Path) -> None:
    content = json.loads(leadline("advise", run_id, "--json").stdout)
    assert faults(content) == []
    plan = content["change_plan"]
    assert plan["server"] == "MySQL 8.0.33"
    assert RULE in {rule for action in plan["actions"] for rule in action["rules"]}
    file = tmp_path / "advice.json"
    assert leadline("advise", run_id, "--json", "-o", str(file)).stdout == ""
    assert json.loads(file.read_text("utf-8"))["change_plan"] == plan


@pytest.mark.parametrize("form", FORMATS)
def test_the_plan_comes_in_every_form_and_back(leadline: Leadline, run_id: str, form: str) -> None:
    done = leadline("advise", run_id, f"--{form}", "--only", RULE)
    back = leadline("advise", run_id, f"--{form}", "--undo", "--only", RULE)
    assert (done.code, back.code) == (0, 0)
    assert done.stdout != back.stdout
    if form != "shell":
        assert "innodb_io_capacity" in done.stdout


def test_sql_sets_and_undoes(leadline: Leadline, run_id: str) -> None:
    there = leadline("advise", run_id, "--sql", "--only", RULE).stdout
    back = leadline("advise", run_id, "--sql", "--undo", "--only", RULE).stdout
    assert "SET PERSIST innodb_io_capacity = " in there
    assert "SET GLOBAL innodb_io_capacity = 20000;" in back
    assert back in leadline("advise", run_id, "--undo", "--sql", "--only", RULE).stdout
    assert "innodb_io_capacity" in leadline("advise", run_id, "--undo", "--only", RULE).stdout


def test_a_managed_server_is_given_what_its_service_takes(leadline: Leadline, home: Path) -> None:
    with Store.open() as store:
        run = str(keep(store, variables={"basedir": "/rdsdbbin/mysql-8.0.33.R1/"}))
    for form in ("sql", "cnf", "ansible", "shell", "azure"):
        refused = leadline("advise", run, f"--{form}")
        assert refused.code == 2
        assert "Amazon RDS takes no " in refused.stderr
        assert "--rds gives the plan as it takes it" in flat(refused.stderr)
    [asked] = json.loads(leadline("advise", run, "--rds", "--only", RULE).stdout)["inputs"]
    assert "innodb_io_capacity" in {one["ParameterName"] for one in asked["Parameters"]}
    assert "in the DB parameter group" in leadline("advise", run, "--undo", "--only", RULE).stdout


def test_rules_are_chosen(leadline: Leadline, run_id: str) -> None:
    alone = json.loads(leadline("advise", run_id, "--json", "--only", RULE).stdout)
    assert {rule for action in alone["change_plan"]["actions"] for rule in action["rules"]} == {
        RULE
    }
    without = leadline("advise", run_id, "--sql", "--without", RULE).stdout
    assert "SET PERSIST innodb_io_capacity =" not in without
    both = leadline("advise", run_id, "--only", RULE, "--without", RULE)
    assert (both.code, "is asked for and left out" in both.stderr) == (2, True)
    refused = leadline("advise", run_id, "--only", "flushing.nothing")
    assert refused.code == 2
    assert "flushing.nothing recommends nothing for this case." in refused.stderr
    assert RULE in refused.stderr


@pytest.mark.parametrize("rule", sorted(GONE))
def test_a_script_that_names_a_rule_that_is_gone_goes_on(
    leadline: Leadline, run_id: str, rule: str
) -> None:
    whole = leadline("advise", run_id, "--sql")
    assert leadline("advise", run_id, "--sql", "--without", rule) == whole
    both = leadline("advise", run_id, "--sql", "--only", RULE, "--only", rule)
    assert both == leadline("advise", run_id, "--sql", "--only", RULE)
    alone = leadline("advise", run_id, "--sql", "--only", rule)
    assert (alone.code, "SET " in alone.stdout) == (0, False)
    shown = leadline("advise", run_id, "--rule", rule)
    assert (shown.code, f"no longer has the rule {rule}" in flat(shown.stdout)) == (0, True)


def test_an_empty_plan_says_so_beside_its_text(leadline: Leadline, home: Path) -> None:
    with Store.open() as store:
        keep(store, "bare", mysql=False)
    done = leadline("advise", "bare", "--sql")
    assert done.code == 0
    assert "SET " not in done.stdout
    assert "The plan is empty" in done.stderr


def test_the_case_can_be_seen_from_another_version(leadline: Leadline, run_id: str) -> None:
    done = leadline("advise", run_id, "--as", "mysql-8.4")
    assert done.code == 0
    assert "MySQL 8.4" in done.stdout
    content = json.loads(leadline("advise", run_id, "--as", "mysql-8.4", "--json").stdout)
    assert faults(content) == []
    assert content["change_plan"]["server"].startswith("MySQL 8.4")
    wrong = leadline("advise", run_id, "--as", "8.4")
    assert wrong.code == 2
    assert "Write mysql-8.4, say" in wrong.stderr
    for version in ("mysql-5.1", "mysql-10.0", "mariadb-10.1"):
        unknown = leadline("advise", run_id, "--as", version)
        assert unknown.code == 2
        assert "Leadline knows M" in unknown.stderr or "There is no MySQL" in unknown.stderr
        assert leadline("variables", "--for", version).code == 2


@pytest.mark.parametrize(
    ("version", "newer"),
    [("mysql-26.7", 0), ("mysql-26.10", 1), ("mariadb-12.3", 0), ("mariadb-13.0", 1)],
)
def test_a_case_can_be_seen_from_versions_of_now_and_later(
    leadline: Leadline, run_id: str, version: str, newer: int
) -> None:
    done = leadline("advise", run_id, "--as", version)
    assert done.code == 0, done.stderr
    assert " ".join(done.stdout.split()).count("newer than all that Leadline knows") == newer
    assert leadline("variables", "--for", version).code == 0


def test_wishes_that_contradict_each_other_are_refused(leadline: Leadline, run_id: str) -> None:
    two = leadline("advise", run_id, "--sql", "--json")
    assert two.code == 2
    assert "--sql, --json" in two.stderr
    assert leadline("advise", run_id, "--json", "--undo").code == 2


def test_a_case_that_there_is_not(leadline: Leadline, run_id: str) -> None:
    missing = leadline("advise", "99")
    assert missing.code == 2
    assert "There is no run 99." in missing.stderr
    near = leadline("advise", "db8")
    assert near.code == 2
    assert "Is it db7?" in near.stderr


def test_a_targets_last_finished_run_is_meant(leadline: Leadline, run_id: str) -> None:
    with Store.open() as store:
        later = keep(store)
        failed = store.start_run(SPEC, RAW, PLAN)
        store.end_run(failed, RunState.FAILED, "The agent died.")
    content = json.loads(leadline("advise", "db7", "--json").stdout)
    assert content["run"]["id"] == later


def test_a_target_that_never_came_to_its_end(leadline: Leadline, home: Path) -> None:
    with Store.open() as store:
        store.end_run(store.start_run(SPEC, RAW, PLAN), RunState.FAILED, "The agent died.")
    done = leadline("advise", "db7")
    assert done.code == 2
    assert "No run of db7 came to its end; the latest, run 1, is failed." in done.stderr


def test_an_import_is_not_judged(leadline: Leadline, home: Path) -> None:
    with Store.open() as store:
        run_id = store.add_import(IMPORTED, "lab")
    done = leadline("advise", str(run_id))
    assert done.code == 2
    assert "was imported" in done.stderr


def test_it_says_first_what_matters(leadline: Leadline, run_id: str, tmp_path: Path) -> None:
    whole, first = leadline("advise", run_id, "--full"), leadline("advise", run_id)
    assert first.code == 0
    assert len(first.stdout.splitlines()) <= 40 < len(whole.stdout.splitlines())
    assert "Change or watch, what matters most first" in first.stdout
    assert leadline("advise", run_id, "-o", str(tmp_path / "first.txt")).code == 0
    assert "what matters most first" in (tmp_path / "first.txt").read_text(encoding="utf-8")
    refused = leadline("advise", run_id, "--full", "--cnf")
    assert (refused.code, refused.stdout) == (2, "")
    assert "show advice as text" in refused.stderr


def test_one_rule_says_all_that_it_has(leadline: Leadline, run_id: str) -> None:
    """Whatever its verdict: recommended, fine, without a fact, about other servers."""
    said = {
        rule: leadline("advise", run_id, "--rule", rule).stdout
        for rule in (RULE, "threads.native-aio", "block.write-cache", "durability.doublewrite")
    }
    assert "SET PERSIST innodb_io_capacity" in said[RULE]
    assert "Evidence" in said[RULE]
    assert all(rule in text for rule, text in said.items())
    assert len(set(said.values())) == len(said)
    two = leadline("advise", run_id, "--rule", RULE, "--rule", "threads.native-aio").stdout
    assert RULE in two
    assert "threads.native-aio" in two
    for wrong in (("--rule", "redo.nothing"), ("--rule", RULE, "--full")):
        refused = leadline("advise", run_id, *wrong)
        assert (refused.code, refused.stdout) == (2, "")
        assert "Traceback" not in refused.stderr


def test_what_was_chosen_is_planned_in_short(leadline: Leadline, run_id: str) -> None:
    done = leadline("advise", run_id, "--only", RULE)
    assert f"({RULE})" in flat(done.stdout)
    assert "Change plan" in done.stdout
    assert len(done.stdout.splitlines()) <= 40
