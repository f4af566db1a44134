"""Templates of reports: which sections they hold and what their cover says, kept in files."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from advisor.report.document.cover import Cover
from advisor.report.document.sections import SECTIONS
from advisor.typed_path import typed_path
from advisor.whole_file import replace_whole
from probes.errors import UsageError
from probes.figures import listed

FOLDER = "report-templates"
"""Where templates are kept, in Leadline's own folder."""

ENDING = ".toml"
LONGEST_OPENING = 4000
MOST_BYTES = 64 * 1024


class Paper(StrEnum):
    """The sizes of paper that offices have."""

    A4 = "A4"
    LETTER = "Letter"


@dataclass(frozen=True, slots=True)
class Template:
    """What reports of one kind have in common; "" and None where it says nothing of that.

    ``sections`` are names of ``SECTIONS``, None for all; ``logo`` is a file; ``opening`` is what
    its maker says before the sections, paragraphs parted by empty lines.
    """

    sections: frozenset[str] | None = None
    opening: str = ""
    author: str = ""
    logo: str = ""
    paper: str = ""
    hide_names: bool = False

    def cover(self, client: str, date: str) -> Cover:
        """The cover of a report for a client; raises UsageError for what can't be printed."""
        made = Cover.typed(client, self.author, date, self.logo, anonymous=self.hide_names)
        return replace(made, sections=self.sections, opening=checked_opening(self.opening))

    def but(self, author: str, logo: str, paper: str, *, hide_names: bool) -> Template:
        """The same with what was typed beside it; "" leaves what stands here."""
        return replace(
            self,
            author=author or self.author,
            logo=logo or self.logo,
            paper=paper or self.paper,
            hide_names=hide_names or self.hide_names,
        )


EVERYTHING = Template()
BUILT_IN: Mapping[str, Template] = MappingProxyType(
    {
        "everything": EVERYTHING,
        "manager": Template(frozenset({"summary", "what-if", "conditions", "roles", "under"})),
        "plan": Template(frozenset({"summary", "seen", "plan", "reproduce"})),
    }
)
"""For who checks all of it, for who decides, and for who carries it out."""


def named(name: str, folder: Path) -> Template:
    """The template that is called so, built in or kept in ``folder``; or that of a file.

    Raises UsageError where there is none, or where its file is wrong.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]
    if name.endswith(ENDING):
        return read(typed_path(name))
    kept = kept_in(folder)
    if name not in kept:
        raise UsageError(
            f"There is no template called '{name}'.",
            f"Name a {ENDING} file, or one of {', '.join((*BUILT_IN, *kept))}.",
        )
    return read(kept[name])


def kept_in(folder: Path) -> dict[str, Path]:
    """The files of the templates that are kept, by their names in order."""
    if not folder.is_dir():
        return {}
    return {path.stem: path for path in sorted(folder.glob(f"*{ENDING}"))}


def read(path: Path) -> Template:
    """The template of a file; raises UsageError where it can't be read or says what none says."""
    try:
        # A pipe would be waited for, and a device might never end.
        if path.exists() and not path.is_file():
            raise UsageError(f"The template {path} is no file.")
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise UsageError(f"The template {path} is larger than 64 KiB.")
        found = tomllib.loads(content.decode())
    except OSError as error:
        raise UsageError(f"The template {path} can't be read: {error.strerror}.") from error
    except ValueError as error:
        raise UsageError(f"The template {path} is no TOML: {error}.") from error
    except RecursionError as error:
        raise UsageError(f"The template {path} is nested deeper than any template.") from error
    return _checked(path, found)


def keep(folder: Path, name: str, template: Template) -> Path:
    """Write a template to ``folder`` in place of one of that name; raises UsageError.

    A logo is named by its whole path: the file stays where it is.
    """
    plain = name.strip()
    if not plain or plain.startswith(".") or not plain.isprintable() or set(plain) & set('/\\:"'):
        raise UsageError(f"'{plain}' can't be a template's name.", "Use letters and figures.")
    if plain in BUILT_IN:
        raise UsageError(f"'{plain}' is built in.", "Choose another name.")
    path = folder / f"{plain}{ENDING}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_whole(path, _text(template).encode())
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror}.") from error
    return path


def checked_opening(text: str) -> str:
    """The words before the sections; raises UsageError for what can't be printed or is too long."""
    if len(text) > LONGEST_OPENING:
        raise UsageError(f"The opening can't be longer than {LONGEST_OPENING:,} letters.")
    if not all(each.isprintable() for each in text.splitlines()):
        raise UsageError("The opening can't hold control characters.")
    return text


_KEYS: Mapping[str, type] = {
    "sections": list,
    "opening": str,
    "author": str,
    "logo": str,
    "paper": str,
    "hide_names": bool,
}


def _checked(path: Path, found: Mapping[str, Any]) -> Template:
    for key, value in found.items():
        if key not in _KEYS:
            raise UsageError(
                f"The template {path} says '{key}', which no template has.",
                f"It can say {listed(list(_KEYS))}.",
            )
        if not isinstance(value, _KEYS[key]):
            raise UsageError(f"'{key}' in the template {path} is no {_WORDS[_KEYS[key]]}.")
    sections = found.get("sections")
    unknown = [each for each in sections or () if str(each) not in SECTIONS]
    if unknown:
        raise UsageError(
            f"The template {path} names the section '{unknown[0]}', which no report has.",
            f"The sections are {', '.join(SECTIONS)}.",
        )
    paper = str(found.get("paper", ""))
    if paper and paper not in set(Paper):
        raise UsageError(f"The template {path} names the paper '{paper}'.", "Write A4 or Letter.")
    logo = str(found.get("logo", ""))
    return Template(
        None if sections is None else frozenset(map(str, sections)),
        checked_opening(str(found.get("opening", ""))),
        str(found.get("author", "")),
        str(path.parent / typed_path(logo)) if logo else "",
        paper,
        bool(found.get("hide_names", False)),
    )


_WORDS: Mapping[type, str] = {list: "list of sections", str: "text", bool: "true or false"}


def _text(template: Template) -> str:
    """As TOML, whose texts are spelled as JSON's."""
    lines = ["# What reports with this template hold, and what their cover says."]
    if template.sections is not None:
        names = [_quoted(each) for each in SECTIONS if each in template.sections]
        lines.append(f"sections = [{', '.join(names)}]")
    logo = str(Path(template.logo).expanduser().absolute()) if template.logo else ""
    texts = {
        "opening": template.opening,
        "author": template.author,
        "logo": logo,
        "paper": template.paper,
    }
    lines += [f"{key} = {_quoted(text)}" for key, text in texts.items() if text]
    if template.hide_names:
        lines.append("hide_names = true")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
