"""All that Leadline makes of a case: judged, forecast, planned, reported in every form."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from advisor.forecasts.knobs.knobs import turned
from advisor.forecasts.server.live import live
from advisor.forecasts.what_if import Forecaster
from advisor.report.document.cover import NO_COVER
from advisor.report.forms.plan_formats import FORMATS
from advisor.report.forms.text import page
from advisor.report.json.report import to_json
from advisor.report.json.what_if import to_json as forecast_json
from advisor.report.report import Report
from advisor.report.sections.forecasts import forecast_of_a_server
from advisor.report.sections.plan import plan_in_short
from advisor.report.terminal.first_screen import first_screen
from advisor.report.terminal.run import advice_blocks, whole_run
from app.cli.arguments.choice import AdviceChoice, choose
from probes.errors import LeadlineError
from tests.advisor.report.builders import to_html, to_markdown


def use(report: Report) -> dict[str, str]:
    """Every text that is made of it, by what it is; what is refused in a sentence has that."""
    chosen = choose(report, "", (), ())
    texts = {
        "first screen": lambda: page(first_screen(report)),
        "report": lambda: page(whole_run(report)),
        "advice": lambda: page(advice_blocks(report)),
        "plan": lambda: page(plan_in_short(chosen.plan)),
        "json": lambda: to_json(report, chosen.plan),
        "html": lambda: to_html(report, chosen.plan, None, NO_COVER),
        "report.md": lambda: to_markdown(report, chosen.plan, None, NO_COVER),
        "other version": lambda: page(plan_in_short(choose(report, "mysql-9.7", (), ()).plan)),
        "forecast": lambda: _forecast(report),
        **_forms(chosen),
    }
    return {name: _said(text) for name, text in texts.items()}


def _forms(chosen: AdviceChoice) -> dict[str, Callable[[], str]]:
    plan = chosen.plan
    return {
        f"{form.name}{way}": partial(write, plan)
        for form in FORMATS.values()
        for way, write in (("", form.apply), (" back", form.undo))
    }


def _forecast(report: Report) -> str:
    server = live(report.case)
    made = ""
    for name, value in (("buffer_pool_size", "8G"), ("sync_binlog", "1"), ("io_capacity", "900")):
        result = Forecaster(server).ask(turned(server, {name: value}, None, None), ())
        made += forecast_json(result) + page(forecast_of_a_server(result))
    return made


def _said(text: Callable[[], str]) -> str:
    try:
        return text()
    except LeadlineError as error:
        return f"{error} {error.advice}"
