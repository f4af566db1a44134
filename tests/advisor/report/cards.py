"""Advice with a full evidence card and every kind of step, as a rule could give it."""

from __future__ import annotations

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
from advisor.steps import HostCommand, Needs, Procedure, RemoveLine, SetVariable
from advisor.variables.standing import Standing
from advisor.why import Lacks
from probes.statistics.ranges import Range

SET = SetVariable(Standing("innodb_io_capacity", "200"), "2000", Needs.DYNAMIC)
REMOVE = RemoveLine("innodb_file_format", "Barracuda", "/etc/my.cnf")
COMMAND = HostCommand(
    "Use the none scheduler",
    "echo none > /sys/block/sda/queue/scheduler",
    "echo mq-deadline > /sys/block/sda/queue/scheduler",
    "cat /sys/block/sda/queue/scheduler",
    "/etc/udev/rules.d/60-leadline.rules",
    'KERNEL=="sda", ATTR{queue/scheduler}="none"',
)
REBUILD = Procedure(
    "Rebuild with 8 KiB pages",
    ("Dump every schema.", "Start an empty data directory.", "Load the dump."),
    ("Go back to the old data directory.",),
)
CITED = next(iter(findings().values()))


def card(points: tuple[int, ...] = ()) -> Recommendation:
    """A recommendation with every field filled in."""
    return Recommendation(
        rule="flushing.io-capacity",
        title="io_capacity is far below what the server writes",
        topic="Flushing",
        verdict=Verdict.RECOMMEND,
        saw="The server writes 1,900 pages/s and plans with 200.",
        setting="innodb_io_capacity",
        now="200",
        proposed="2000",
        effect="Checkpoints keep up at peak load.",
        confidence=Confidence.MEDIUM,
        risk="More background writes.",
        needs=Needs.DYNAMIC,
        apply=Apply("SET PERSIST innodb_io_capacity = 2000;", "innodb_io_capacity = 2000", ""),
        undo="SET PERSIST innodb_io_capacity = 200;",
        flips_when="the server writes less than 900 pages/s",
        gain=Range(0.4, 0.4 / 2, 0.4),
        evidence=(
            Evidence("measured.random_write", "the drive takes 4.20 k writes/s", points),
            Evidence("mysql.variable.innodb_io_capacity", "200 pages/s"),
        ),
        formula="1,900 pages/s x 1.05 = 2,000",
        valid="MySQL 8.0 on one drive",
        because="the window was ten seconds of usual load",
        cost_of_error="Too high: a few per cent of throughput.",
        side_effects="The drive wears faster.",
        verify="Innodb_pages_written grows by 1,900 a second.",
        findings=(CITED.id,),
        steps=(SET, REMOVE, COMMAND, REBUILD),
    )


READS = "curve.random_read.page"


def judged(points: tuple[int, ...] = ()) -> Judgement:
    """Every way in which a rule may end."""
    return Judgement(
        (card(points),),
        (
            NotJudged("storage.page-size", "Page size", Lacks(READS, "none were made")),
            NotJudged("storage.layers", "Layers", Lacks(READS, "none were made")),
        ),
        (NotApplicable("redo.writers", "Writers", "It is about MySQL; the server is MariaDB."),),
    )
