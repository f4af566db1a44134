"""Installs what was built as a stranger does: by pipx and by uv, from an index on loopback.

The command line alone is installed with each Python, and must bring nothing of Qt; the window with
the first of them.
"""

from __future__ import annotations

import functools
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from trial import Installed, outside, require, say

HEAVY = ("PySide6", "shiboken6", "pyqtgraph", "typst")
"""What the command line alone does without."""
MOST_MIB = 180
"""What it may take installed, its own environment included; numpy is half of it."""
TOOLS = {
    "pipx": (
        "pipx install --quiet --python {python} {pip_args}",
        {"PIPX_HOME": "home", "PIPX_BIN_DIR": "bin", "PIPX_MAN_DIR": "man"},
    ),
    "uv": (
        "uv tool install --quiet --python {python} --index {index}",
        {"UV_TOOL_DIR": "home", "UV_TOOL_BIN_DIR": "bin"},
    ),
}
"""How each is called, and where it installs to, below a folder of its own."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Keep quiet about each request."""


@contextmanager
def index(files: Sequence[Path]) -> Iterator[str]:
    """Serve distributions of leadline as a package index; its address."""
    with tempfile.TemporaryDirectory(prefix="leadline-index-") as folder:
        project = Path(folder) / "leadline"
        project.mkdir()
        for file in files:
            (project / file.name).symlink_to(file.resolve())
        handler = functools.partial(_Quiet, directory=folder)
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                yield f"http://127.0.0.1:{server.server_port}/"
            finally:
                server.shutdown()
                thread.join()


def try_installs(files: Sequence[Path], pythons: Sequence[str]) -> None:
    """Install, run and measure with each Python; raises UnfitError."""
    with index(files) as address:
        for python in pythons:
            for tool in TOOLS:
                _try(tool, python, address, window=False)
        _try("uv", pythons[0], address, window=True)


def _try(tool: str, python: str, address: str, *, window: bool) -> None:
    pattern, places = TOOLS[tool]
    values = {
        "python": python,
        "index": address,
        "pip_args": f"--pip-args=-q --extra-index-url {address}",
    }
    words = [word.format_map(values) for word in pattern.split()]
    with tempfile.TemporaryDirectory(prefix="leadline-install-") as name:
        folder = Path(name)
        environment = outside(folder)
        subprocess.run(
            [sys.executable, "-m", *words, "leadline[window]" if window else "leadline"],
            cwd=folder,
            env=environment | {key: str(folder / place) for key, place in places.items()},
            check=True,
        )
        program = Installed([str(folder / "bin" / "leadline")], environment, folder=folder)
        program.answers()
        program.is_whole(without=() if window else HEAVY)
        if window:
            program.shows_its_window()
        mib = _size_mib(folder / "home")
        say(f"{tool}, {python}{', with the window' if window else ''}: {mib:.0f} MiB")
        require(window or mib <= MOST_MIB, f"the command line takes more than {MOST_MIB} MiB")


def _size_mib(folder: Path) -> float:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files) / 2**20
