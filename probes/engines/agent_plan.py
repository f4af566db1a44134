"""A plan in the agent's words."""

from __future__ import annotations

import json

from probes.engines.mysql_work import MySQLWork
from probes.plans.plan import FileSet, Plan, Step
from probes.points import Probe
from probes.targets.address import TlsMode

PROTOCOL = 1

_TLS = {
    TlsMode.DISABLED: "off",
    TlsMode.PREFERRED: "prefer",
    TlsMode.REQUIRED: "require",
    TlsMode.VERIFY_CA: "verify",
    TlsMode.VERIFY_IDENTITY: "verify",
}


def plan_line(plan: Plan, mysql: MySQLWork | None) -> bytes:
    """The plan as one line of JSON; point ids are the positions of the plan's steps."""
    document: dict[str, object] = {
        "protocol": PROTOCOL,
        "file_sets": [_file_set(str(index), files) for index, files in enumerate(plan.file_sets)],
        "points": [_point(index, step, plan) for index, step in enumerate(plan.steps)],
    }
    if mysql is not None:
        document["mysql"] = _mysql(mysql)
    return json.dumps(document, ensure_ascii=False).encode() + b"\n"


def _file_set(name: str, files: FileSet) -> dict[str, object]:
    return {
        "id": name,
        "directory": files.directory,
        "files": files.files,
        "bytes_per_file": files.bytes_per_file,
    }


def _point(index: int, step: Step, plan: Plan) -> dict[str, object]:
    setting = step.setting
    point: dict[str, object] = {
        "id": str(index),
        "probe": setting.probe.value,
        "threads": setting.threads,
        "seconds": step.seconds,
        "warmup_seconds": step.warmup_s,
        "seed": index + 1,
    }
    match setting.probe:
        case Probe.POINT_SELECT:
            point["table"] = setting.options["working_set"]
            point["protocol"] = setting.options["protocol"]
        case Probe.REDO_SYNC:
            point["directory"] = setting.directory
            point["block_size_bytes"] = setting.block_size_bytes
            point["sync"] = setting.options["sync"]
        case _:
            point["file_set"] = _set_of(step, plan)
            point["block_size_bytes"] = setting.block_size_bytes
    return point


def _set_of(step: Step, plan: Plan) -> str:
    for index, files in enumerate(plan.file_sets):
        if (files.directory, files.files) == (step.setting.directory, step.setting.files):
            return str(index)
    raise ValueError(f"no file set for {step.setting}")


def _mysql(work: MySQLWork) -> dict[str, object]:
    login = work.login
    return {
        "network": "unix" if login.socket else "tcp",
        "address": login.socket or _host_port(login.host, login.port),
        "user": login.user,
        "password": login.password,
        "tls": "off" if login.socket and login.tls is TlsMode.PREFERRED else _TLS[login.tls],
        "ca": login.tls_ca_pem,
        "server_name": login.host if login.tls is TlsMode.VERIFY_IDENTITY else "",
        "database": work.database,
        "tables": {
            working_set: {
                "name": table.name,
                "key": table.key_column,
                "column": table.value_column,
                "min": table.min_key,
                "max": table.max_key,
            }
            for working_set, table in work.tables.items()
        },
    }


def _host_port(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
