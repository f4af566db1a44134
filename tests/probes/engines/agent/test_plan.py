"""The plan in the agent's words: one line, one point at a time, secrets nowhere but in it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probes.engines.agent.plan import end_line, plan_line, point_line, step_index
from probes.kinds.kind import Kind
from probes.mysql.login import ResolvedLogin
from probes.mysql.work import MySQLWork, WorkTable
from probes.plans.build.builtin import make_plan
from probes.plans.plan import Budget, Guard, Plan, PlanName, Step
from probes.plans.wishes import Wishes
from probes.points import Probe, Setting
from probes.targets.address import TlsMode
from probes.targets.listener import Listener
from probes.targets.target import Target
from tests.probes.engines.lines import (
    DIRECTORY,
    mixed_setting,
    plan_of,
    read_setting,
    redo_setting,
    select_setting,
)

SECRET = "käse\n'\"\\"


def work(**login: Any) -> MySQLWork:
    return MySQLWork(
        ResolvedLogin(user="u", password=SECRET, **login),
        "leadline",
        {
            "cached": WorkTable("t", "id", "c", 1, 100),
            "own": WorkTable("o", "id", "c", 1, 9, own=True),
        },
    )


def read_line(said: bytes) -> dict[str, Any]:
    assert said.endswith(b"\n")
    assert said.count(b"\n") == 1
    document: dict[str, Any] = json.loads(said)
    return document


def told(plan: Plan, mysql: MySQLWork | None = None) -> dict[str, Any]:
    return read_line(plan_line(plan, 0, mysql))


def point_of(plan: Plan, index: int, repeat: int = 0) -> dict[str, Any]:
    [point] = read_line(point_line(plan, index, repeat))["points"]
    return point  # type: ignore[no-any-return]


def test_it_starts_with_one_point_and_announces_more() -> None:
    document = told(plan_of(read_setting(1), read_setting(8)))
    assert document["protocol"] == 2
    assert document["more"] is True
    assert [point["id"] for point in document["points"]] == ["0"]
    assert read_line(end_line()) == {"end": True}


def test_points_name_their_file_set() -> None:
    many = Setting(Probe.RANDOM_WRITE, 4, block_size_bytes=4096, files=16, directory=DIRECTORY)
    plan = plan_of(read_setting(8), many)
    sets = {each["id"]: each for each in told(plan)["file_sets"]}
    first, second = point_of(plan, 0), point_of(plan, 1)
    assert sets[first["file_set"]]["files"] == 1
    assert sets[second["file_set"]]["files"] == 16
    assert sets[second["file_set"]]["directory"] == DIRECTORY
    assert (first["probe"], first["threads"], first["block_size_bytes"]) == (
        "random_read",
        8,
        16384,
    )
    assert (first["seconds"], first["warmup_seconds"]) == (1.0, 0.2)
    assert first["seed"] != second["seed"]


def test_files_of_first_touch_are_one_set_a_level_and_are_visited_one_way() -> None:
    touched = [
        Setting(
            Probe.RANDOM_READ, threads, 16384, 1, DIRECTORY, {"set": "first_touch", "touch": at}
        )
        for threads in (1, 16)
        for at in ("first", "again")
    ]
    plan = plan_of(*touched)
    first, again, many, _ = (point_of(plan, index) for index in range(4))
    assert first["file_set"] == again["file_set"] != many["file_set"]
    assert first["seed"] == again["seed"]
    assert (first["touch"], again["touch"]) == ("first", "again")


def test_a_repeat_has_a_name_and_a_way_of_its_own() -> None:
    plan = plan_of(read_setting(1), read_setting(2))
    points = [point_of(plan, index, repeat) for index in (0, 1) for repeat in (0, 1, 2)]
    assert len({point["seed"] for point in points}) == 6
    names = [point["id"] for point in points[3:]]
    assert len(set(names)) == 3
    assert [step_index(name) for name in names] == [1, 1, 1]


def test_a_point_that_ends_once_it_is_sure() -> None:
    plan = plan_of(read_setting())
    assert "within" not in point_of(plan, 0)
    sure = Step(read_setting(), 5.0, 0.3, within=0.03, least_s=1.0)
    point = point_of(replace(plan, steps=(sure,)), 0)
    assert (point["within"], point["least_seconds"], point["seconds"]) == (0.03, 1.0, 5.0)


def test_redo_and_lookups_use_no_file_set() -> None:
    plan = plan_of(redo_setting(), select_setting(64))
    assert told(plan, work(socket="/run/s.sock"))["file_sets"] == []
    redo, lookup = point_of(plan, 0), point_of(plan, 1)
    assert (redo["directory"], redo["sync"], redo["block_size_bytes"]) == (
        DIRECTORY,
        "fdatasync",
        512,
    )
    assert not {"log", "binlog"} & redo.keys()
    assert (lookup["table"], lookup["protocol"], lookup["threads"]) == ("cached", "prepared", 64)


def test_redo_that_grows_and_syncs_a_binlog() -> None:
    options = {"sync": "fsync", "log": "growing", "binlog": "1"}
    point = point_of(plan_of(Setting(Probe.REDO_SYNC, 8, 512, 1, DIRECTORY, options)), 0)
    assert (point["log"], point["binlog"], point["threads"]) == ("growing", True, 8)


def test_a_flush_and_a_long_write() -> None:
    flush = Setting(
        Probe.PAGE_FLUSH, 4, 16384, 1, DIRECTORY, {"doublewrite": "legacy", "batch_pages": "64"}
    )
    steady = Setting(Probe.STEADY_WRITE, 4, 1 << 20, 1, DIRECTORY)
    plan = plan_of(flush, steady)
    plan = replace(plan, steps=(plan.steps[0], replace(plan.steps[1], byte_limit=9 << 30)))
    assert point_of(plan, 0)["doublewrite"] == "legacy"
    assert point_of(plan, 0)["batch_pages"] == 64
    assert point_of(plan, 1)["byte_limit"] == 9 << 30


@pytest.mark.parametrize(("rate", "per_second"), [("1000", 1000), ("max", 0)])
def test_a_mixture_has_three_parts(rate: str, per_second: float) -> None:
    plan = plan_of(mixed_setting(rate, threads=7))
    parts = point_of(plan, 0)["parts"]
    assert set(parts) == {"reads", "redo", "flush"}
    assert parts["reads"]["threads"] == 7
    assert parts["flush"]["per_second"] == per_second
    assert parts["flush"]["file_set"] == parts["reads"]["file_set"]
    assert parts["redo"]["directory"] == DIRECTORY
    assert not any({"id", "seconds", "warmup_seconds"} & part.keys() for part in parts.values())


def test_a_mixture_without_flushes_has_two() -> None:
    assert set(point_of(plan_of(mixed_setting("0")), 0)["parts"]) == {"reads", "redo"}


def test_the_drive_is_calibrated_for_and_lookups_are_not() -> None:
    levels = told(plan_of(read_setting(1), read_setting(64)))["calibrate"]
    assert levels["block_sizes"] == [16384]
    assert levels["threads"] == [1, 4, 16, 64]
    assert "calibrate" not in told(plan_of(select_setting()), work(socket="/s"))


def test_budget_priority_and_processes() -> None:
    plan = plan_of(
        read_setting(),
        budget=Budget(seconds=60, written_bytes=5, endurance_share=0.1, added_us=7),
        io_priority="idle",
        watch_pids=(812,),
        watch_directories=("/data",),
    )
    document = told(plan)
    assert document["budget"] == {"seconds": 60, "read_bytes": 0, "written_bytes": 5}
    assert document["io_priority"] == "idle"
    assert document["watch"] == {"directories": ["/data"], "pids": [812]}
    plain = told(plan_of(read_setting()))
    assert not {"io_priority", "watch", "guard", "mysql"} & plain.keys()


def test_buffers_are_the_plans_unless_a_setting_compares_them() -> None:
    settings = (
        read_setting(),
        replace(read_setting(), options={"buffers": "huge"}),
        mixed_setting(),
        redo_setting(),
    )
    plan = plan_of(*settings, buffers="ordinary")
    asked = [point_of(plan, index).get("buffers") for index in range(4)]
    assert asked == ["ordinary", "huge", "ordinary", None]
    # A plan of an older program says nothing, and the agent does as it likes best.
    assert "buffers" not in point_of(plan_of(read_setting()), 0)


def test_a_guard_needs_a_table_to_read() -> None:
    plan = plan_of(read_setting(), guard=Guard("cached", 0.1, 50_000, 64, 16))
    assert told(plan, work(socket="/s"))["guard"] == {
        "table": "cached",
        "every_seconds": 0.1,
        "added_us": 50_000,
        "threads_running": 64,
        "row_lock_waits": 16,
        "step_backs": 3,
        "end_seconds": 0.5,
        "recover_seconds": 30.0,
    }
    assert "guard" not in told(plan)
    assert "guard" not in told(replace(plan, guard=Guard("elsewhere")), work(socket="/s"))


def test_a_guard_does_not_fear_the_probe_s_own_connections() -> None:
    plan = plan_of(select_setting(4), select_setting(32), guard=Guard("cached"))
    assert told(plan, work(socket="/s"))["guard"]["threads_running"] == 64 + 32
    without = replace(plan, guard=Guard("cached", threads_running=0))
    assert told(without, work(socket="/s"))["guard"]["threads_running"] == 0


def test_the_login_of_a_socket() -> None:
    mysql = told(plan_of(select_setting()), work(socket="/run/s.sock", host="db7"))["mysql"]
    assert (mysql["network"], mysql["address"], mysql["tls"]) == ("unix", "/run/s.sock", "off")
    assert (mysql["user"], mysql["password"]) == ("u", SECRET)
    assert mysql["tables"] == {
        "cached": {"name": "t", "key": "id", "column": "c", "min": 1, "max": 100, "own": False},
        "own": {"name": "o", "key": "id", "column": "c", "min": 1, "max": 9, "own": True},
    }


@pytest.mark.parametrize(
    ("host", "address"), [("db7", "db7:3307"), ("::1", "[::1]:3307"), ("10.0.0.1", "10.0.0.1:3307")]
)
def test_the_address_of_a_host(host: str, address: str) -> None:
    mysql = told(plan_of(select_setting()), work(host=host, port=3307))["mysql"]
    assert (mysql["network"], mysql["address"]) == ("tcp", address)


@pytest.mark.parametrize(
    ("mode", "tls", "name"),
    [
        (TlsMode.DISABLED, "off", ""),
        (TlsMode.UNVERIFIED, "unverified", ""),
        (TlsMode.VERIFIED, "verify", "db7"),
        (TlsMode.VERIFY_CA, "verify", ""),
        (TlsMode.VERIFY_IDENTITY, "verify", "db7"),
    ],
)
def test_tls_modes(mode: TlsMode, tls: str, name: str) -> None:
    mysql = told(plan_of(select_setting()), work(host="db7", tls=mode, tls_ca_pem="PEM"))["mysql"]
    assert (mysql["tls"], mysql["server_name"], mysql["ca"]) == (tls, name, "PEM")
    assert not mysql["private"]


@pytest.mark.parametrize(
    ("login", "tls", "private"),
    [
        ({"socket": "/run/s.sock"}, "off", False),
        ({"socket": "/run/s.sock", "listener": Listener("mysql", True)}, "off", True),
        ({"socket": "/tmp/s.sock", "listener": Listener("eve", False)}, "off", False),
        ({"host": "127.0.0.1"}, "off", False),
        ({"host": "127.0.0.1", "over_ssh": True}, "prefer", True),
        ({"host": "db8", "over_ssh": True}, "verify", False),
        ({"host": "db8", "certificate": "AB:CD"}, "pinned", False),
        ({"host": "db8", "certificate": "AB:CD", "tls": TlsMode.UNVERIFIED}, "unverified", False),
    ],
)
def test_ways_to_a_server(login: dict[str, object], tls: str, private: bool) -> None:
    mysql = told(plan_of(select_setting()), work(**login))["mysql"]
    assert (mysql["tls"], mysql["private"]) == (tls, private)
    assert mysql["certificate"] == ("AB:CD" if tls == "pinned" else "")


def test_a_socket_that_was_found_is_told_from_one_that_was_named() -> None:
    own = {"socket": "/run/s.sock", "listener": Listener("mysql", True)}
    for login, found in (({}, False), ({"found": True}, True)):
        assert told(plan_of(select_setting()), work(**own, **login))["mysql"]["found"] is found


def test_secrets_are_not_shown() -> None:
    assert SECRET not in repr(work(socket="/s"))
    assert "käse" not in repr(work(socket="/s"))


@pytest.mark.parametrize("name", list(PlanName))
def test_the_agent_takes_every_step_of_every_plan(
    local: Target, tmp_path: Path, name: PlanName
) -> None:
    plan = make_plan(
        name,
        directory=str(tmp_path),
        kinds=frozenset(Kind),
        working_sets=("cached", "own"),
        wishes=Wishes(
            update=True,
            protocols=("prepared", "sql"),
            guard=Guard("cached"),
            io_priority="low",
            budget=Budget(seconds=60, read_bytes=1, written_bytes=1),
        ),
    )
    plan = replace(plan, steps=tuple(step for step in plan.steps if _is_allowed(step.setting)))
    document = told(plan, work(socket="/nowhere"))
    document["points"] = [point_of(plan, index) for index in range(len(plan.steps))]
    # Its input ends at once: the plan is checked as a whole, and then nothing is done.
    ended = local.run([local.agent(), "probe"], stdin=json.dumps(document).encode())
    assert (ended.status, ended.stdout) == (3, b"")
    assert list(tmp_path.iterdir()) == []


def _is_allowed(setting: Setting) -> bool:
    """Only a table of Leadline's own may be updated."""
    return setting.probe is not Probe.PK_UPDATE or setting.options["working_set"] == "own"
