"""The layers hold, each contract breaks when it is violated, and the lower layers need no Qt."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("app", "advisor", "probes")
LINTER = str(Path(sys.executable).parent / "lint-imports")
MOST_MODULES = 15
MOST_LINES = 400

UNCOUNTED = {"__init__", "conftest"}
SIDE_BY_SIDE = ROOT / "packaging"
"""Python looks for a script's neighbours in its own folder, so that these scripts share one."""

VAGUE = {"util", "utils", "helper", "helpers", "manager", "managers", "common", "misc"}

BREACHES = {
    "a probe that imports the program": (
        "probes/breach.py",
        "import advisor.case",
        "Imports point",
    ),
    "a program that imports its face": (
        "advisor/breach.py",
        "import app.runtime.jobs",
        "Imports point",
    ),
    "a probe that imports Qt": ("probes/breach.py", "import PySide6.QtCore", "Only the window"),
    "a program that draws": ("advisor/breach.py", "import pyqtgraph", "Only the window"),
    "a probe that stores": ("probes/breach.py", "import sqlite3", "no store"),
    "a rule that asks a server": ("advisor/rules/breach.py", "import pymysql", "Rules are pure"),
    "a rule that reads a clock": ("advisor/rules/breach.py", "import time", "Rules are pure"),
    "a kit that knows a rule": (
        "advisor/rulekit/breach.py",
        "import advisor.rules.host.thp",
        "built upwards",
    ),
    "a plan that knows its report": (
        "advisor/plan/breach.py",
        "import advisor.wording.measured.summary",
        "built upwards",
    ),
    "a folder of no floor": ("advisor/nowhere/__init__.py", "", "built upwards"),
    "a sentence that knows its form": (
        "advisor/report/lens_words.py",
        "import advisor.report.forms.text",
        "Forms of a report",
    ),
    "words of a watch that know advice": (
        "advisor/wording/watch/breach.py",
        "import advisor.wording.advice.why",
        "What is said",
    ),
    "a target that knows a plan": (
        "probes/targets/breach.py",
        "import probes.plans.plan",
        "probes' folders",
    ),
    "a controller that knows a view": (
        "app/controllers/breach.py",
        "import app.views.widgets.labels",
        "window's folders",
    ),
    "a page that knows another": (
        "app/views/compare/breach.py",
        "import app.views.advice.page",
        "no other page",
    ),
    "a view that reads the store": (
        "app/views/charts/breach.py",
        "import advisor.store.store",
        "no store",
    ),
    "a page with a thread of its own": (
        "app/views/probe/breach.py",
        "import threading",
        "Threads are made",
    ),
}


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [LINTER, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return copy_of_layers(tmp_path)


def copy_of_layers(folder: Path) -> Path:
    compiled = shutil.ignore_patterns("__pycache__")
    for layer in LAYERS:
        shutil.copytree(ROOT / layer, folder / layer, ignore=compiled)
    shutil.rmtree(folder / "probes" / "agent")
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def test_layers_hold() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the linter says of a copy with all breaches, by the contract that it says it of."""
    folder = copy_of_layers(tmp_path_factory.mktemp("breached"))
    for path, code, _ in BREACHES.values():
        place = folder / path
        place.parent.mkdir(exist_ok=True)
        with place.open("a") as module:
            module.write(f"{code}\n")
    done = lint_imports(folder)
    assert done.returncode != 0
    _, _, details = done.stdout.partition("Broken contracts\n")
    parts = re.split(r"^(.+)\n-{8,}\n", details, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("breach", BREACHES)
def test_contract_breaks(reported: dict[str, str], breach: str) -> None:
    path, code, contract = BREACHES[breach]
    (said,) = (text for name, text in reported.items() if contract in name and named(path) in text)
    if code:
        arrows = re.findall(rf"{named(path)} -> ([\w.]+)", said)
        assert any(f"{code.removeprefix('import ')}.".startswith(f"{to}.") for to in arrows), said


def named(path: str) -> str:
    """The module in a file."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def folders_that_import_each_other(root: Path) -> set[tuple[str, str]]:
    """Pairs of folders side by side, each of which imports something of the other."""
    arrows: set[tuple[str, str]] = set()
    for layer in LAYERS:
        for path in sorted((root / layer).rglob("*.py")):
            importer = path.parent.relative_to(root)
            tree = ast.parse(path.read_text(encoding="utf-8"))
            arrows.update((str(importer), str(to)) for to in imported_folders(tree, root))
    return {
        (one, to)
        for one, to in arrows
        if one < to and (to, one) in arrows and Path(one).parent == Path(to).parent
    }


def imported_folders(tree: ast.AST, root: Path) -> Iterator[Path]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                modules = [each.name for each in names]
            case ast.ImportFrom(module=str(module), names=names):
                modules = [f"{module}.{each.name}" for each in names]
            case _:
                continue
        for module in modules:
            if module.partition(".")[0] in LAYERS:
                folder = root / module.replace(".", "/")
                while not folder.is_dir():
                    folder = folder.parent
                yield folder.relative_to(root)


def test_no_folder_imports_one_that_imports_it() -> None:
    assert folders_that_import_each_other(ROOT) == set()


def test_folders_that_import_each_other_are_named(copied: Path) -> None:
    breach = copied / "advisor" / "facts" / "machine" / "breach.py"
    breach.write_text("from advisor.facts.watched.watch import users_watch\n")
    found = folders_that_import_each_other(copied)
    assert found == {("advisor/facts/machine", "advisor/facts/watched")}


def test_qt_makes_no_threads() -> None:
    """What jobs promise (names, stop, garbage) holds for threads that they made."""
    wrong = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "app").rglob("*.py"))
        if re.search(r"\bQ(Thread|ThreadPool|Runnable)\b", path.read_text(encoding="utf-8"))
    ]
    assert wrong == []


