"""The commands that a report ends with: all of it, the changes in a form, what settles the rest."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from advisor.judging.agenda import agenda
from advisor.judging.decided import lacks_points, left_to_probes
from advisor.plan.change_plan import ChangePlan
from advisor.plan.export.formats import usual_form
from advisor.report.report import Report
from advisor.wording.advice.open_question import deciding, watching
from probes.events import BUDGET_SPENT
from probes.figures import counted
from probes.targets.address import TargetKind
from probes.texts.lacking import WANTED

_AS_PARAMETERS = "the changes as the service takes them"
_GIVES = {
    "sql": "the changes as statements",
    "cnf": "the option file for a new server",
    "shell": "the machine's changes as a script",
    "md": "the steps as text",
}
"""What each form of a plan is, in a few words."""

_MACHINE_OPTIONS = "--class, --memory and --volume-iops"
"""What says of a machine that can't be reached what its facts would."""


def next_commands(report: Report, plan: ChangePlan) -> str:
    """One sentence of them, the most wanted first."""
    return f"{'; '.join(_all(report, plan))}."


def case_named(report: Report) -> str:
    """What CASE is called on a command line: its file where it came from one, else its number.

    With another run's curves it is its target, which a number would be without them.
    """
    named = report.of_file or ("" if report.case.curves_id is None else report.case.target)
    return shlex.quote(named) if named else str(report.run.id)


def settles(report: Report) -> str:
    """The command that decides most of what is open; "" where none does, or not from here.

    Of a server that is known from texts, the text to ask for.
    """
    if report.target.kind is TargetKind.TEXTS:
        unknown = {each.fact for each in report.case.inventory.missing}
        asked = (
            f"ask for {each.command}: it decides {each.decides}"
            for each in WANTED
            if each.fact in unknown
        )
        return next(asked, "")
    return "" if report.of_file or not report.target.has_address else _settles(report)


def _settles(report: Report) -> str:
    target, left = shlex.quote(report.case.target), left_to_probes(report.judgement)
    if left and report.is_watch_alone:
        return f"`leadline check {target}` measures the drive for {counted(left, 'more question')}"
    missing = sum(map(lacks_points, report.judgement.not_judged))
    if missing and any(each.code == BUDGET_SPENT for each in report.warnings):
        more = counted(missing, "more question")
        return f"`{deciding(target)}` measures what {more} lack"
    closed = [each for each in report.judgement.open if each.closes_s]
    if any(not each.by_watching for each in closed):
        return f"`{deciding(target)}` measures what is open"
    if closed:
        longest_s = max(each.closes_s or 0.0 for each in closed)
        return f"`{watching(longest_s, target)}` settles what is open"
    if _is_unknown(report):
        return f"{_MACHINE_OPTIONS} say what this machine is, which nobody else does"
    return ""


def _is_unknown(report: Report) -> bool:
    """Whether the machine is out of reach and nothing was said of it."""
    return report.target.kind is TargetKind.MYSQL and report.case.inventory.told is None


def _all(report: Report, plan: ChangePlan) -> Iterator[str]:
    case = case_named(report)
    everything = f"advise {case} --full" if case != str(report.run.id) else f"runs show {case}"
    yield f"`leadline {everything}` shows all of it"
    if plan.changes:
        form = usual_form(report.case.inventory.mysql)
        if form != "shell" and not plan.settings():
            form = "md"
        yield f"`leadline advise {case} --{form}` gives {_GIVES.get(form, _AS_PARAMETERS)}"
        if plan.container is not None and plan.settings():
            yield f"`leadline advise {case} --container` the lines as its container takes them"
    if agenda(report.judgement).changes and (settling := settles(report)):
        yield settling
