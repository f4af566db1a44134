"""The client's report as one HTML file: no network, no scripts, light and dark, to be printed.

Everything is escaped by the template engine itself; nothing here or in the templates opts out.
"""

from __future__ import annotations

from importlib import resources

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from advisor.plan.change_plan import ChangePlan
from advisor.report.client import curves
from advisor.report.client.content import content
from advisor.report.curve_axis import rows
from advisor.report.report import Report
from advisor.report.safe_text import visible
from advisor.report.text.curves import MARKS, short
from advisor.report.text.points import interval_text
from advisor.upgrade.lens import LensReport
from probes._version import __version__
from probes.figures import UNKNOWN, duration_us
from probes.words import setting_line


def to_html(report: Report, plan: ChangePlan, seen: LensReport | None = None) -> str:
    """The report with the plan of what was chosen, as the text of a file."""
    return (
        _environment()
        .get_template("client.html")
        .render(
            told=content(report, plan, seen),
            figures=curves.figures(rows(report.case.points)),
            program=__version__,
        )
    )


def shown(value: object) -> object:
    """Text without characters that nobody sees: they could end or turn around what is shown."""
    if isinstance(value, Markup) or not isinstance(value, str):
        # What the templates made themselves was looked at piece by piece.
        return value
    return visible(value)


def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "plane": {
            "width": curves.WIDTH,
            "height": curves.HEIGHT,
            "left": curves.LEFT,
            "right": curves.WIDTH - curves.RIGHT,
            "top": curves.TOP,
            "bottom": curves.HEIGHT - curves.BOTTOM,
        },
        "unknown": UNKNOWN,
        "marks": MARKS,
    }
    environment.filters |= {
        "setting": setting_line,
        "interval": interval_text,
        "short": short,
        "duration": duration_us,
    }
    return environment


def _template(name: str) -> str:
    return (resources.files("resources") / "report" / name).read_text(encoding="utf-8")
