"""How to measure and judge a run again: the commands."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from advisor.report.document.blocks import Block, Paragraph, Role, Verbatim, plain
from advisor.report.report import Report
from advisor.run import RunKind
from advisor.target_names import CASE_SUFFIX
from probes.plans.kinds import PROBES_OF
from probes.plans.plan import UNTIL_DECIDED, Plan


def commands(report: Report) -> Iterator[tuple[str, str]]:
    """What each command does, and its line; the run's number holds where it is stored."""
    if line := _measured(report):
        yield "measure again", line
    file = shlex.quote(f"run-{report.run.id}{CASE_SUFFIX}")
    yield (
        "keep the measurement as a file that anyone can judge again",
        f"leadline case export {report.run.id} {file}",
    )
    yield "judge that file, with every rule", f"leadline advise {file}"
    yield "write this report from it", f"leadline report {file} -o report.pdf"


def _measured(report: Report) -> str:
    """The command that measures it; "" for what was imported."""
    name, plan = shlex.quote(report.case.target), report.plan
    match report.run.kind:
        case RunKind.WATCH:
            return f"leadline watch {name}"
        case RunKind.CHECK if plan is not None:
            return " ".join(("leadline check", name, *_options(report, plan)))
        case RunKind.PROBE if plan is not None:
            measured = {each.setting.probe for each in plan.steps}
            chosen = [kind.value for kind, probes in PROBES_OF.items() if measured & set(probes)]
            return " ".join(("leadline probe", *chosen, name, *_options(report, plan)))
        case _:
            return ""


def _options(report: Report, plan: Plan) -> Iterator[str]:
    yield from (f"--budget {UNTIL_DECIDED}",) if plan.deciding else (f"--plan {plan.name.value}",)
    if plan.sandbox:
        yield "--sandbox"
    directory = report.target.directory
    if directory:
        yield f"--dir {shlex.quote(directory)}"


def reproduce(report: Report) -> Iterator[Block]:
    """The same as blocks."""
    for label, line in commands(report):
        yield Paragraph(plain(label), Role.LABEL)
        yield Verbatim(line)
