"""A plan in the agent's words (see its PROTOCOL.md): one line first, then one for each point."""

from __future__ import annotations

import json
from collections.abc import Sequence

from probes.kinds.flush import mixed_parts
from probes.kinds.kind import on_the_wire
from probes.kinds.table import PROBES
from probes.mysql.login import Protection
from probes.mysql.work import MySQLWork
from probes.plans.file_sets import set_of
from probes.plans.plan import FileSet, Guard, Plan, Step
from probes.points import BUFFERS, HOLDING_BLOCKS, PAGE_BYTES, SERVER_PROBES, Probe

PROTOCOL = 2

MEMORY_DIRECTORY = "/dev/shm"  # noqa: S108 - a memory file system is what calibration is about

_CALIBRATED_SIZES = (4096, PAGE_BYTES, 65536)
_CALIBRATED_THREADS = (1, 4, 16, 64, 256, 1024)

_TLS = {
    Protection.NONE: "off",
    Protection.UNVERIFIED: "unverified",
    Protection.PINNED: "pinned",
    Protection.AUTHORITY: "verify",
    Protection.IDENTITY: "verify",
}


def plan_line(plan: Plan, first: int, mysql: MySQLWork | None) -> bytes:
    """The plan as one line, with the step at ``first`` as its only point for now."""
    document: dict[str, object] = {
        "protocol": PROTOCOL,
        "file_sets": [_file_set(str(index), files) for index, files in enumerate(plan.file_sets)],
        "points": [_point(plan, first, 0)],
        "more": True,
        "budget": {
            "seconds": plan.budget.seconds,
            "read_bytes": plan.budget.read_bytes,
            "written_bytes": plan.budget.written_bytes,
        },
    }
    if plan.io_priority:
        document["io_priority"] = plan.io_priority
    if plan.watch_pids or plan.watch_directories:
        document["watch"] = {
            "directories": list(plan.watch_directories),
            "pids": list(plan.watch_pids),
        }
    calibrate = _calibrate(plan)
    if calibrate is not None:
        document["calibrate"] = calibrate
    if mysql is not None:
        document["mysql"] = mysql_part(mysql)
        if plan.guard is not None and plan.guard.working_set in mysql.tables:
            document["guard"] = _guard(plan.guard, plan) | {
                "step_backs": plan.guard.step_backs,
                "end_seconds": plan.guard.end_s,
                "recover_seconds": plan.guard.recover_s,
            }
    return _line(document)


def watch_line(plan: Plan, mysql: MySQLWork | None) -> bytes | None:
    """A plan without points: the agent then does nothing but guard the server.

    None where there is nothing to guard it by.
    """
    if plan.guard is None or mysql is None or plan.guard.working_set not in mysql.tables:
        return None
    return _line(
        {
            "protocol": PROTOCOL,
            "file_sets": [],
            "points": [],
            "more": True,
            "mysql": mysql_part(mysql),
            "guard": _guard(plan.guard, plan),
        }
    )


def point_line(plan: Plan, index: int, repeat: int) -> bytes:
    """One more point: the step at ``index``; ``repeat`` counts how often it came before."""
    return _line({"points": [_point(plan, index, repeat)]})


def end_line() -> bytes:
    """Nothing more is wanted."""
    return _line({"end": True})


def point_id(index: int, repeat: int) -> str:
    """What a point is called: its step's position, and which repetition of it it is."""
    return f"{index}.{repeat}" if repeat else str(index)


def step_index(identity: object) -> int:
    """The step that a point's id names; raises ValueError on anything else."""
    return int(str(identity).partition(".")[0])


def _line(document: dict[str, object]) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode() + b"\n"


def _file_set(name: str, files: FileSet) -> dict[str, object]:
    return {
        "id": name,
        "directory": files.directory,
        "files": files.files,
        "bytes_per_file": files.bytes_per_file,
        "content": files.content,
        "settle": files.settle,
    }


def _calibrate(plan: Plan) -> dict[str, object] | None:
    """Where and at what the prober measures itself; None where no files are read or written."""
    drive = [step.setting for step in plan.steps if step.setting.probe not in SERVER_PROBES]
    if not drive:
        return None
    sizes = {setting.block_size_bytes for setting in drive}
    most = max(setting.threads for setting in drive)
    return {
        "directory": MEMORY_DIRECTORY,
        "block_sizes": [size for size in _CALIBRATED_SIZES if size in sizes] or [PAGE_BYTES],
        "threads": [level for level in _CALIBRATED_THREADS if level == 1 or level <= most],
    }


def _guard(guard: Guard, plan: Plan) -> dict[str, object]:
    """The guard's limits; connections of the probe's own are no load that it should fear."""
    own: Sequence[int] = [
        step.setting.threads for step in plan.steps if step.setting.probe in SERVER_PROBES
    ]
    running = guard.threads_running
    return {
        "table": guard.working_set,
        "every_seconds": guard.every_s,
        "added_us": guard.added_us,
        "threads_running": running + max(own, default=0) if running else 0,
        "row_lock_waits": guard.row_lock_waits,
    }


def _point(plan: Plan, index: int, repeat: int) -> dict[str, object]:
    step = plan.steps[index]
    point: dict[str, object] = {
        "id": point_id(index, repeat),
        "seconds": step.seconds,
        "warmup_seconds": step.warmup_s,
        # Points of first touch and of the touch after it must take the same way. A repeat must not:
        # its blocks would be in a cache, and its new values in the table.
        "seed": 1 if "touch" in step.setting.options else len(plan.steps) * repeat + index + 1,
    }
    if step.within:
        point["within"] = step.within
        point["least_seconds"] = step.least_s
    if step.byte_limit:
        point["byte_limit"] = step.byte_limit
    return point | _work(step, plan)


def _work(step: Step, plan: Plan) -> dict[str, object]:
    """What a point does, without when and for how long."""
    setting, files = step.setting, set_of(step.setting, plan.file_sets)
    work: dict[str, object] = {"probe": setting.probe.value}
    # A plan that does not say how the blocks' memory is to lie leaves it to the agent.
    kind = setting.options.get(BUFFERS, plan.buffers)
    if kind and setting.probe in HOLDING_BLOCKS:
        work["buffers"] = kind
    if setting.probe is Probe.MIXED:
        return work | {"parts": mixed_parts(setting, str(files))}
    work |= {"threads": setting.threads} | on_the_wire(PROBES[setting.probe], setting)
    if setting.probe in SERVER_PROBES:
        return work | {"table": setting.options["working_set"]}
    work["block_size_bytes"] = setting.block_size_bytes
    if files is None:
        return work | {"directory": setting.directory}
    return work | {"file_set": str(files)}


def mysql_part(work: MySQLWork) -> dict[str, object]:
    """How to log in to a server, and the tables to work on."""
    login, protection = work.login, work.login.protection
    return {
        "network": "unix" if login.socket else "tcp",
        "address": login.socket or _host_port(login.host, login.port),
        "user": login.user,
        "password": login.password,
        # Where TLS proves nothing anyway, lookups go without.
        "tls": _TLS.get(protection, "prefer" if login.private else "off"),
        "ca": login.tls_ca_pem,
        "server_name": login.host if protection is Protection.IDENTITY else "",
        "certificate": login.certificate if protection is Protection.PINNED else "",
        "private": login.private,
        "found": login.sha2_only,
        "database": work.database,
        "tables": {
            working_set: {
                "name": table.name,
                "key": table.key_column,
                "column": table.value_column,
                "min": table.min_key,
                "max": table.max_key,
                "own": table.own,
            }
            for working_set, table in work.tables.items()
        },
    }


def _host_port(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
