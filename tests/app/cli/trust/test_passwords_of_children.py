"""A password in the environment stays with Leadline: no program that it starts inherits it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.app.cli.forked import Program
from tests.short_plans import SHORTEN
from tests.waiting import HANG_S

SECRET = "in the environment 4711"


def parents() -> dict[int, int]:
    """The parent of every process."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            found[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    return found


def below(process: int) -> Iterator[int]:
    """Every process that descends from one."""
    tree = parents()
    for pid in tree:
        up = pid
        while up in tree and tree[up] != process:
            up = tree[up]
        if up in tree:
            yield pid


def test_no_child_inherits_the_password(
    program: Callable[..., Program], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LEADLINE_MYSQL_PASSWORD", SECRET)
    monkeypatch.setenv("MYSQL_PWD", SECRET)
    quickly = ("--threads", "1", "--budget", "seconds=600", "--within", "50%")
    words = ("probe", "mysql", "local", "--sandbox", "--dir", str(tmp_path), *quickly)
    running = program(*words, before=SHORTEN)
    seen: dict[str, bool] = {}
    deadline = time.monotonic() + HANG_S
    while running.poll() is None and time.monotonic() < deadline:
        for pid in below(running.pid):
            place = Path(f"/proc/{pid}")
            try:
                name = (place / "comm").read_text().strip()
                told = SECRET.encode() in (place / "environ").read_bytes()
            except OSError:
                continue
            # Between fork and exec a child is still a copy of Leadline.
            if not name.startswith("python"):
                seen[name] = told or seen.get(name, False)
        time.sleep(0.05)
    _, errors = running.communicate(timeout=HANG_S)
    assert running.returncode == 0, errors
    assert {"leadline-agent", "mariadbd"} <= {name[:14] for name in seen}, seen
    assert not any(seen.values()), seen
