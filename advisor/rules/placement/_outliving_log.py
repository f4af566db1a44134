"""A binary log beside drives that a cloud empties: it stays apart, on a faster volume."""

from __future__ import annotations

from advisor.facts.machine.host import HOST_PLATFORM
from advisor.facts.watched.watch import CallTime
from advisor.gain import STANDS_OUT
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Card, Facts, Knowledge, Needs, by_hand
from advisor.workload import far_drive
from advisor.workload.commit_waits import shorter, shorter_by_up_to
from advisor.workload.query_time import OF_COMMITS_TIME, commits_time
from advisor.workload.sync_cost import SLOW_US
from probes.figures import duration_us
from probes.trust.provisioned import AWS, cloud_of
from probes.watch.words import FileRole

OUTLIVING_USES = (HOST_PLATFORM, *far_drive.USES, *OF_COMMITS_TIME)

IO2_US = 500.0
"""What AWS states of io2 Block Express on average, for 16 KiB ("Amazon EBS volume types")."""

WORTH_IO2 = 1.5
"""How many times as long a sync has to take where commits stand out in query time (our choice)."""

_STAYS = (
    "Leave it apart: the redo log's drive is empty after a stop of the machine, and the binary log "
    "has to outlive that."
)


def slow_from_us(facts: Facts) -> float:
    """From when on a sync of the log is slow on a volume that stays."""
    commits = commits_time(facts, far_drive.far_drive(facts, of_redo=True))
    felt = commits is not None and commits.share >= STANDS_OUT
    return WORTH_IO2 * IO2_US if felt and _at_amazon(facts) else SLOW_US


def outliving(facts: Facts, card: Card, own: CallTime) -> Answer:
    """Leave it on a drive that stays, and have that one faster."""
    if not _at_amazon(facts):
        return card.watch(
            "Commits wait for it: a faster kind of volume, or larger transactions, would shorten "
            f"that. {_STAYS}",
            relieves=(shorter_by_up_to(facts, FileRole.BINLOG, 1.0),),
        )
    binlog_us = own.latency_us.value
    what = "Make the binary log's volume an io2 Block Express"
    return card.recommend(
        by_hand(
            "io2 Block Express",
            what,
            (
                "Look up its kind in the console: where it is an io2 already, larger transactions "
                "are what is left.",
                f"{what}, in the provider's console: that works online.",
                "Watch the server again under the same load.",
            ),
            ("Make it the old kind again, in the provider's console.",),
            Needs.MONEY,
        ),
        setting="kind of the binary log's volume",
        now=f"{duration_us(binlog_us)} for a sync",
        effect=f"Commits wait for it, and AWS states {duration_us(IO2_US)} or less. {_STAYS} "
        "Larger transactions sync less often.",
        relieves=(shorter(facts, FileRole.BINLOG, binlog_us, IO2_US),),
        confidence=Confidence.MEDIUM,
        because="The server's own syncs were timed; the volume's kind is not known, and what a "
        "sync takes on the new one is what AWS states.",
        knowledge=Knowledge.DOCUMENTED,
        risk="It costs money each month, and a volume may be changed again only after hours.",
        cost_of_error="Money for a faster kind of volume than is needed.",
        side_effects="The volume may be slower during the change.",
        verify="The server's syncs of the binary log take less under the same load.",
    )


def _at_amazon(facts: Facts) -> bool:
    return cloud_of(facts.find(HOST_PLATFORM) or "") == AWS
