"""A run, a published table or a file on a command line, where a comparison or a curve is asked."""

from __future__ import annotations

import difflib
from pathlib import Path

from advisor.compare.contender import Contender
from advisor.compare.load import repeats
from advisor.compare.reference import library
from advisor.store.store import Store
from app.cli.opening import opened_store
from probes.errors import UsageError
from probes.imports import read_import
from probes.imports.content import read_text
from probes.imports.csv_table import HEADER
from probes.imports.curve_csv import is_curve, read_curve
from probes.points import Setting

MOST_RUNS = 10**9
"""Numbers above are no run's: the store would not even take them."""


def is_run(name: str) -> bool:
    """Whether it can be a run's number, or the numbers of repeats: ``1+4``."""
    return all(one.isdecimal() and int(one) <= MOST_RUNS for one in name.split("+"))


def contender(store: Store, name: str) -> Contender:
    """A run by its number, repeats by theirs (``1+4``), or a reference by its name.

    Raises UsageError or StoreError.
    """
    if is_run(name):
        found = repeats(store, [int(one) for one in name.split("+")])
        if not found.points:
            raise UsageError(
                f"Run {name} has no points.", "`leadline runs` shows how many each has."
            )
        return found
    known = {each.key: each for each in library()}
    if name in known:
        return known[name]
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f" Is it {close[0]}?" if close else ""
    raise UsageError(
        f"There is no run or reference {name!r}.{hint}",
        "`leadline runs` lists the runs by number, `leadline runs references` the references.",
    )


def curves_of(name: str, setting: Setting) -> Contender:
    """A file with a curve, a run or a reference; the points of a bare curve have ``setting``.

    Raises UsageError, ImportRefused or StoreError.
    """
    if _is_file(name):
        return _of_file(name, setting)
    with opened_store() as store:
        return contender(store, name)


def _is_file(name: str) -> bool:
    """Whether it can be no run or reference, though some of these have a dot in their names."""
    if is_run(name) or any(each.key == name for each in library()):
        return False
    path = Path(name)
    try:
        return bool(path.suffix) or path.exists()
    except OSError:  # longer than any file's name
        return False


def _of_file(name: str, setting: Setting) -> Contender:
    path = Path(name)
    text = read_text(path)
    bare = is_curve(text) or (path.suffix.lower() == ".csv" and not HEADER.search(text))
    if bare:
        curve = read_curve(path, setting)
        return Contender(path.name, name, {}, curve.points, key=name)
    found = read_import(path)
    return Contender(path.name, name, found.conditions, found.points, key=name)
