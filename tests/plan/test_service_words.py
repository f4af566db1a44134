"""A server that a service runs: nowhere is it told to be set as its owner would set it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from advisor.judging.over_draws import judge
from advisor.outcomes import Verdict
from advisor.plan.export.formats import suits
from advisor.report.forms.plan_formats import FORMATS
from advisor.report.forms.text import page
from advisor.report.json.report import document
from advisor.report.report import Report
from advisor.report.sections.plan import plan_in_short
from advisor.report.terminal.first_screen import first_screen
from advisor.report.terminal.run import advice_blocks
from advisor.target_config.configuration import configure, planned_of
from advisor.variables.managed import service_of
from probes.inventory.mysql import read_version
from tests.advisor.report.builders import report, to_html, to_markdown
from tests.each import some_of
from tests.knowledge.production.cases import at_service

AS_ITS_OWNER = re.compile(
    r"SET (GLOBAL|PERSIST)|RESET PERSIST|option file|my\.cnf|--print-defaults|--(sql|cnf|shell)\b"
)
SERVICES = {
    "rds": ("8.0.39", {"basedir": "/rdsdbbin/mysql-8.0.39.R1/"}, "in the DB parameter group"),
    "aurora": ("8.0.39", {"aurora_version": "3.08.0"}, "in the DB cluster parameter group"),
    "azure": ("8.0.39-azure", {}, "among the server parameters"),
    "cloud-sql": ("8.0.39-google", {}, "among the database flags"),
}


@pytest.fixture(params=some_of(SERVICES, 1))
def told(request: pytest.FixtureRequest) -> tuple[Report, str]:
    return judged(request.param)


@cache
def judged(service: str) -> tuple[Report, str]:
    """An untuned server under load, as its account alone sees it; where its settings are made."""
    version, variables, place = SERVICES[service]
    case = at_service("unconfigured", version, variables)
    return replace(report(), case=case, judgement=judge(case)), place


def test_no_form_tells_to_set_it_as_its_owner(told: tuple[Report, str]) -> None:
    made, place = told
    texts = list(_texts(made))
    for text in texts:
        assert not AS_ITS_OWNER.search(text), AS_ITS_OWNER.search(text)
    assert sum(place in text for text in texts) >= len(("a card", "the plan as text", "reports"))


def test_each_change_says_where_its_value_goes(told: tuple[Report, str]) -> None:
    made, place = told
    asked = [r for r in made.judgement.recommendations if r.verdict is Verdict.RECOMMEND]
    assert {"buffer-pool.size"} <= {one.rule for one in asked}
    for one in asked:
        assert not (one.apply.sql or one.apply.cnf)
        assert f"{one.setting} = {one.proposed}" in one.apply.service
        assert f"{one.setting} = {one.now}" in one.undo
        assert place in one.apply.service
        assert place in one.undo


def _texts(made: Report) -> Iterator[str]:
    """All that is told of a report and its plan, in every form that suits the server."""
    plan = configure(made.case, made.judgement, planned_of(made.judgement)).plan
    assert plan.actions
    yield page(first_screen(made), 100)
    yield page((*advice_blocks(made), *plan_in_short(plan)), 100)
    told = document(made, plan)
    yield json.dumps([told[part] for part in ("recommendations", "not_judged", "change_plan")])
    yield to_html(made, plan)
    yield to_markdown(made, plan)
    for form in FORMATS.values():
        if suits(form.name, plan.version):
            yield form.apply(plan)
            yield form.undo(plan)


def test_the_service_of_a_mariadb_server_is_known() -> None:
    answers = {
        "mysql.version": '{"version": "10.11.8-MariaDB-log"}',
        "mysql.variables": '{"basedir": "/rdsdbbin/mariadb-10.11.8.R1/"}',
    }
    version = read_version(answers)
    assert str(version) == "Amazon RDS for MariaDB 10.11.8"
    service = service_of(version)
    assert service is not None
    assert service.form == "rds"
    assert service_of(read_version(answers | {"mysql.variables": "{}"})) is None
