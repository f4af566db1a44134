"""The plan of a case: of its server's changes, or of a new server where Leadline's own was tried.

Both fronts ask here, so that a plan is the same in the window, on the command line and in reports.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from advisor.case import Case
from advisor.outcomes import Judgement, Recommendation
from advisor.plan.change_plan import ChangePlan
from advisor.target_config.configuration import configure, planned_of
from advisor.target_config.starting import starting_configuration
from probes.errors import UsageError


def plan_of(
    case: Case,
    judgement: Judgement,
    chosen: Sequence[Recommendation],
    *,
    alone: bool = False,
    without: Collection[str] = (),
) -> ChangePlan:
    """Make the plan of what is chosen of a case's judgement; ``alone``: of nothing else.

    The rules of ``without`` stay out of what follows, too.

    The settings of Leadline's own server are nobody's, so there the plan is what a new server of
    that version starts with.
    """
    mysql = case.inventory.mysql
    if mysql is not None and mysql.sandbox and mysql.version.is_known and not alone:
        wanted = {one.rule for one in chosen}
        refused = ({one.rule for one in planned_of(judgement)} - wanted) | set(without)
        try:
            return starting_configuration(case, mysql.version, without=refused).plan
        except UsageError:
            pass  # Without a measured drive, or its memory, it has no start: the advice stands.
    return configure(case, judgement, chosen, alone=alone, without=without).plan
