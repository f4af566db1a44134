"""All that Leadline makes of a case: judged, forecast, planned, reported in every form."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from io import StringIO

from rich.console import Console

from advisor.forecasts.live import live
from advisor.forecasts.turns import turned
from advisor.forecasts.what_if import Forecaster
from advisor.plan.export.formats import FORMATS
from advisor.report.document.cover import NO_COVER
from advisor.report.forms.html import to_html
from advisor.report.forms.markdown import to_markdown
from advisor.report.json.report import to_json
from advisor.report.json.what_if import to_json as forecast_json
from advisor.report.report import Report
from advisor.report.text.advice import advice_parts
from advisor.report.text.first_screen import first_screen
from advisor.report.text.plan import plan_parts
from advisor.report.text.report import renderable
from advisor.report.text.what_if import renderable as forecast_text
from app.cli.arguments.choice import AdviceChoice, choose
from probes.errors import LeadlineError


def use(report: Report) -> dict[str, str]:
    """Every text that is made of it, by what it is; what is refused in a sentence has that."""
    chosen = choose(report, "", (), ())
    texts = {
        "first screen": lambda: _printed(first_screen(report)),
        "report": lambda: _printed(renderable(report)),
        "advice": lambda: _printed(*advice_parts(report)),
        "plan": lambda: _printed(*plan_parts(chosen.plan)),
        "json": lambda: to_json(report, chosen.plan),
        "html": lambda: to_html(report, chosen.plan, None, NO_COVER),
        "report.md": lambda: to_markdown(report, chosen.plan, None, NO_COVER),
        "other version": lambda: _printed(*plan_parts(choose(report, "mysql-9.7", (), ()).plan)),
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
        made += forecast_json(result) + _printed(forecast_text(result))
    return made


def _said(text: Callable[[], str]) -> str:
    try:
        return text()
    except LeadlineError as error:
        return f"{error} {error.advice}"


def _printed(*parts: object) -> str:
    console = Console(file=StringIO(), width=100)
    for part in parts:
        console.print(part)
    return str(console.file.getvalue())  # type: ignore[attr-defined]
