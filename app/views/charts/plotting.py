"""pyqtgraph, without what nothing here needs of it.

Left to itself it copies every name of Qt's modules, for which PySide makes a class of each, and
loads Qt's parts for tests and for OpenGL, and items and widgets with all that these need: most of
its loading, and of the memory that it takes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
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


_ITEMS = """
    ArrowItem BarGraphItem BoxplotItem ButtonItem ColorBarItem CurvePoint DateAxisItem
    ErrorBarItem FillBetweenItem GradientEditorItem GradientLegend GraphItem GridItem
    HistogramLUTItem ImageItem InfiniteLine IsocurveItem LegendItem LinearRegionItem
    PColorMeshItem PlotCurveItem PlotDataItem PlotItem ROI ScaleBar ScatterPlotItem
    TargetItem TextItem UIGraphicsItem VTickGroup
"""
_WIDGETS = """
    BusyCursor CheckTable ColorButton ColorMapMenu ColorMapWidget ComboBox DataFilterWidget
    DataTreeWidget DiffTreeWidget FeedbackButton FileDialog GradientWidget GroupBox
    HistogramLUTWidget JoystickButton LayoutWidget PathButton PlotWidget ProgressDialog
    RawImageWidget RemoteGraphicsView ScatterPlotWidget SpinBox TableWidget TreeWidget
    ValueLabel VerticalLabel
"""
"""Of pyqtgraph's own all but views, boxes and axes, and what these are made of."""

_SPARED = (
    "imageview",
    *(f"graphicsItems.{name}" for name in _ITEMS.split()),
    *(f"widgets.{name}" for name in _WIDGETS.split()),
)


class _Nothing(ModuleType):
    """In the place of a module: nothing has a name there but is nothing."""

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)


def _spared() -> dict[str, ModuleType | None]:
    """What stands in the place of modules; pyqtgraph goes on without the one that is None."""
    classes = ModuleType("PySide6.QtOpenGLWidgets")
    classes.QOpenGLWidget = QtWidgets.QWidget  # type: ignore[attr-defined] # a base
    spared: dict[str, ModuleType | None] = {
        "PySide6.QtTest": None,
        "PySide6.QtOpenGL": ModuleType("PySide6.QtOpenGL"),
        "PySide6.QtOpenGLWidgets": classes,
    }
    spared |= {f"pyqtgraph.{name}": _Nothing(f"pyqtgraph.{name}") for name in _SPARED}
    return {name: instead for name, instead in spared.items() if name not in sys.modules}


@contextmanager
def _sparing() -> Iterator[None]:
    qt_modules, spared = (QtCore, QtGui, QtWidgets), _spared()
    for qt in qt_modules:
        mirror = _Mirror(qt)
        sys.modules[mirror.__name__] = mirror
        # Names that a module does not list are not copied.
        qt.__dir__ = list  # type: ignore[method-assign]
    sys.modules |= spared  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in spared:
            del sys.modules[name]
        for qt in qt_modules:
            del qt.__dir__


with _sparing():
    import pyqtgraph

__all__ = ["pyqtgraph"]
