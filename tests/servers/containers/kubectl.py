"""A program called kubectl that answers from recorded pods, and runs commands on this machine.

No cluster is at hand. What it prints was recorded in the forms of kubectl 1.32; its ``exec`` is
real work on this machine, so that agent, files and sockets are real, too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_SCRIPT = """#!/bin/sh
folder=$(dirname "$0")
echo "$@" >> "$folder/asked"
if [ -f "$folder/fault" ]; then cat "$folder/fault" >&2; exit 1; fi
case "$1" in
get)
  if [ "$2" = pods ]; then
    for pod in "$folder"/*.json; do echo "pod/$(basename "$pod" .json)"; done
  elif [ -f "$folder/$3.json" ]; then
    cat "$folder/$3.json"
  else
    echo "Error from server (NotFound): pods \\"$3\\" not found" >&2
    exit 1
  fi ;;
exec)
  if [ -f "$folder/exec-fault" ]; then cat "$folder/exec-fault" >&2; exit 1; fi
  while [ "$1" != -- ]; do shift; done
  shift
  exec "$@" ;;
esac
"""


class FakeKubectl:
    """The program in a folder of its own, and what it is to say."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        program = folder / "kubectl"
        program.write_text(_SCRIPT)
        program.chmod(0o755)

    def has(self, pod: str, content: Mapping[str, Any]) -> None:
        """Have a pod."""
        (self.folder / f"{pod}.json").write_text(json.dumps(content))

    def fails(self, said: str, name: str = "fault") -> None:
        """Refuse everything ("fault"), or what is run in pods ("exec-fault")."""
        (self.folder / name).write_text(f"{said}\n")

    @property
    def asked(self) -> list[str]:
        """The command lines that it was run with."""
        return (self.folder / "asked").read_text().splitlines()


def pod(**changes: Any) -> dict[str, Any]:
    """A pod of a stateful set as kubectl prints it, as far as anybody reads it."""
    mounts = [
        {"name": "data", "mountPath": "/var/lib/mysql"},
        {"name": "settings", "mountPath": "/etc/mysql/conf.d"},
    ]
    server = {
        "name": "mariadb",
        "image": "mariadb:11.4",
        "env": [{"name": "MARIADB_ROOT_PASSWORD", "value": "not kept"}],
        "resources": {"limits": {"memory": "4Gi", "cpu": "1500m"}},
        "volumeMounts": mounts,
    }
    metadata = {
        "name": "db-0",
        "namespace": "prod",
        "ownerReferences": [{"kind": "StatefulSet", "name": "db"}],
    }
    spec = {
        "nodeName": "node-7",
        "containers": [{"name": "metrics", "image": "exporter:1"}, server],
        "volumes": [
            {"name": "data", "persistentVolumeClaim": {"claimName": "data-db-0"}},
            {"name": "settings", "configMap": {"name": "db-settings"}},
        ],
    }
    running = {"running": {"startedAt": "2026-11-01T00:00:00Z"}}
    status = {
        "phase": "Running",
        "containerStatuses": [{"name": name, "state": running} for name in ("metrics", "mariadb")],
    }
    return {"kind": "Pod", "metadata": metadata, "spec": spec, "status": status} | changes
