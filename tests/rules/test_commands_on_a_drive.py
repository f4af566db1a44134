"""What the rules ask of a machine is done to a real drive and undone: a file that plays a drive."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from advisor.case import Case
from advisor.judging.engine import judge_by
from advisor.outcomes import Recommendation, Verdict
from advisor.rulekit.facts import FactSource
from advisor.rulekit.registry import all_rules
from advisor.steps import HostCommand
from probes.cancel import CancelToken
from probes.inventory.ask import ask
from probes.inventory.facts import Inventory, Role, Storage
from probes.inventory.read import read
from probes.targets.local import LocalTarget
from tests.waiting import HANG_S

RULES = {rule.id: rule for rule in all_rules()}
TOOLS = ("losetup", "mkfs.ext4", "mount", "umount", "tune2fs", "dumpe2fs", "findmnt")
WRONG = {
    "filesystem.access-times": "strictatime",
    "filesystem.barriers": "nobarrier",
    "filesystem.reserved-blocks": "5.1 %",
    "block.scheduler": "bfq",
    "block.request-limit": "8",
    "block.read-ahead": "0",
}
"""What the drive is set to, by the rule that should mind."""

QUEUE = {"scheduler": "bfq", "nr_requests": "8", "read_ahead_kb": "0"}


def sh(command: str) -> str:
    done = subprocess.run(
        ["sh", "-c", command], check=False, capture_output=True, text=True, timeout=HANG_S
    )
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout.strip()


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """An ext4 of 300 GiB that takes none of it, with a blank in its path, set up all wrong."""
    if os.geteuid() != 0 or not all(shutil.which(tool) for tool in TOOLS):
        pytest.skip("a drive of one's own takes root and its tools")
    image, point = tmp_path / "image", tmp_path / "my mount"
    point.mkdir()
    with image.open("wb") as file:
        file.truncate(300 << 30)
    sh(f"mkfs.ext4 -q -F -J size=16 -E lazy_itable_init=1,nodiscard '{image}'")
    try:
        device = sh(f"losetup -f --show '{image}'")
    except AssertionError as error:
        pytest.skip(f"no loop device is to be had: {error}")
    try:
        queue = Path("/sys/block") / Path(device).name / "queue"
        if "bfq" not in (queue / "scheduler").read_text():
            pytest.skip("this kernel has no bfq")
        for name, value in QUEUE.items():
            (queue / name).write_text(value)
        sh(f"mount -o nobarrier,strictatime {device} '{point}'")
        try:
            yield point
        finally:
            sh(f"umount '{point}'")
    finally:
        sh(f"losetup -d {device}")


def inventory(directory: Path) -> Inventory:
    with closing(LocalTarget()) as target:
        asking = ask(target, None, directory=str(directory), window_s=0.0, token=CancelToken())
        while True:
            try:
                next(asking)
            except StopIteration as end:
                return read(end.value)


def judged(directory: Path) -> dict[str, Recommendation]:
    """The outcomes of the rules in question that advise something."""
    source = FactSource(Case("test", inventory(directory)))
    outcomes = {name: judge_by(RULES[name], source) for name in WRONG}
    return {
        name: outcome
        for name, outcome in outcomes.items()
        if isinstance(outcome, Recommendation) and outcome.verdict is Verdict.RECOMMEND
    }


def commands(advice: dict[str, Recommendation]) -> list[HostCommand]:
    return [
        step
        for outcome in advice.values()
        for step in outcome.steps
        if isinstance(step, HostCommand)
    ]


def storage(directory: Path) -> Storage:
    found = inventory(directory).role(Role.PROBE)
    assert found is not None
    return found


def test_advice_is_taken_by_the_kernel_and_undone(mounted: Path) -> None:
    before = storage(mounted)
    advice = judged(mounted)
    now = {name: outcome.now.replace("\u202f", " ") for name, outcome in advice.items()}
    assert now == WRONG

    asked = commands(advice)
    for step in asked:
        sh(step.run)
        assert sh(step.verify)
    assert judged(mounted) == {}

    for step in reversed(asked):
        sh(step.undo)
    after = storage(mounted)
    assert set(after.mount_options) == set(before.mount_options)
    assert after.reserved_bytes == pytest.approx(before.reserved_bytes, rel=0.02)
    assert after.disks == before.disks


def test_a_file_that_plays_a_drive_is_seen_as_one(mounted: Path) -> None:
    (loop,) = [layer for layer in storage(mounted).layers if layer.kind == "loop"]
    assert loop.detail.endswith("/image")
    assert loop.direct is False
