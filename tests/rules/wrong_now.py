"""Random cases whose answers are known to break an invariant, by its name: each has to break it.

An invariant that is named here is not asked of other random cases (``UNHELD``). One that holds
again on a case that is listed fails that case's test: the case goes from the list then, and with
the last of its cases the invariant is held everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping

Numbers = Mapping[str, tuple[int, ...]]

ON_ITS_OWN: Numbers = {
    "fine_beside_its_risk": (69, 119, 120),
    "flushing_of_nothing": (0, 13, 22),
    "loss_without_stakes": (134, 140, 194),
    "lowered_unseen": (11,),
    "named_wait_without_a_line": (48, 92, 118),
    "two_values_of_one_setting": (11, 128, 179),
    "waits_for_what_is_not_planned": (33, 60, 64),
}
"""Numbers of ``coherent_case``."""

AT_WORK: Numbers = {
    "fine_beside_its_risk": (55, 74, 95),
    "flushing_of_nothing": (16, 53, 89),
    "limited_by_idle_processors": (25, 30, 55),
    "loss_without_stakes": (203, 238, 239),
    "lowered_unseen": (11, 54),
    "named_wait_without_a_line": (12, 31, 44),
    "nothing_limits_unexplained": (26, 46, 149),
    "pool_beyond_the_data": (98, 107, 153),
    "two_values_of_one_setting": (11, 54, 66),
    "waits_for_what_is_not_planned": (24, 35, 51),
}
"""Numbers of ``case_at_work``."""

UNHELD = frozenset({*ON_ITS_OWN, *AT_WORK})
