"""A run of a MariaDB server on a cloud volume, as a case: what a report is made from."""

from __future__ import annotations

from itertools import count

from advisor.case import Case
from advisor.judging.engine import judge
from advisor.plan.change_plan import ChangePlan
from advisor.report.document.cover import NO_COVER, Cover
from advisor.report.document.endings import HTML, MARKDOWN
from advisor.report.document.templates import Paper
from advisor.report.forms.by_ending import written
from advisor.report.forms.text import WIDTH, page
from advisor.report.report import Report
from advisor.report.terminal.run import whole_run
from advisor.run import RunState, RunSummary
from advisor.upgrade.lens import LensReport
from probes.events import Warned
from probes.inventory.facts import (
    CpuFacts,
    Disk,
    HostFacts,
    Inventory,
    Layer,
    Missing,
    MySQLFacts,
    Role,
    StatusWindow,
    Storage,
    Variable,
)
from probes.plans.plan import FileSet, Plan, PlanName, Step
from probes.points import Latency, Point, Probe, Setting, Trust
from probes.targets.address import MySQLAddress, SshAddress, TargetKind, TargetSpec
from probes.version import ServerVersion
from tests.points import doubted, point

DIRECTORY = "/var/lib/mysql"
_ids = count(1)


def kept(
    setting: Setting, rate_per_s: float, p50_us: float, trust: Trust = Trust.OK, reason: str = ""
) -> Point:
    """A point with a number of its own, as it comes from the store."""
    return point(
        setting,
        rate_per_s,
        engine="leadline-agent 0.1.0",
        latency=Latency(p50_us * 1.1, p50_us, p50_us * 2, p50_us * 3, p50_us * 5, p50_us * 9),
        histogram="HISTFAAAAB4",
        cpu_user_us_per_op=0.3,
        trust=trust,
        doubts=doubted(reason) if reason else (),
        id=next(_ids),
    )


def reads(block: int, rates: dict[int, float]) -> list[Point]:
    return [
        kept(Setting(Probe.RANDOM_READ, threads, block, 1, DIRECTORY), rate, threads * 1e6 / rate)
        for threads, rate in rates.items()
    ]


def points() -> tuple[Point, ...]:
    redo = Setting(Probe.REDO_SYNC, 1, 4096, 1, DIRECTORY, {"sync": "fdatasync"})
    doubtful = Setting(Probe.RANDOM_WRITE, 16, 16384, 16, DIRECTORY)
    selects = {"protocol": "prepared", "working_set": "existing"}
    return (
        *reads(4096, {1: 1500, 2: 3000, 4: 5900, 8: 8800, 16: 9100, 32: 9100, 64: 9000}),
        *reads(16384, {1: 1400, 2: 2800, 4: 5600, 8: 8600, 16: 9000, 32: 9050, 64: 8900}),
        kept(Setting(Probe.RANDOM_WRITE, 16, 16384, 1, DIRECTORY), 4200, 3600),
        kept(doubtful, 4100, 3700, Trust.DOUBTFUL, "The rate drifted by 31 % within the point."),
        kept(redo, 640, 1480),
        kept(Setting(Probe.POINT_SELECT, 1, options=selects), 11_000, 85),
        kept(Setting(Probe.POINT_SELECT, 64, options=selects), 41_000, 1400),
    )


def inventory() -> Inventory:
    disk = Disk("nvme1n1", "Amazon Elastic Block Store", 1 << 37, "nvme", rotational=False)
    roles = (Role.DATA, Role.REDO, Role.DOUBLEWRITE, Role.PROBE)
    variables = {
        "innodb_buffer_pool_size": "8589934592",
        "innodb_flush_log_at_trx_commit": "1",
        "innodb_flush_method": "fsync",
        "innodb_flush_neighbors": "1",
        "innodb_io_capacity": "200",
        "innodb_io_capacity_max": "2000",
        "innodb_page_size": "16384",
        "innodb_doublewrite": "ON",
        "innodb_lru_scan_depth": "1024",
        "datadir": f"{DIRECTORY}/",
    }
    counters = {"Questions": "100", "Innodb_data_reads": "50", "Uptime": "90000"}
    return Inventory(
        taken_at="2026-11-21T04:00:00+00:00",
        host=HostFacts(
            hostname="db7",
            cpu=CpuFacts("AMD EPYC 7R13", 1, 4, 8, 1),
            memory_bytes=16 << 30,
            kernel="6.1.0-18-amd64",
            distribution="Debian GNU/Linux 12",
            platform="Amazon EC2",
        ),
        storage=tuple(
            Storage(
                role,
                DIRECTORY,
                DIRECTORY,
                "/var/lib/mysql",
                "/dev/mapper/vg0-data",
                "ext4",
                ("rw", "relatime"),
                1 << 37,
                1 << 36,
                (Layer("vg0-data", "lvm"),),
                (disk,),
            )
            for role in roles
        ),
        mysql=MySQLFacts(
            version=ServerVersion.parse("10.11.6-MariaDB-log"),
            variables={name: Variable(name, value) for name, value in variables.items()},
            window=StatusWindow(10.0, counters, {**counters, "Questions": "2100"}),
            uptime_s=90_000.0,
            innodb_status="LATEST DETECTED DEADLOCK: UPDATE customers SET name = 'Ada'",
            round_trip_us=140.0,
        ),
        missing=(Missing("mysql.innodb_metrics", "the account lacks the PROCESS privilege"),),
    )


def report(state: RunState = RunState.DONE, reason: str = "") -> Report:
    case = Case("db7", inventory(), points(), 12, {"direct": "yes", "plan": "quick"})
    setting = Setting(Probe.RANDOM_READ, 1, 4096, 1, DIRECTORY)
    return Report(
        case=case,
        judgement=judge(case),
        target=TargetSpec(
            TargetKind.SSH,
            "db7",
            SshAddress("db7.example", user="root"),
            MySQLAddress(socket="/run/mysqld/mysqld.sock", user="leadline"),
            DIRECTORY,
        ),
        run=RunSummary(
            12,
            "db7",
            "quick",
            state,
            reason,
            "2026-11-21T04:00:10.123+00:00",
            "2026-11-21T04:01:20.456+00:00",
            len(case.points),
        ),
        plan=Plan(
            PlanName.QUICK,
            (FileSet(DIRECTORY, 1, 1 << 30),),
            (Step(setting, 1.0, 0.2),),
            70.0,
            sandbox=False,
            warnings=("The files are smaller than planned.",),
        ),
        warnings=(Warned("clock", "The clock of the target is coarse."),),
    )


def render(told: Report, width: int = WIDTH) -> str:
    """The whole report as a terminal has it."""
    return page(whole_run(told), width)


def to_html(
    told: Report, plan: ChangePlan, seen: LensReport | None = None, cover: Cover = NO_COVER
) -> str:
    """The report as an HTML file has it."""
    return _written(HTML, told, plan, seen, cover)


def to_markdown(
    told: Report, plan: ChangePlan, seen: LensReport | None = None, cover: Cover = NO_COVER
) -> str:
    """The report as a Markdown file has it."""
    return _written(MARKDOWN, told, plan, seen, cover)


def _written(
    form: str, told: Report, plan: ChangePlan, seen: LensReport | None, cover: Cover
) -> str:
    content = written(form, told, plan, seen, cover=cover, paper=Paper.A4)
    assert isinstance(content, str)
    return content
