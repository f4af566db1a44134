"""Typst at work: in this process, or in one of its own, with which its memory goes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from probes.errors import UsageError

if TYPE_CHECKING:
    from typst import Fonts

TYPESET = "--typeset"
"""The one argument by which a frozen program is started to do this alone."""


@dataclass(frozen=True, slots=True)
class TypstSources:
    """What a document is laid out from: texts by name, the folder that files lie in, fonts.

    ``system_fonts``: the machine's, too; looking through them takes a millisecond for each file.
    """

    texts: Mapping[str, str]
    folder: str
    fonts: str
    system_fonts: bool = False


def typeset(sources: TypstSources, form: Mapping[str, Any]) -> list[bytes]:
    """What Typst makes of it: a PDF, or a picture for each page.

    Raises RuntimeError where it can't, and UsageError where Typst is not installed.
    """
    try:
        import typst  # noqa: PLC0415 - a large library, for paper alone
    except ModuleNotFoundError as error:
        raise UsageError(
            "The package that lays out PDF pages is not installed.",
            "Add it: pipx inject leadline typst, or pip install 'leadline[pdf]'. Or write .html"
            " and print that.",
        ) from error

    fonts = _fonts(sources.fonts, from_system=sources.system_fonts)
    files: Any = {name: text.encode() for name, text in sources.texts.items()}
    made = typst.compile(files, root=sources.folder, font_paths=fonts, **form)
    return [made] if isinstance(made, bytes) else list(made)


def typeset_apart(sources: TypstSources, forms: Sequence[Mapping[str, Any]]) -> list[list[bytes]]:
    """The same in each of ``forms``, by a process of its own: for a window, which lives on.

    Typst itself takes memory, and keeps what it made of the documents before: after three looks at
    14 pages a program held 95 MiB, and 209 where it had laid them out itself. What is made is
    handed over in the folder of ``sources``. Raises as ``typeset`` does, and OSError where no
    process can be started.
    """
    asked = {"sources": asdict(sources), "forms": list(forms)}
    done = subprocess.run(
        _command(),
        input=json.dumps(asked).encode(),
        capture_output=True,
        check=False,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    if done.returncode:
        raise RuntimeError(f"the process that lays it out ended with {done.returncode}")
    answer = json.loads(done.stdout)
    if "refused" in answer:
        raise UsageError(*answer["refused"])
    if "failed" in answer:
        raise RuntimeError(answer["failed"])
    return [[Path(each).read_bytes() for each in pages] for pages in answer["made"]]


def main() -> None:
    """Lay out what standard input asks for, and answer on standard output."""
    asked = json.load(sys.stdin)
    sources = TypstSources(**asked["sources"])
    answer: dict[str, Any]
    try:
        made = [_kept(typeset(sources, form), sources.folder) for form in asked["forms"]]
        answer = {"made": made}
    except UsageError as error:
        answer = {"refused": [error.sentence, error.advice]}
    except (RuntimeError, OSError) as error:
        answer = {"failed": str(error)}
    json.dump(answer, sys.stdout)


def _command() -> list[str]:
    """What starts this program to do nothing else."""
    if getattr(sys, "frozen", False):
        return [sys.executable, TYPESET]
    script = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import main; main()"
    return [sys.executable, "-c", script]


def _kept(pages: Sequence[bytes], within: str) -> list[str]:
    folder = Path(mkdtemp(dir=within))
    files = [folder / str(number) for number in range(len(pages))]
    for file, page in zip(files, pages, strict=True):
        file.write_bytes(page)
    return list(map(str, files))


@cache
def _fonts(folder: str, *, from_system: bool) -> Fonts:
    """No other thread runs meanwhile: they are asked for where a document needs them, and once."""
    from typst import Fonts  # noqa: PLC0415 - as above

    return Fonts(include_system_fonts=from_system, font_paths=[folder])
