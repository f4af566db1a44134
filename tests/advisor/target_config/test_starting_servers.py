"""A starting configuration is an option file that a real server of its version starts with."""

from __future__ import annotations

import pytest

from advisor.plan.export import cnf
from advisor.target_config.starting import starting_configuration
from tests.advisor.target_config.test_starting import DISK, machine
from tests.plan.real_servers.started import Bootable, reads_back
from tests.servers.eleven import ServerBuild, chosen

MEMORY_BYTES = 1 << 30
"""A pool of half of that, and a redo log to match, are there on any machine that runs tests."""


@pytest.fixture(scope="module", params=chosen(), ids=lambda build: build.name)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bootable:
    found: ServerBuild = request.param
    return Bootable(found, tmp_path_factory.mktemp("server"))


@pytest.mark.parametrize("drive", [{}, DISK], ids=["flash", "disk"])
def test_the_server_starts_with_it(server: Bootable, drive: dict[str, object]) -> None:
    case = machine(host={"cpus": 2, "memory_gib": 1, "kernel": "6.8.0"}, **drive)
    start = starting_configuration(case, server.build.version, MEMORY_BYTES)
    assert start.plan.settings()
    with server.start(cnf.apply(start.plan)) as running:
        reads_back(running, {step.name: action.shows for action, step in start.plan.settings()})
