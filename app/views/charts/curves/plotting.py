"""pyqtgraph, without what nothing here needs of it.

Left to itself it copies every name of Qt's modules, for which PySide makes a class of each, and
loads Qt's parts for tests and for OpenGL, and items and widgets with all that these need: most of
its loading, and of the memory that it takes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from PySide6 import QtCore, QtGui, QtWidgets


class _Mirror(ModuleType):
    """What pyqtgraph calls by the name of one of Qt's modules: each name is taken when it is used.

    It is one of its own, for pyqtgraph adds names to it.
    """

    def __init__(self, qt: ModuleType) -> None:
        super().__init__(f"pyqtgraph.Qt.{qt.__name__.rpartition('.')[2]}")
        self._qt = qt

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.__dict__["_qt"], name)
        setattr(self, name, found)
        return found


_FOLDERS = ("graphicsItems", "widgets")
_NEEDED = (
    "graphicsItems.AxisItem",
    "graphicsItems.GraphicsItem",
    "graphicsItems.GraphicsLayout",
    "graphicsItems.GraphicsObject",
    "graphicsItems.GraphicsWidget",
    "graphicsItems.GraphicsWidgetAnchor",
    "graphicsItems.ItemGroup",
    "graphicsItems.LabelItem",
    "graphicsItems.ViewBox",
    "widgets.GraphicsLayoutWidget",
    "widgets.GraphicsView",
)
"""Of pyqtgraph's items and widgets what draws here, and what that is made of."""


class _Nothing(ModuleType):
    """In the place of a module: nothing has a name there but is nothing."""

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)


class _Spare(MetaPathFinder, Loader):
    """Finds nothing in the place of each item and widget that is not needed."""

    def __init__(self) -> None:
        self.spared: list[str] = []

    def find_spec(
        self, fullname: str, path: object, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        own = fullname.removeprefix("pyqtgraph.")
        idle = own.rpartition(".")[0] in _FOLDERS and own not in _NEEDED
        return ModuleSpec(fullname, self) if idle or own == "imageview" else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        self.spared.append(spec.name)
        return _Nothing(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing to do."""


def _of_qt() -> dict[str, ModuleType | None]:
    """What stands in the place of Qt's modules; pyqtgraph goes on without the one that is None."""
    classes = ModuleType("PySide6.QtOpenGLWidgets")
    classes.QOpenGLWidget = QtWidgets.QWidget  # type: ignore[attr-defined] # a base
    spared: dict[str, ModuleType | None] = {
        "PySide6.QtTest": None,
        "PySide6.QtOpenGL": ModuleType("PySide6.QtOpenGL"),
        "PySide6.QtOpenGLWidgets": classes,
    }
    return {name: instead for name, instead in spared.items() if name not in sys.modules}


@contextmanager
def _sparing() -> Iterator[None]:
    qt_modules, of_qt, spare = (QtCore, QtGui, QtWidgets), _of_qt(), _Spare()
    for qt in qt_modules:
        mirror = _Mirror(qt)
        sys.modules[mirror.__name__] = mirror
        # Names that a module does not list are not copied.
        qt.__dir__ = list  # type: ignore[method-assign]
    sys.modules |= of_qt  # type: ignore[arg-type]
    sys.meta_path.insert(0, spare)
    try:
        yield
    finally:
        sys.meta_path.remove(spare)
        for name in (*of_qt, *spare.spared):
            del sys.modules[name]
        for qt in qt_modules:
            del qt.__dir__


with _sparing():
    import pyqtgraph

__all__ = ["pyqtgraph"]
