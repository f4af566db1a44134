"""Runs PyInstaller with one of the specifications beside it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def freeze(spec: str, dist: Path) -> None:
    """Put what the specification makes into ``dist``; raises subprocess.CalledProcessError."""
    argv = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    argv += ["--distpath", str(dist), "--workpath", str(ROOT / "build" / "frozen")]
    # With any other seed, the order of sets would differ from build to build.
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    subprocess.run([*argv, str(ROOT / "packaging" / spec)], cwd=ROOT, env=environment, check=True)
