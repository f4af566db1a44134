"""Why points are doubted, each reason once."""

from __future__ import annotations

from dataclasses import replace

from advisor.report.sections.points import doubts
from advisor.wording.measured import doubts as wording
from probes.doubts import Doubt, DoubtKind, doubt, stated
from probes.points import LimitedBy, Point, Probe, Setting, Trust
from tests.advisor.report.builders import kept


def test_doubts_are_grouped_by_their_reason() -> None:
    def doubtful(reason: Doubt, limit: LimitedBy = LimitedBy.NOTHING) -> Point:
        setting = Setting(Probe.RANDOM_READ, 4, 16384, 1)
        one = kept(setting, 10.0, 9, Trust.DOUBTFUL)
        return replace(one, doubts=(reason,), limited_by=limit)

    low, high = (doubt(DoubtKind.SWUNG, low_per_s=each, high_per_s=90.0) for each in (1.0, 2.0))
    swung = [doubtful(low), doubtful(high)]
    stopped = doubt(DoubtKind.WITHOUT_BARRIERS, option="nobarrier")
    alike = [doubtful(stopped, LimitedBy.CPU) for _ in range(2)]
    lone = doubtful(stated("It was short: 3 operations."))
    told = doubts([*swung, *alike, lone])
    assert [(each.reason, each.point_ids) for each in told] == [
        ("The rate swung.", tuple(each.id for each in swung)),
        (wording.sentence(stopped), tuple(each.id for each in alike)),
        ("The CPUs were the limit, not the drive.", tuple(each.id for each in alike)),
        ("It was short: 3 operations.", (lone.id,)),
    ]
    assert [bool(each.alone) for each in told] == [False, False, False, True]
