"""``leadline import``: results of other programs become runs, to be shown and compared."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

import click
from rich.text import Text

from advisor.runs.collected import take_collected
from advisor.runs.events import KeptRun, RefusedFile
from advisor.runs.importing import import_files, summed_up
from advisor.runs.sample import take_sample
from advisor.runs.sent.asked import ServerTexts
from advisor.runs.sent.server_texts import import_server
from advisor.target_names import SAMPLE, check_name
from advisor.typed_machine import TypedMachine, stated_machine
from app.cli.arguments import options
from app.cli.faults import ExitCode, exit_code, tell
from app.cli.opening import opened_store
from app.cli.shown.server_texts import server_document, show_server
from app.cli.shown.terminal import messages, output, write_json
from app.fields.target import MACHINE, TargetForm
from probes.collection.archive import is_collection
from probes.errors import UsageError
from probes.figures import counted, listed, rate
from probes.imports import Imported
from probes.imports.content import MOST_BYTES
from probes.kinds.words import title, unit, workers
from probes.points import Curve, Trust
from probes.statistics.repeats import curves
from probes.targets.address import StatedMachine
from probes.texts.typed import Typed

MOST_WARNINGS = 20
STDIN = Path("-")
"""With --as: what is piped in, as from a clipboard."""


@click.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--name",
    metavar="NAME",
    default="",
    help="Keep all files as one run of this name; without, each file is a run of its own.",
)
@click.option(
    "--sample",
    is_flag=True,
    help="Keep the sample that ships: a check and a watch of a MySQL server under load.",
)
@click.option(
    "--as",
    "server",
    metavar="SERVER",
    default="",
    help="Read the files, folders and archives as the texts of one server, and judge it: "
    "SERVER becomes a target.",
)
@click.option(
    "--version",
    "version",
    metavar="VERSION",
    default="",
    help="With --as: the server's version, as 8.0.36 or 10.11.6-MariaDB, where no file says it.",
)
@click.option(
    "--apart",
    "apart_s",
    metavar="SECONDS",
    type=click.FloatRange(0.1, 1e6),
    help="With --as: how far apart its statuses lie, where nothing in them says it.",
)
@options.of_form(TargetForm, *MACHINE)
@click.option("--json", "as_json", is_flag=True, help="Print what was kept as JSON.")
def import_(
    *,
    files: tuple[Path, ...],
    name: str,
    sample: bool,
    as_json: bool,
    server: str,
    version: str,
    apart_s: float | None,
    **machine: str,
) -> int:
    """Keep results of other programs as runs, to be shown and compared.

    Reads fio (JSON, JSON+, terse), sysbench (fileio and oltp tests, 0.4 to 1.1), iostat -x, and
    tables of points as CSV (docs/import-csv.md). What a file is, its content says. A case file
    (.leadline) becomes a run of a target that is called as the file is. A file that can't be read
    is named, and the others are imported. An archive of `leadline collect` becomes a watch of the
    server that it names, to be judged by `leadline advise`.

    With --as the files are what people send of a server (docs/server-texts.md): SHOW VARIABLES and
    STATUS in any form, option files, INNODB STATUS, iostat, free, folders of pt-stalk, archives;
    - is what is piped in.
    """
    if server and len(files) == 1 and is_collection(files[0]):
        return _import_collected(files[0], server, as_json)
    if server or version or apart_s is not None or any(machine.values()):
        return _import_server(
            files, server, name, Typed(version, _machine(machine), apart_s), as_json
        )
    if not files and not sample:
        raise UsageError("No file is named to import.", "Name files, or take the --sample.")
    kept: list[KeptRun] = []
    refused: list[RefusedFile] = []
    with opened_store() as store:
        if sample and store.runs(SAMPLE):
            messages().print(f"The sample is there: its target is called {SAMPLE!r}.")
        samples = take_sample(store) if sample else ()
        for each in chain(samples, import_files(store, files, name.strip())):
            if isinstance(each, RefusedFile):
                refused.append(each)
                tell(each.error)
                continue
            kept.append(each)
            if not as_json:
                _tell(each)
    if as_json:
        write_json([_document(each) for each in kept])
    if refused and len(files) > 1:
        messages().print(Text(summed_up(kept, refused)), soft_wrap=True)
    return max((exit_code(each.error) for each in refused), default=ExitCode.DONE)


def _machine(typed: Mapping[str, str]) -> StatedMachine:
    return stated_machine(TypedMachine(**{each: typed[each] or "" for each in MACHINE}))


def _import_server(
    files: Sequence[Path], server: str, name: str, typed: Typed, as_json: bool
) -> int:
    """Keep the files as the texts of one server."""
    if not server or name:
        raise UsageError(
            "The texts of a server need --as, and no --name.",
            "As: `leadline import variables.txt status1.txt status2.txt my.cnf --as db7`.",
        )
    pasted = sys.stdin.read(MOST_BYTES) if STDIN in files else ""
    with opened_store() as store:
        named = tuple(file for file in files if file != STDIN)
        texts = ServerTexts(server, named, pasted, typed)
        kept = import_server(store, texts, time.time())
    if as_json:
        write_json(server_document(kept))
    else:
        show_server(kept)
    return ExitCode.DONE


def _import_collected(file: Path, name: str, as_json: bool) -> int:
    """Keep an archive of `leadline collect` as a watch of the target ``name``."""
    check_name(name)
    with opened_store() as store:
        kept = take_collected(store, file, name)
    if as_json:
        write_json([_document(kept)])
    else:
        _tell(kept)
    return ExitCode.DONE


def _tell(kept: KeptRun) -> None:
    imported = kept.imported
    console = output()
    numbers = listed([str(each) for each in sorted((kept.run_id, *kept.beside))])
    runs = f"Runs {numbers}" if kept.beside else f"Run {numbers}"
    console.print(Text(f"{runs}: {kept.name}", style="bold"), _origin(imported))
    for curve in curves(imported.points):
        console.print(Text(f"  {_curve(curve)}"), soft_wrap=True)
    if imported.host_samples:
        devices = {each.host.device for each in imported.host_samples if each.host is not None}
        samples = counted(len(imported.host_samples), "sample")
        console.print(Text(f"  {samples} of {', '.join(sorted(devices))}"), soft_wrap=True)
    _tell_warnings(imported.warnings)


def _origin(imported: Imported) -> Text:
    program = f"{imported.engine} {imported.engine_version}".strip()
    words = [imported.kind, program if program != imported.kind else ""]
    return Text(f"({', '.join(word for word in words if word)})")


def _curve(curve: Curve) -> str:
    """``random read 16 KiB: 6 points, 1 thread to 32 threads, at most 21.1 k reads/s``."""
    points, setting = curve.points, curve.setting
    first, last = workers(setting), workers(points[-1].setting)
    reach = first if len(points) == 1 else f"{len(points)} points, {first} to {last}"
    doubtful = sum(point.trust is not Trust.OK for point in points)
    doubt = f" ({doubtful} doubtful)" if doubtful else ""
    most = rate(curve.peak.rate_per_s, unit(setting))
    return f"{title(setting)}: {reach}, {'at most ' if len(points) > 1 else ''}{most}{doubt}"


def _tell_warnings(warnings: Sequence[str]) -> None:
    console = messages()
    for warning in warnings[:MOST_WARNINGS]:
        console.print(Text(f"  {warning}", style="yellow"), soft_wrap=True)
    if len(warnings) > MOST_WARNINGS:
        console.print(f"  ... and {len(warnings) - MOST_WARNINGS} more: see `leadline runs show`.")


def _document(kept: KeptRun) -> dict[str, object]:
    imported = kept.imported
    return {
        "run": kept.run_id,
        "name": kept.name,
        "source": imported.source,
        "kind": imported.kind,
        "engine": imported.engine,
        "engine_version": imported.engine_version,
        "points": len(imported.points),
        "host_samples": len(imported.host_samples),
        "conditions": dict(imported.conditions),
        "warnings": list(imported.warnings),
    }
