"""Case files with figures that no server gives are judged, forecast and written, or refused.

``LEADLINE_MUTANTS=500`` tries more; one that fails is named by its number.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from advisor.report.report import read_case
from advisor.runs.events import KeptRun
from advisor.runs.importing import import_files
from advisor.store.store import Store
from probes.errors import UsageError
from tests.advisor.store.hostile_cases import answered, changed
from tests.advisor.store.mutated_cases import mutate, originals
from tests.advisor.store.used_cases import use

MUTANTS = int(os.environ.get("LEADLINE_MUTANTS", "6"))


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return originals(tmp_path_factory.mktemp("originals"))


def refused(file: Path) -> bool:
    """Whether a file is refused; else all is made of it that Leadline makes of a case."""
    try:
        report = read_case(file)
    except UsageError as error:
        assert str(file) in error.sentence
        return True
    use(report)
    return False


def taken(file: Path, store: Path) -> bool:
    """Whether an import takes it: what it takes can be judged, as it is when it is opened."""
    with Store.open(store) as opened:
        (outcome,) = import_files(opened, [file])
        return isinstance(outcome, KeptRun)


@pytest.mark.parametrize("seed", range(MUTANTS))
def test_a_mutant_is_used_or_refused_and_imported_likewise(
    seed: int, right: list[Path], tmp_path: Path
) -> None:
    file = Path(shutil.copy(right[seed % len(right)], tmp_path / "mutant.leadline"))
    what = mutate(file, seed)
    assert taken(file, tmp_path / "store.sqlite3") is not refused(file), what


def is_set(name: str, value: str, file: Path) -> None:
    changed(file, "mysql.variables", f'"{name}": "', f'"{name}": "{value}", "was_{name}": "')


ODD: Mapping[str, tuple[str, str]] = {
    "an endless round trip": ("mysql.round_trip_us", "inf"),
    "no version": ("mysql.version", "{}"),
    "a version of nobody's": ("mysql.version", '{"version": "9223372036854775807"}'),
    "a size that is none": ("mysql.sizes", '{"innodb_files_bytes": "many"}'),
    "no status": ("mysql.status.after", "{}"),
}
VALUES = (
    ("sync_binlog", "1e400"),
    ("innodb_io_capacity", "zz"),
    ("innodb_io_capacity_max", "nan"),
    ("innodb_buffer_pool_size", "-inf"),
    ("innodb_page_size", ""),
    ("innodb_log_file_size", "0x10"),
    ("max_connections", "1_000"),
)


@pytest.mark.parametrize(("at", "what"), [*enumerate((*ODD, *VALUES))], ids=str)
def test_an_odd_figure_is_a_missing_fact(
    at: int, what: str | tuple[str, str], right: list[Path], tmp_path: Path
) -> None:
    file = Path(shutil.copy(right[at % len(right)], tmp_path / "odd.leadline"))
    if isinstance(what, str):
        answered(file, *ODD[what])
    else:
        is_set(*what, file)
    report = read_case(file)
    mysql = report.case.inventory.mysql
    if not isinstance(what, str):
        assert mysql is not None
        assert mysql.value(what[0]) is None
    use(report)
