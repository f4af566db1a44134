"""Scripts of packaging/ that call each other by their bare names, as modules."""

from __future__ import annotations

from types import ModuleType

from tests.conftest import load_script

_CALLED = {
    "trial": ("build_agent", "screenshots"),
    "installed_tree": ("build_agent", "shell_files"),
    "bare_system": ("trial",),
    "freezing": (),
    "manifest": (),
    "debian_package": ("bare_system", "installed_tree", "trial"),
    "appimage": ("bare_system", "installed_tree", "trial"),
    "zip_package": ("freezing", "trial"),
    "package": ("appimage", "debian_package", "freezing", "manifest"),
}
"""What each needs before it."""


def load_scripts(name: str) -> ModuleType:
    """A script, and before it those that it calls, each once."""
    loaded: dict[str, ModuleType] = {}

    def load(wanted: str) -> ModuleType:
        for called in _CALLED.get(wanted, ()):
            if called not in loaded:
                load(called)
        loaded[wanted] = load_script(wanted)
        return loaded[wanted]

    return load(name)
