"""Opening the window from the command line, or saying why there can't be one."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import click

from probes.errors import LeadlineError

ADVICE = (
    "Use the command line instead (`leadline check`), or start Leadline where there is a screen;"
    " over SSH, `ssh -X` brings one along."
)


class NoWindow(LeadlineError):
    """There is no screen to show the window on, or Qt is not there or can't be loaded."""


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def window(files: tuple[Path, ...]) -> int:
    """Open the window and import FILES, as a file manager asks for it."""
    return open_window(files)


def open_window(files: Sequence[Path] = ()) -> int:
    """Show the window, which imports ``files``, until it is closed; the exit code.

    Raises NoWindow.
    """
    because = no_display()
    if because:
        raise NoWindow(f"The window can't be shown: {because}.", ADVICE)
    try:
        from app.window.application import run_window  # noqa: PLC0415 - only the window needs Qt
    except ImportError as error:
        if not _of_qt(error):
            raise
        if find_spec("PySide6") is None or find_spec("pyqtgraph") is None:
            raise NoWindow(
                "The window is not installed: this is Leadline's command line alone.",
                "Add it: pipx install --force 'leadline[window]', or pip install"
                " 'leadline[window]'. The command line is there: `leadline --help`.",
            ) from error
        raise NoWindow(
            f"The window can't be shown: {error}.",
            "Install the system's library that is named here (Debian: libegl1, libxkbcommon0,"
            " libxcb-cursor0, libgssapi-krb5-2), or use the command line: `leadline check`.",
        ) from error
    return run_window(sys.argv[:1], files)


def _of_qt(error: ImportError) -> bool:
    """Whether Qt, or what draws with it, is not there or can't be loaded.

    A module of Qt's that lacks a system's library is named without its package; its path has it.
    """
    parts = {*(error.name or "").split("."), *Path(error.path or "").parts}
    return error.name is None or not parts.isdisjoint(("PySide6", "shiboken6", "pyqtgraph"))


def no_display() -> str:
    """Why no window can be shown, "" when one can; only X11 and Wayland systems may lack a screen.

    Asked before Qt is: it would end the process instead of answering.
    """
    if sys.platform in ("win32", "darwin") or os.environ.get("QT_QPA_PLATFORM"):
        return ""
    wayland, display = os.environ.get("WAYLAND_DISPLAY", ""), os.environ.get("DISPLAY", "")
    if wayland and (Path(os.environ.get("XDG_RUNTIME_DIR", "/")) / wayland).exists():
        return ""
    if not display:
        return "this session has no display (neither DISPLAY nor WAYLAND_DISPLAY leads to one)"
    return "" if _x_server_answers(display) else f"no X server answers at {display}"


def _x_server_answers(display: str) -> bool:
    import socket  # noqa: PLC0415 - only a start of the window asks

    host, _, rest = display.rpartition(":")
    number = rest.split(".")[0]
    if not number.isdigit():
        return False
    if host not in ("", "unix"):
        try:
            socket.create_connection((host, 6000 + int(number)), timeout=3).close()
        except OSError:
            return False
        return True
    if sys.platform == "win32":
        return False
    path = f"/tmp/.X11-unix/X{number}"  # noqa: S108 - where X servers listen
    for address in (path, f"\0{path}"):
        with socket.socket(socket.AF_UNIX) as local:
            try:
                local.connect(address)
            except OSError:
                continue
            return True
    return False