def test_lower_layers_run_without_qt() -> None:
    """Import every module of probes and advisor where Qt can't be imported."""
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for layer in ("probes", "advisor")
        for path in sorted((ROOT / layer).rglob("*.py"))
    ]
    program = (
        "import importlib, sys\n"
        "for name in ('PySide6', 'shiboken6', 'pyqtgraph'):\n"
        "    sys.modules[name] = None\n"
        f"for name in {names!r}:\n"
        "    importlib.import_module(name)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_no_rule_imports_a_rule() -> None:
    """What rules share is in advisor/workload, or in a _module of their family."""
    imported = re.compile(r"^(?:from|import) advisor\.rules(?:\.(\w+))?(?:\.(\w+))?", re.MULTILINE)
    wrong = [
        (str(path.relative_to(ROOT)), found[0])
        for path in sorted((ROOT / "advisor" / "rules").glob("*/*.py"))
        for found in imported.finditer(path.read_text(encoding="utf-8"))
        if found[1] != path.parent.name or not (found[2] or "").startswith("_")
    ]
    assert wrong == []


def sources() -> list[Path]:
    folders = (*LAYERS, "packaging", "docs/build", "benchmarks/servers", "benchmarks", "tests")
    return [
        path
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".go"} and "__pycache__" not in path.parts
    ]


def test_modules_stay_small() -> None:
    long = {
        str(path.relative_to(ROOT)): count
        for path in sources()
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > MOST_LINES
    }
    assert long == {}


def test_folders_can_be_read_by_their_names() -> None:
    """A folder holds few modules; a family of rules is as long as it has rules."""
    crowded = {
        str(folder.relative_to(ROOT)): count
        for layer in ("app", "advisor", "probes", "benchmarks", "packaging", "docs", "tests")
        for folder in (ROOT / layer, *sorted((ROOT / layer).rglob("*/")))
        if folder != SIDE_BY_SIDE and folder.parent != ROOT / "advisor" / "rules"
        if (count := sum(path.stem not in UNCOUNTED for path in folder.glob("*.py"))) > MOST_MODULES
    }
    assert crowded == {}


def test_modules_are_named_after_what_they_do() -> None:
    vague = [
        str(path.relative_to(ROOT))
        for path in sources()
        if VAGUE & {path.stem.strip("_"), *path.relative_to(ROOT).parts[:-1]}
    ]
    assert vague == []


def test_modules_say_what_they_are_for() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in sources()
        if path.suffix == ".py"
        and path.relative_to(ROOT).parts[0] in LAYERS
        and not path.read_text(encoding="utf-8").startswith(('"""', 'r"""'))
    ]
    assert silent == []
