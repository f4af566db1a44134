"""Random cases whose answers are known to break an invariant, by its name: each has to break it.

An invariant that is named here is not asked of other random cases (``UNHELD``). One that holds
again on a case that is listed fails that case's test: the case goes from the list then, and with
the last of its cases the invariant is held everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping

Numbers = Mapping[str, tuple[int, ...]]

ON_ITS_OWN: Numbers = {
    "fine_beside_its_risk": (
        69,
        119,
        120,
        132,
        158,
        197,
    ),
    "flushing_of_nothing": (
        0,
        13,
        22,
        30,
        34,
        64,
    ),
    "loss_without_stakes": (
        134,
        140,
        194,
        203,
        238,
        245,
    ),
    "lowered_unseen": (11,),
    "named_wait_without_a_line": (
        48,
        92,
        118,
        229,
    ),
    "two_values_of_one_setting": (
        11,
        128,
        179,
        193,
    ),
    "waits_for_what_is_not_planned": (
        33,
        60,
        64,
        187,
        215,
        224,
    ),
}
"""Numbers of ``coherent_case``."""

AT_WORK: Numbers = {
    "fine_beside_its_risk": (
        55,
        69,
        74,
        95,
        99,
        119,
    ),
    "flushing_of_nothing": (
        16,
        27,
        53,
        89,
        112,
        117,
    ),
    "limited_by_idle_processors": (
        25,
        30,
        55,
        56,
        67,
        69,
    ),
    "loss_without_stakes": (
        134,
        140,
        194,
        203,
        238,
        239,
    ),
    "lowered_unseen": (
        11,
        54,
    ),
    "named_wait_without_a_line": (
        12,
        31,
        44,
        49,
        67,
        69,
    ),
    "nothing_limits_unexplained": (
        26,
        46,
        53,
        149,
        154,
        161,
    ),
    "pool_beyond_the_data": (
        98,
        107,
        153,
        216,
        255,
    ),
    "two_values_of_one_setting": (
        11,
        54,
        66,
        230,
    ),
    "waits_for_what_is_not_planned": (
        24,
        26,
        35,
        51,
        59,
        71,
    ),
}
"""Numbers of ``case_at_work``."""

UNHELD = frozenset({*ON_ITS_OWN, *AT_WORK})
