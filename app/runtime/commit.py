"""Which commit this copy of Leadline is: asked of git in a checkout, kept in a file when built."""

from __future__ import annotations

import subprocess
from functools import cache
from importlib.resources import files
from pathlib import Path

from probes._version import __version__
from probes.targets.passwords import for_commands

KEPT = "commit.txt"
"""The file of ``resources/`` that a build leaves; a checkout has no use for it."""

_ASK_S = 10.0
_DIGITS = 12


@cache
def version(*, asking: bool = True) -> str:
    """The version, with the commit where it is known: ``0.9.0 (0123456789ab)``.

    Without ``asking``, git is not started: only a built copy knows its commit then.
    """
    root = Path(str(files("resources"))).parent
    known = commit(root) if asking else kept_commit(root)
    return f"{__version__} ({known})" if known else __version__


def commit(root: Path) -> str:
    """The commit of the copy in ``root``: 12 digits, ``-dirty`` where files differ, or "".

    A checkout is asked, whatever an earlier build left in it. Where git does not answer, the commit
    is unknown.
    """
    if (root / ".git").exists():
        return _asked(root)
    return kept_commit(root)


def kept_commit(root: Path) -> str:
    """What the build of the copy in ``root`` left; "" in a checkout."""
    kept = root / "resources" / KEPT
    if (root / ".git").exists() or not kept.is_file():
        return ""
    return kept.read_text("utf-8").strip()


def _asked(root: Path) -> str:
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--exclude=*", f"--abbrev={_DIGITS}"],
            cwd=root,
            env=for_commands(),
            capture_output=True,
            text=True,
            timeout=_ASK_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "" if done.returncode else done.stdout.strip()
