"""One setting of a real server that is tried on: what it is, half of it, and whether it comes."""

from __future__ import annotations

import time

from probes.trial.settings import TriedSetting
from tests.servers.eleven import RunningServer
from tests.waiting import HANG_S

NAME = "innodb_lru_scan_depth"


def value(server: RunningServer) -> str:
    return str(server.sql(f"SELECT @@GLOBAL.{NAME} AS value")[0]["value"])


def setting(server: RunningServer) -> tuple[TriedSetting, ...]:
    old = value(server)
    return (TriedSetting(NAME, old, str(int(old) // 2), number=True),)


def becomes(server: RunningServer, wanted: str) -> None:
    deadline = time.monotonic() + HANG_S
    while value(server) != wanted:
        assert time.monotonic() < deadline, f"{value(server)} is not {wanted}"
        time.sleep(0.01)
