"""What of a case's advice is planned, and as which version: --as, --only and --without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.plan.change_plan import ChangePlan
from advisor.ranking import is_offered, only_asked
from advisor.report.report import Report
from advisor.rulekit.registry import GONE
from advisor.target_config.planned import plan_of
from advisor.target_config.starting import StartingConfiguration
from advisor.upgrade.lens import LensReport, as_version, lens
from advisor.upgrade.releases import known_version
from probes.errors import UsageError


@dataclass(frozen=True, slots=True)
class AdviceChoice:
    """A report with the plan of what was chosen; ``seen`` is None where no version was asked for.

    With ``seen``, the report's judgement and the plan are for that version. The report's case stays
    as it was measured. With ``start`` the plan is that of a new server.
    """

    report: Report
    plan: ChangePlan
    seen: LensReport | None
    start: StartingConfiguration | None = None


def choose(report: Report, other: str, only: Sequence[str], without: Sequence[str]) -> AdviceChoice:
    """Plan what is asked for; an ``other`` of "" is the server's own version.

    Raises UsageError for a version that there is not, a case without a server to see as another,
    and a rule that recommends nothing here.
    """
    seen = _look(report, other) if other else None
    case = report.case
    if seen is not None:
        case = as_version(case, seen.after)
        report = replace(report, judgement=seen.judgement)
    chosen = _chosen(report.judgement, only, without)
    plan = plan_of(case, report.judgement, chosen, alone=bool(only), without=without)
    return AdviceChoice(report, plan, seen)


def _look(report: Report, other: str) -> LensReport:
    try:
        return lens(report.case, known_version(other), report.judgement)
    except ValueError as error:
        raise UsageError(str(error), "") from error


def _chosen(
    judgement: Judgement, only: Sequence[str], without: Sequence[str]
) -> list[Recommendation]:
    found = judgement.recommendations
    proposed = [one for one in found if one.verdict is Verdict.RECOMMEND or is_offered(one)]
    known = {each.rule for each in proposed}
    # What waits for other advice comes with it in one plan, unless it is left out.
    waiting = {each.rule for each in judgement.recommendations if each.waits_for}
    those = ", ".join(sorted(known))
    both = sorted({*only} & {*without})
    if both:
        raise UsageError(
            f"{both[0]} is asked for and left out.", "Give --only or --without for it."
        )
    for rule in (*only, *without):
        if rule in GONE:
            continue
        if rule not in known and not (rule in waiting and rule in without):
            raise UsageError(
                f"{rule} recommends nothing for this case.",
                f"Those that do: {those}." if known else "No rule does.",
            )
    asked = [each for each in proposed if each.rule not in without]
    if only:
        return [each for each in asked if each.rule in only]
    return [each for each in asked if not only_asked(each)]
