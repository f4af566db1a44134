"""Which files the settings of a plan work on."""

from __future__ import annotations

from collections.abc import Sequence

from probes.plans.patterns import MANY_FILES
from probes.plans.plan import FileSet
from probes.plans.shapes import Shape
from probes.points import SERVER_PROBES, Probe, Setting

FIRST_TOUCH = "first_touch"


def set_name(setting: Setting) -> str | None:
    """The name of the file set that a setting works on; None where it needs none.

    Points of first touch have a set for each level: what one has touched is no first any more.
    """
    if setting.probe in SERVER_PROBES or setting.probe is Probe.REDO_SYNC:
        return None
    name = setting.options.get("set", "")
    return f"{FIRST_TOUCH}/{setting.threads}" if name == FIRST_TOUCH else name


def set_of(setting: Setting, file_sets: Sequence[FileSet]) -> int | None:
    """The index of the file set of a setting; None where it needs none.

    Raises ValueError where it needs one that is not there.
    """
    name = set_name(setting)
    if name is None:
        return None
    for index, files in enumerate(file_sets):
        if (files.directory, files.files, files.name) == (setting.directory, setting.files, name):
            return index
    raise ValueError(f"no file set for {setting}")


def file_sets_for(settings: Sequence[Setting], shape: Shape) -> tuple[FileSet, ...]:
    """One set for each name and number of files that the settings need, in their order."""
    made: dict[tuple[str, int, str], FileSet] = {}
    for setting in settings:
        name = set_name(setting)
        if name is not None:
            key = (setting.directory, setting.files, name)
            made.setdefault(key, _file_set(setting, name, shape))
    return tuple(made.values())


def _file_set(setting: Setting, name: str, shape: Shape) -> FileSet:
    directory, files = setting.directory, setting.files
    if files == MANY_FILES:
        return FileSet(directory, files, shape.many_bytes // files)
    kind = name.partition("/")[0]
    match kind:
        case "first_touch":
            return FileSet(directory, files, shape.touch_bytes, name, settle=False)
        case "small":
            return FileSet(directory, files, shape.small_bytes, name)
        case "zeros":
            return FileSet(directory, files, shape.small_bytes, name, content="zeros")
        case "sparse":
            # Reading holes in full would only warm up the filesystem's map of them.
            size = shape.small_bytes
            return FileSet(directory, files, size, name, content="sparse", settle=False)
        case _:
            return FileSet(directory, files, shape.file_bytes)
