"""Values that the store keeps, with something in every field."""

from __future__ import annotations

import math
from dataclasses import replace

from probes.events import Calibrated, CanaryBeat
from probes.imports.imported import Imported
from probes.inventory.facts import Missing, RawInventory
from probes.plans.plan import Budget, FileSet, Guard, Plan, PlanName, Step
from probes.points import (
    EndedBy,
    HostSample,
    Latency,
    LimitedBy,
    Point,
    Probe,
    Sample,
    Setting,
    Trust,
)
from probes.targets.address import MySQLAddress, SshAddress, TargetKind, TargetSpec, TlsMode
from tests.points import doubted

DIRECTORY = "/srv/Größe mit Leerzeichen"

SPEC = TargetSpec(
    kind=TargetKind.SSH,
    name="db7",
    ssh=SshAddress(host="db7.example", port=2222, user="dba", identity_file="~/.ssh/id_db7"),
    mysql=MySQLAddress(
        host="127.0.0.1",
        port=3307,
        user="app",
        defaults_file="~/.my.cnf",
        tls=TlsMode.VERIFY_CA,
        tls_ca_file="/etc/ca.pem",
    ),
    directory=DIRECTORY,
)

RAW = RawInventory(
    taken_at="2026-11-21T04:00:00+00:00",
    answers={"agent.inventory": '{"hostname": "db7"}', "mysql.variables": '[["port","3307"]]'},
    missing=(Missing("innodb_status", "the account lacks PROCESS"),),
)

SETTING = Setting(
    probe=Probe.POINT_SELECT,
    threads=8,
    directory=DIRECTORY,
    options={"working_set": "uncached", "protocol": "prepared"},
)

PLAN = Plan(
    name=PlanName.QUICK,
    file_sets=(FileSet(DIRECTORY, 16, 67_108_864),),
    steps=(
        Step(Setting(Probe.RANDOM_READ, 1, 16384, 16, DIRECTORY), 1.2, 0.3),
        Step(SETTING, 1.2, 0.3),
    ),
    seconds=80.5,
    sandbox=True,
    table_bytes=268_435_456,
    warnings=("The files are smaller: the disk is nearly full.",),
)

POINT = Point(
    setting=SETTING,
    engine="leadline-agent 0.1.0",
    seconds=1.2,
    operations=7400,
    rate_per_s=6166.7,
    ci95_per_s=(6100.5, 6232.9),
    latency=Latency(1290.1, 1200.0, 1800.0, 2400.0, 3100.0, 5200.0),
    histogram="HISTFAAAAB4",
    cpu_user_us_per_op=0.2,
    cpu_system_us_per_op=5.1,
    direct=None,
    trust=Trust.DOUBTFUL,
    doubts=doubted("The rate drifted by 12 % within the point."),
)

WRITE = replace(
    POINT,
    setting=Setting(Probe.RANDOM_WRITE, 4, 4096, 16, DIRECTORY),
    direct=False,
    trust=Trust.OK,
    doubts=(),
)

SAMPLES = (Sample(-0.1, 10.0, 0.0, 0.0), Sample(0.2, 6150.0, 1800.0, 2400.0))

HOST = HostSample(
    device="nvme1n1",
    reads_per_s=6170.25,
    writes_per_s=1.0,
    read_bytes_per_s=101_089_280.0,
    written_bytes_per_s=4096.0,
    queue=7.9,
    utilisation=1.0,
    read_await_us=1280.123456789,
    write_await_us=950.0,
    cpu_user=0.02,
    cpu_system=0.1,
    cpu_iowait=0.5,
    cpu_steal=0.0,
    context_switches_per_s=21000.0,
    own_cpu=0.2,
    server_cpu=1.25,
    mhz=2400.0,
)

PROBE_PLAN = replace(
    PLAN,
    file_sets=(FileSet(DIRECTORY, 1, 1 << 20, name="zeros", content="zeros", settle=False),),
    steps=(Step(SETTING, 8.0, 0.3, within=0.03, least_s=1.0, byte_limit=1 << 30),),
    adaptive=True,
    budget=Budget(600.0, 1 << 40, 1 << 30, 0.001, 5000.0),
    guard=Guard(working_set="existing", every_s=0.2, added_us=9000.0),
    engine="fio",
    cross_engine="agent",
    cross_steps=(0,),
    io_priority="low",
)

PROBED = replace(
    WRITE,
    ended_by=EndedBy.INTERVAL,
    warmup_s=0.4,
    limited_by=LimitedBy.CPU,
    details={"device": {"written_bytes": 12345}, "cpu_busy": 0.91, "cliff": ["before", 1.5]},
)

PROBED_SAMPLES = (replace(SAMPLES[0], host=HOST), replace(SAMPLES[1], host=None))

CALIBRATED = Calibrated(
    clock_ns=25.5,
    overhead_ns_per_op=310.0,
    processors=2,
    wakeup_us={1: 4.5, 64: 18.25},
    ceiling_per_s={4096: {1: 250_000.0, 64: 410_000.0}, 16384: {1: 140_000.0}},
)

BEATS = (
    CanaryBeat(850.0, 400.0, 50_400.0, 3, 0),
    CanaryBeat(61_000.5, 400.0, 50_400.0, 41, 7),
)

UNKNOWN = math.nan

FOREIGN = Point(
    setting=Setting(Probe.RANDOM_READ, 16, 16384),
    engine="fio-3.33",
    seconds=UNKNOWN,
    operations=0,
    rate_per_s=80_000.0,
    ci95_per_s=(UNKNOWN, UNKNOWN),
    latency=Latency(UNKNOWN, UNKNOWN, 410.0, UNKNOWN, UNKNOWN, UNKNOWN),
    histogram="",
    cpu_user_us_per_op=UNKNOWN,
    cpu_system_us_per_op=UNKNOWN,
    warmup_s=UNKNOWN,
)

IMPORTED = Imported(
    source="lab results.json",
    kind="fio-json",
    engine="fio",
    engine_version="3.33",
    conditions={"filesystem": "xfs", "host": "lab1"},
    points=(FOREIGN, replace(FOREIGN, setting=replace(FOREIGN.setting, threads=64))),
    host_samples=(Sample(1.0, UNKNOWN, UNKNOWN, UNKNOWN, replace(HOST, mhz=UNKNOWN)),),
    warnings=("One job wrote buffered: it was left out.",),
)
