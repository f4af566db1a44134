"""Root makes a directory only where no other account may put a link in its place."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.errors import DirectoryUnusable
from probes.sandbox.keeping import kept_directory
from probes.targets.local import LocalTarget
from probes.targets.target import Target

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="gives folders to another account")

NOBODY = 65534


@pytest.fixture
def local() -> Iterator[Target]:
    with closing(LocalTarget()) as target:
        yield target


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in one that is root's own up to the top, but for /tmp, which is sticky."""
    with tempfile.TemporaryDirectory(prefix="leadline-test-") as made:
        inner = Path(made) / "inner"
        inner.mkdir()
        yield inner


@pytest.mark.parametrize("mode", [0o700, 0o755, 0o1777, 0o775])
def test_where_nobody_else_may_rename(local: Target, folder: Path, mode: int) -> None:
    folder.chmod(mode)
    with kept_directory(local, str(folder), CancelToken()) as made:
        assert Path(made).parent == folder.resolve()
        assert Path(made).stat().st_mode & 0o777 == 0o700
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("owner", "group", "mode"),
    [(NOBODY, NOBODY, 0o755), (0, 0, 0o777), (0, NOBODY, 0o775), (NOBODY, 0, 0o1777)],
)
@pytest.mark.parametrize("above", [False, True])
def test_where_another_account_may(
    local: Target, folder: Path, owner: int, group: int, mode: int, above: bool
) -> None:
    changed = folder.parent if above else folder
    os.chown(changed, owner, group)
    changed.chmod(mode)
    with (
        pytest.raises(DirectoryUnusable, match="Another account may rename") as refused,
        kept_directory(local, str(folder), CancelToken()),
    ):
        pass
    assert str(changed) in refused.value.sentence
    assert list(folder.iterdir()) == []
    os.chown(changed, 0, 0)
