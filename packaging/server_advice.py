"""Has Leadline check each of the eleven real servers as it comes, and writes docs/servers.md.

``make docs-servers``, or ``ARGS="mysql-8.0.33 mariadb-11.4.5"`` for some of them; ``--judge`` has
the kept runs judged by the rules of now, with nothing measured. Runs are kept in build/servers/.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from server_load import filled, loaded  # noqa: E402 - the path comes first
from servers_page import page  # noqa: E402

from tests.servers.eleven import ServerBuild, servers  # noqa: E402

KEPT = ROOT / "build" / "servers"
PAGE = ROOT / "docs" / "servers.md"
WATCHED_S = 20
SEEN_ENOUGH = "Making the plan."
"""What the program says once it has watched the server's counters."""

ENOUGH = 0.75
"""The share of questions that a run decides on a machine that is as noisy as most."""

DONE, STOPPED = 0, 4
"""The program's exit codes for a run to its end, and for one that its guard stopped."""


def main() -> int:
    known = {build.name: build for build in servers()}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="SERVER", help=f"of {', '.join(known)}")
    parser.add_argument("--judge", action="store_true", help="measure nothing")
    parser.add_argument("--directory", default="/var/tmp", help="where the servers keep their data")
    parser.add_argument(
        "--tries", type=int, default=3, help="how often a run that decides little is repeated"
    )
    chosen = parser.parse_args()
    if unknown := set(chosen.names) - set(known):
        parser.error(f"no such server: {', '.join(sorted(unknown))}")
    tempfile.tempdir = chosen.directory
    for build in known.values() if not chosen.judge else ():
        if not chosen.names or build.name in chosen.names:
            _kept(build, chosen.tries)
    judged = {name: _judged(name) for name in known if (KEPT / name).is_dir()}
    PAGE.write_text(page(judged), encoding="utf-8")
    print(f"{len(judged)} of {len(known)} servers are in {PAGE.relative_to(ROOT)}")
    return 0 if len(judged) == len(known) else 1


def _kept(build: ServerBuild, tries: int) -> None:
    """A run on one server, kept with all that was said on the way; of several the best."""
    best = KEPT / build.name
    for _ in range(tries):
        home = KEPT / f".{build.name}"
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        _check(build, home)
        share, said = _decided(home)
        print(f"{build.name}: {said}", flush=True)
        if not best.is_dir() or share >= _decided(best)[0]:
            shutil.rmtree(best, ignore_errors=True)
            home.rename(best)
        if share >= ENOUGH:
            return


def _check(build: ServerBuild, home: Path) -> None:
    with (
        # A starting server clears its tmpdir of what it takes for its own.
        tempfile.TemporaryDirectory(prefix="leadline-tmp-") as temporary,
        build.start([f"--tmpdir={temporary}"], fresh=True) as server,
    ):
        table = filled(server.socket)
        target = ["local", "--mysql", f"socket={server.socket},user=root", "--table", table]
        document = ["--json", "-o", str(home / "check.json")]
        with (
            (home / "said.txt").open("w", encoding="utf-8") as said,
            loaded(server.socket) as enough,
            _leadline(
                home,
                ["check", *target, "--plan", "quick", "--window", str(WATCHED_S), *document],
                stderr=subprocess.PIPE,
            ) as checking,
        ):
            assert checking.stderr is not None
            for line in checking.stderr:
                said.write(line)
                if line.startswith(SEEN_ENOUGH):
                    enough.set()
    if checking.returncode not in (DONE, STOPPED):
        sys.exit(f"{build.name}: the check failed; {home / 'said.txt'} tells why.")


def _decided(home: Path) -> tuple[float, str]:
    """The share of the questions that apply which a run decided; the same in words."""
    found = json.loads((home / "check.json").read_text(encoding="utf-8"))["decided"]
    judged, applicable = found["judged"], found["applicable"]
    return judged / applicable, f"{judged} of {applicable} questions decided"


def _judged(name: str) -> dict[str, Any]:
    """The kept run by the rules of now, with the plan that follows."""
    with _leadline(KEPT / name, ["advise", "1", "--json"], stdout=subprocess.PIPE) as advising:
        said, _ = advising.communicate()
    found: dict[str, Any] = json.loads(said)
    return found


def _leadline(home: Path, args: Sequence[str], **streams: Any) -> subprocess.Popen[str]:
    """The program as users start it; ``home`` is where it remembers runs."""
    environment = os.environ | {"LEADLINE_HOME": str(home)}
    argv = [sys.executable, "-m", "app", *args]
    process: subprocess.Popen[str] = subprocess.Popen(
        argv, cwd=ROOT, env=environment, text=True, **streams
    )
    return process


if __name__ == "__main__":
    sys.exit(main())
