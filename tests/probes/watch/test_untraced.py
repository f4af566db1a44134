"""Where nothing can be traced the agent says why, and watches the rest."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from probes.targets.local import LocalTarget
from tests.present import present
from tests.servers.processes import program
from tests.tracing import INSTANCES

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="it takes root to take things from it"),
    pytest.mark.skipif(not INSTANCES.is_dir(), reason="no tracefs is mounted here"),
]

CONTAINER = ["unshare", "--pid", "--fork", "--mount-proc"]
UNMOUNTED = ["unshare", "--mount"]
UNMOUNT = """
    for each in $(grep -w tracefs /proc/self/mounts | cut -d' ' -f2); do umount $each; done
    umount /sys/kernel/debug 2>/dev/null
"""
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A directory that everybody may read, with the agent and a program called mariadbd."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder, closing(LocalTarget()) as target:
        directory = Path(folder)
        directory.chmod(0o755)
        shutil.copy(target.agent(), directory / "agent")
        shutil.copy(program("sleep"), directory / "mariadbd")
        yield directory


def watched(place: Path, around: list[str], before: str = "") -> dict[str, Any]:
    """What the agent says of a server that does nothing, started as ``around`` has it."""
    script = f"""
        {before}
        {place}/mariadbd 600 &
        server=$!
        until [ "$(cat /proc/$server/comm)" = mariadbd ]; do
            kill -0 $server || exit 1
            sleep 0.01
        done
        exec 3<&0
        pid=$(mktemp) && echo $server > $pid
        {place}/agent watch --seconds=0.5 --trace --page-bytes=16384 \
            --path data={place} --server-pid-file=$pid <&3
        kill $server
        rm -f $pid
    """
    with subprocess.Popen(
        [*around, "sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        # It watches for as long as its input is open.
        said = present(process.stdout).read()
    told: dict[str, Any] = json.loads(said)
    return told


@pytest.mark.parametrize(
    ("around", "before", "what", "because"),
    [
        (NOBODY, "", "trace", "only root may use tracefs"),
        (
            UNMOUNTED,
            UNMOUNT,
            "trace",
            "tracefs is not mounted",
        ),
        (
            CONTAINER,
            "",
            "trace.calls",
            "in a container the kernel's numbers of threads are not known",
        ),
    ],
    ids=["not root", "not mounted", "container"],
)
def test_the_reason_is_named_and_the_rest_is_watched(
    place: Path, around: list[str], before: str, what: str, because: str
) -> None:
    if subprocess.run([*around, "true"], check=False, capture_output=True).returncode:
        pytest.skip(f"{around[0]} may not be used here")
    told = watched(place, around, before)
    missing = {each["what"]: each["because"] for each in told.get("missing", [])}
    assert because in missing[what]
    assert len(told["moments"]) >= 2
    assert "calls" not in told.get("trace", {})
    assert "server" in told["moments"][0]
