"""Values that the store keeps, with something in every field."""

from __future__ import annotations

from dataclasses import replace

from probes.inventory.facts import Missing, RawInventory
from probes.plans.plan import FileSet, Plan, PlanName, Step
from probes.points import Latency, Point, Probe, Sample, Setting, Trust
from probes.targets.address import MySQLAddress, SshAddress, TargetKind, TargetSpec, TlsMode

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
    trust_reasons=("The rate drifted by 12 % within the point.",),
)

WRITE = replace(
    POINT,
    setting=Setting(Probe.RANDOM_WRITE, 4, 4096, 16, DIRECTORY),
    direct=False,
    trust=Trust.OK,
    trust_reasons=(),
)

SAMPLES = (Sample(-0.1, 10.0, 0.0, 0.0), Sample(0.2, 6150.0, 1800.0, 2400.0))
