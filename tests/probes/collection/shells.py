"""The shells and awks that the script is tried with."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from probes.collection.script import shell_script

SHELLS = {"dash": ["dash"], "busybox": ["busybox", "sh"], "bash": ["bash", "--posix"]}
"""Those that Debian, Alpine and Red Hat have as sh."""

AWKS = {
    "gawk": ["gawk", "--posix"],
    "mawk": ["mawk"],
    "busybox": ["busybox", "awk"],
    "original-awk": ["original-awk"],
}
"""Those of Red Hat, Debian, Alpine and FreeBSD."""

CLIENT = next((each for each in ("mysql", "mariadb") if shutil.which(each)), "mysql")


def collected(
    folder: Path,
    options: Sequence[str],
    *,
    shell: Sequence[str] = ("sh",),
    seconds: int = 1,
    name: str = "db7",
) -> Path:
    """Run the script beside a client's options, and give the archive that it leaves."""
    script = folder / "collect.sh"
    script.write_text(shell_script("0.0", seconds))
    argv = [*shell, str(script), f"--name={name}", f"--client={CLIENT}", *options]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(folder / f"{name}-collect.tar.gz")
    return folder / f"{name}-collect.tar.gz"
