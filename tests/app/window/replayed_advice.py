"""What the rules of a replayed session say: advice that cites the case's own points."""

from __future__ import annotations

from dataclasses import replace

from advisor.case import Case
from advisor.knowledge.findings import findings
from advisor.outcomes import (
    Apply,
    Confidence,
    Evidence,
    Judgement,
    NotApplicable,
    NotJudged,
    Recommendation,
    Verdict,
)
from advisor.steps import Needs, SetVariable
from advisor.variables.standing import Standing
from probes.points import Probe
from probes.statistics.ranges import Range


def judgement(case: Case) -> Judgement:
    """Advice that cites the case's own points."""
    reads = [one for one in case.points if one.setting.probe is Probe.RANDOM_READ]
    writes = [one for one in case.points if one.setting.probe is Probe.RANDOM_WRITE]
    if not reads:
        return Judgement((), (NotJudged("storage.reads", "Reads", "Nothing was read."),))
    ids = tuple(one.id for one in (writes or reads) if one.id is not None)
    change = Recommendation(
        rule="flushing.io-capacity",
        title="io_capacity is far below what the drive can write",
        topic="flushing",
        verdict=Verdict.RECOMMEND,
        saw=f"The drive wrote up to {max(one.rate_per_s for one in writes or reads):,.0f} pages/s.",
        setting="innodb_io_capacity",
        now="200",
        proposed="2000",
        effect="Checkpoints keep up at peak load.",
        confidence=Confidence.MEDIUM,
        risk="More background writes.",
        needs=Needs.DYNAMIC,
        apply=Apply("SET PERSIST innodb_io_capacity = 2000;", "innodb_io_capacity = 2000", ""),
        undo="SET PERSIST innodb_io_capacity = 200;",
        flips_when="The server writes fewer than 100 pages/s at its busiest.",
        gain=Range(0.7, 0.7 / 2, 0.7),
        evidence=(
            Evidence("random_write", f"{len(ids)} points of random writes.", ids),
            Evidence("mysql.innodb_io_capacity", "innodb_io_capacity is 200, the default."),
        ),
        formula="4,000 pages/s x 0.5 = 2,000",
        valid="One drive, doublewrite on.",
        because="The drive was measured, the load was not.",
        cost_of_error="A few per cent of throughput.",
        verify="SELECT @@GLOBAL.innodb_io_capacity;",
        findings=(next(iter(findings())),),
        steps=(SetVariable(Standing("innodb_io_capacity", "200"), "2000", Needs.DYNAMIC),),
    )
    fine = Recommendation(
        Verdict.FINE,
        "4 threads are active, the knee is at 8.",
        rule="storage.latency-against-iops",
        title="Concurrency lies below the knee",
        topic="storage",
        gain=Range(0.2, 0.2 / 2, 0.2),
    )
    watch = replace(
        fine, rule="durability.redo", title="Each commit waits 0.9 ms", verdict=Verdict.WATCH
    )
    lacking = NotJudged(
        "buffer-pool.instances",
        "Instances of the buffer pool",
        "The server's load was not watched.",
    )
    elsewhere = NotApplicable("redo.writers", "Log writers", "It is about MariaDB.")
    open_ = NotJudged(
        "durability.redo-sync",
        "The price of a durable commit",
        "It turns on what a sync of the redo log takes. Over the ranges of the figures, it is "
        "fine in 64 % and a change is recommended in 36 %.",
        "redo.sync_cost",
    )
    return Judgement((change, watch, fine), (open_, lacking), (elsewhere,))
