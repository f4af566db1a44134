from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from advisor.runs.lab import working
from advisor.store.store import Store
from probes.lab import beside
from probes.sandbox.sandbox import find_server
from probes.targets.local import LocalTarget
from tests.probes.sandbox.traces import commands_with
from tests.waiting import wait_until


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pools get a moment to fill: what a test looks at is no figure."""
    if find_server(LocalTarget()) is None:
        pytest.skip("no mariadbd or mysqld is installed")
    for module, name in ((working, "WARM_LIMIT_S"), (beside, "WARM_TURN_S")):
        monkeypatch.setattr(module, name, 0.2)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with Store.open(tmp_path / "store" / "leadline.sqlite3") as opened:
        yield opened


@pytest.fixture
def home() -> Iterator[Path]:
    """Where a lab may work; afterwards no file and no process of it may be left."""
    with TemporaryDirectory(prefix="leadline-test-", dir="/var/tmp") as short:
        folder = Path(short) / "lab"
        folder.mkdir(mode=0o755)
        Path(short).chmod(0o755)
        yield folder
        assert wait_until(lambda: not list(folder.iterdir()))
        assert wait_until(lambda: not commands_with(str(folder)))
