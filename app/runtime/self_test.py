"""Checks that this installation is complete: what ``leadline --self-test`` runs.

Installers and freezers lose files silently: a rule that is found by scanning, an icon, an agent.
What must be there was listed when this copy was built; a source tree is compared with itself.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import click

from advisor.rulekit.registry import all_rules
from advisor.store.store import Store
from probes.errors import LeadlineError
from probes.targets.agent_file import AGENT, LOAD_PROGRAM, program_file
from probes.targets.local import LocalTarget
from probes.targets.this_computer import runs_agents

_LAYERS = ("app", "advisor", "probes")
_WINDOW = ("PySide6", "shiboken6", "pyqtgraph")
_OPTIONAL = {"modules": _WINDOW, "paper": ("typst",)}
"""What an installation may do without, by the part that asks for it."""
MIGRATIONS = "migrations/"
_PROGRAMS = tuple(
    f"{program}-linux-{processor}"
    for program in (AGENT, LOAD_PROGRAM)
    for processor in ("amd64", "arm64")
)


@dataclass(frozen=True, slots=True)
class Expected:
    """What must be there: modules by their dotted names, files relative to ``resources``."""

    modules: tuple[str, ...]
    resources: tuple[str, ...]

    @property
    def rule_pages(self) -> tuple[str, ...]:
        """The pages that the modules of rules' families stand for."""
        parts = (name.split(".") for name in self.modules if name.startswith("advisor.rules."))
        return tuple(
            f"{words[2]}.{words[3]}".replace("_", "-")
            for words in parts
            if len(words) == 4 and not words[3].startswith("_")
        )


def run() -> int:
    """Check everything and print a line for each part; 0 when nothing is missing, else 1."""
    expected = _expected()
    if expected is None:
        click.echo("FAILED  list of parts: resources/manifest.json is missing", err=True)
        return 1
    checks: tuple[tuple[str, Callable[[Expected], Iterator[str]]], ...] = (
        ("modules", _modules),
        ("rules", _rules),
        ("resources", _resources),
        ("store", _store),
        ("paper", _paper),
        ("agents", _agents),
    )
    status = 0
    for name, check in checks:
        try:
            status = max(status, _report(name, tuple(check(expected))))
        except (ImportError, _PartLost):
            # What is lost was named before; what takes it can't be checked.
            if not status:
                raise
    return status


class _PartLost(Exception):
    """What a check takes is not there."""


def _report(name: str, faults: tuple[str, ...]) -> int:
    if not faults:
        lacking = [each for each in _OPTIONAL.get(name, ()) if find_spec(each) is None]
        without = f" (without {' and '.join(lacking)}, not installed)" if lacking else ""
        click.echo(f"ok      {name}{without}")
    for fault in faults:
        click.echo(f"FAILED  {name}: {fault}", err=True)
    return 1 if faults else 0


def _expected() -> Expected | None:
    manifest = files("resources").joinpath("manifest.json")
    root = Path(str(files("resources"))).parent
    if (root / "pyproject.toml").is_file():
        return _source_tree(root)
    if not manifest.is_file():
        return None
    content = json.loads(manifest.read_text("utf-8"))
    return Expected(tuple(content["modules"]), tuple(content["resources"]))


def _source_tree(root: Path) -> Expected:
    names = [
        module.name
        for layer in _LAYERS
        for module in pkgutil.walk_packages([str(root / layer)], f"{layer}.")
    ]
    return Expected(tuple(names), tuple(f"agents/{name}" for name in (*_PROGRAMS, "SHA256SUMS")))


def _modules(expected: Expected) -> Iterator[str]:
    # Only the window's modules may ask for Qt, and Qt may ask which platform it draws on.
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    for name in expected.modules:
        if name in sys.modules or name == "app.__main__":
            continue
        try:
            importlib.import_module(name)
        except ImportError as error:
            if not _left_out(error):
                yield f"{name} can't be imported ({error})"


def _left_out(error: ImportError) -> bool:
    """Whether it is for want of the window's libraries, in an installation without them."""
    lacking = (error.name or "").partition(".")[0]
    return lacking in _WINDOW and find_spec(lacking) is None


def _rules(expected: Expected) -> Iterator[str]:
    if not expected.rule_pages:
        yield "the list of parts names none"
    pages = {rule.page for rule in all_rules()}
    for name in expected.rule_pages:
        if name not in pages:
            yield f"{name} is missing"
    for rule in all_rules():
        # Freezing at optimisation level 2 drops docstrings, which are the rules' pages.
        if not rule.title or not rule.text:
            yield f"{rule.id} has lost its page"


def _resources(expected: Expected) -> Iterator[str]:
    for name in _lost(expected):
        yield f"{name} is missing"


def _lost(expected: Expected) -> Iterator[str]:
    folder = files("resources")
    for name in expected.resources:
        if not folder.joinpath(*name.split("/")).is_file():
            yield name


def _store(expected: Expected) -> Iterator[str]:
    if any(name.startswith(MIGRATIONS) for name in _lost(expected)):
        raise _PartLost
    with tempfile.TemporaryDirectory(prefix="leadline-self-test-") as folder:
        try:
            with Store.open(Path(folder) / "store.sqlite"):
                pass
        except LeadlineError as error:
            yield error.sentence


def _paper(expected: Expected) -> Iterator[str]:
    if any(name.startswith(("fonts/", "report/")) for name in _lost(expected)):
        raise _PartLost
    if find_spec("typst") is None:
        return
    from advisor.report.document.blocks import Document, Paragraph, plain  # noqa: PLC0415
    from advisor.report.document.cover import NO_COVER  # noqa: PLC0415 - what may be lost
    from advisor.report.document.templates import Paper  # noqa: PLC0415
    from advisor.report.forms.pdf import to_pages  # noqa: PLC0415

    document = Document("Self-test", NO_COVER, (), "", (Paragraph(plain("Text.")),), "")
    try:
        to_pages(document, Paper.A4, 36)
    except (ImportError, LeadlineError) as error:
        yield str(error)


def _agents(_expected: Expected) -> Iterator[str]:
    for name in _PROGRAMS:
        try:
            with program_file(name):
                pass
        except LeadlineError as error:
            yield error.sentence
    if not files("resources").joinpath("agents", "SHA256SUMS").is_file():
        yield "their checksums are missing"
    if runs_agents():
        yield from _running_agent()


def _running_agent() -> Iterator[str]:
    with closing(LocalTarget()) as target:
        try:
            answers = [
                target.run([path, "version"]) for path in (target.agent(), target.load_program())
            ]
        except LeadlineError as error:
            yield error.sentence
            return
    for answer in answers:
        if answer.status:
            yield f"a fitting one does not run (status {answer.status})"
