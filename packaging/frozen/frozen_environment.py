"""Runs first in the frozen program: gives child processes the user's own library path back.

PyInstaller's starter points LD_LIBRARY_PATH at the program's folder. This process has been linked
by then; a mariadbd or an ssh that inherits it would load our copies of its libraries.
"""

from __future__ import annotations

import os

original = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
if original is None:
    os.environ.pop("LD_LIBRARY_PATH", None)
else:
    os.environ["LD_LIBRARY_PATH"] = original
