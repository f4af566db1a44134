"""A server in a real container of podman, watched and measured by the command line."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator

import pytest

from tests.advisor.report.json.schema import faults
from tests.app.cli.checking import Program
from tests.app.cli.forked import Done
from tests.servers.containers.podman import (
    CPUS,
    HOSTNAME,
    MEMORY_BYTES,
    Contained,
    contained_by_podman,
)
from tests.short_plans import SHORTEN
from tests.waiting import HANG_S

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root makes name spaces")


@pytest.fixture(scope="module")
def contained() -> Iterator[Contained]:
    with contained_by_podman("leadline-test-cli") as running:
        yield running


def ended(program: Program, *words: str) -> Done:
    process = program(*words, before=SHORTEN)
    stdout, stderr = process.stdout.read(), process.stderr.read()
    return Done(process.wait(HANG_S), stdout, stderr)


def test_a_check_measures_in_the_container_and_leaves_nothing(
    program: Program, leadline: Callable[..., Done], contained: Contained
) -> None:
    server = ("--mysql", contained.mysql)
    done = ended(program, "check", contained.address, *server, "--window", "1", "--json")
    assert done.code == 0, done.stderr
    content = json.loads(done.stdout)
    assert faults(content) == []
    assert content["target"]["container"]["name"] == contained.name
    inventory = content["inventory"]
    assert inventory["container"]["memory_bytes"] == MEMORY_BYTES
    assert inventory["host"]["memory_limit_bytes"] == MEMORY_BYTES
    assert inventory["server_process"]["cpu_limit"] == CPUS
    assert inventory["host"]["hostname"] == HOSTNAME
    assert "not kept" not in done.stdout
    assert sum(len(curve["points"]) for curve in content["runs"]) > 0
    left = {entry.name for entry in contained.server.directory.iterdir()}
    assert not {name for name in left if "leadline" in name}
    form = leadline("advise", str(content["run"]["id"]), "--container")
    assert form.code == 0
    assert f'"{contained.name}":' in form.stdout


def test_a_saved_container_is_listed_and_watched(
    program: Program, leadline: Callable[..., Done], contained: Contained
) -> None:
    leadline("targets", "add", "box", contained.address, "--mysql", contained.mysql)
    assert contained.address in leadline("targets").stdout
    done = ended(program, "watch", "box", "--seconds", "2", "--full")
    assert done.code == 0, done.stderr
    assert f"podman {contained.name}" in done.stdout
    assert "limited to 768 MiB of memory and 1.5 CPUs" in " ".join(
        done.stdout.replace("\u202f", " ").split()
    )
