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

from advisor.report.document.cover import Cover, OwnWords, check_line
from advisor.report.document.sections import APPENDIX, SECTIONS
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
    its maker says before the sections, paragraphs parted by empty lines; ``own`` are his words
    beside advice.
    """

    sections: frozenset[str] | None = None
    opening: str = ""
    author: str = ""
    logo: str = ""
    paper: str = ""
    hide_names: bool = False
    contact: str = ""
    confidential: str = ""
    own: tuple[OwnWords, ...] = ()

    def cover(self, typed: Cover) -> Cover:
        """The cover of one report, for which ``typed`` has what no template says.

        Raises UsageError for what can't be printed.
        """
        made = replace(
            typed,
            author=self.author,
            contact=self.contact,
            confidential=self.confidential,
            anonymous=self.hide_names,
            sections=self.sections,
            opening=checked_opening(self.opening),
            own=tuple(map(checked_own, self.own)),
        )
        return made.of_lines().with_logo(self.logo)

    def but(self, typed: Template) -> Template:
        """The same with what was typed beside it; what is "" there stays as it is here."""
        rules = {each.rule for each in typed.own}
        return replace(
            self,
            author=typed.author or self.author,
            logo=typed.logo or self.logo,
            paper=typed.paper or self.paper,
            hide_names=typed.hide_names or self.hide_names,
            contact=typed.contact or self.contact,
            confidential=typed.confidential or self.confidential,
            own=(*typed.own, *(each for each in self.own if each.rule not in rules)),
        )

    @property
    def with_evidence(self) -> Template:
        """The same with all that proves it."""
        return replace(self, sections=None if self.sections is None else self.sections | APPENDIX)


EVERYTHING = Template()
CLIENT = Template(frozenset(SECTIONS) - APPENDIX)
BUILT_IN: Mapping[str, Template] = MappingProxyType(
    {
        "client": CLIENT,
        "manager": Template(
            frozenset({"summary", "risks", "forecast", "tried", "what-if", "roles", "under"})
        ),
        "plan": Template(frozenset({"summary", "risks", "seen", "plan", "reproduce"})),
        "everything": EVERYTHING,
    }
)
"""For the client, for who decides, for who carries it out, and for who checks all of it."""


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


def checked_own(own: OwnWords) -> OwnWords:
    """Words beside advice; raises UsageError for what can't be printed or is too long."""
    if len(own.words) > LONGEST_OPENING or not all(
        each.isprintable() for each in own.words.splitlines()
    ):
        raise UsageError(
            f"The words on {own.rule} can't hold control characters, nor more than "
            f"{LONGEST_OPENING:,} letters."
        )
    for line in (own.rule, own.who, own.until):
        check_line("name of who does it, or until when,", line)
    return own


_KEYS: Mapping[str, type] = {
    "sections": list,
    "opening": str,
    "author": str,
    "contact": str,
    "confidential": str,
    "logo": str,
    "paper": str,
    "hide_names": bool,
    "advice": dict,
}
_OWN = ("words", "who", "until")


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
        str(found.get("contact", "")),
        str(found.get("confidential", "")),
        tuple(_own(path, rule, of) for rule, of in found.get("advice", {}).items()),
    )


def _own(path: Path, rule: str, found: object) -> OwnWords:
    """What a template says of one rule's advice."""
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        raise UsageError(f"'{rule}' in the template {path} is no table of texts.")
    for key in found:
        if key not in _OWN:
            raise UsageError(
                f"The template {path} says '{key}' of {rule}.", f"It can say {listed(_OWN)}."
            )
    return checked_own(OwnWords(rule, **found))


_WORDS: Mapping[type, str] = {
    list: "list of sections",
    str: "text",
    bool: "true or false",
    dict: "table",
}


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
        "contact": template.contact,
        "confidential": template.confidential,
        "logo": logo,
        "paper": template.paper,
    }
    lines += [f"{key} = {_quoted(text)}" for key, text in texts.items() if text]
    if template.hide_names:
        lines.append("hide_names = true")
    for each in template.own:
        lines += ["", f"[advice.{_quoted(each.rule)}]"]
        lines += [f"{key} = {_quoted(text)}" for key in _OWN if (text := getattr(each, key))]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
