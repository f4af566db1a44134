"""Taking out of a server's answers what is nobody's business: secrets, and users' statements."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from probes.inventory.facts import RawInventory
from probes.redaction import HIDDEN, cleaned, hides

_WITH_STATEMENTS = frozenset(
    {"LATEST DETECTED DEADLOCK", "LATEST FOREIGN KEY ERROR", "TRANSACTIONS"}
)
_AFTER_STATEMENTS = "FILE I/O"
"""The section that follows those with statements, on every server."""

MOST_LETTERS = 2 << 20
"""Of one answer's texts that are looked through, several times what the largest machine says: it
takes seconds, and whoever answers with more must not hold the program up for minutes."""

PROVIDER_OPTIONS = "wsrep_provider_options"
CACHE_SIZE, CACHE_DIRECTORY = "gcache.size", "gcache.dir"
_OPTION = r"(?:^|;)\s*{}\s*=\s*({})\s*(?=;|$)"
_SIZE = re.compile(_OPTION.format(r"gcache\.size", r"\d{1,18}[KMGT]?"), re.IGNORECASE)
_DIRECTORY = re.compile(_OPTION.format(r"gcache\.dir", r"[./][\w./@+~#-]{0,255}"), re.IGNORECASE)
"""Those of Galera's options that are kept: a size and a path, which are no secrets, whatever stands
beside."""

_HEADING = re.compile(r"^-{3,}\n([A-Z][A-Z0-9 /_-]+)\n-{3,}\n", re.MULTILINE)


def without_secrets(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables with the values hidden that are, or hold, a secret, by name or by look.

    Of Galera's options, which are hidden as a whole, the size and the directory of its write-set
    cache stay as ``gcache.size`` and ``gcache.dir``.
    """
    clean = {name: HIDDEN if hides(name, value) else value for name, value in variables.items()}
    return clean | _cache_of(variables.get(PROVIDER_OPTIONS))


def _cache_of(options: object) -> dict[str, str]:
    """What of the write-set cache is stated among Galera's options; {} where nothing is."""
    if not isinstance(options, str):
        return {}
    size, directory = _SIZE.search(options), _DIRECTORY.search(options)
    kept = {} if size is None else {CACHE_SIZE: size[1].upper()}
    if directory is not None and not hides(CACHE_DIRECTORY, directory[1]):
        kept[CACHE_DIRECTORY] = directory[1]
    return kept


def without_statements(innodb_status: str) -> str:
    """InnoDB's status without the sections that quote what users were running.

    A statement may hold a line that looks like a heading, so that everything between the first of
    these sections and the last heading of the one that follows them is left out.
    """
    headings = list(_HEADING.finditer(innodb_status))
    quoting = [each for each in headings if each[1].strip() in _WITH_STATEMENTS]
    if not quoting:
        return innodb_status
    after = [each.start() for each in headings if each[1].strip() == _AFTER_STATEMENTS]
    end = after[-1] if after and after[-1] > quoting[0].start() else len(innodb_status)
    return f"{innodb_status[: quoting[0].start()]}{quoting[0][0]}{HIDDEN}\n{innodb_status[end:]}"


def clean_inventory(raw: RawInventory) -> RawInventory:
    """All answers, and the reasons of what is missing, without secrets and statements."""
    return replace(
        raw,
        answers={name: clean_answer(name, answer) for name, answer in raw.answers.items()},
        missing=tuple(replace(each, because=cleaned(each.because)) for each in raw.missing),
    )


def clean_answer(name: str, answer: str) -> str:
    """A raw answer by its name, without secrets and statements; as it was where it has none.

    Settings are known by their names as well, other texts by their look alone.
    """
    if name.endswith("mysql.innodb_status"):
        return _Look().text(without_statements(answer))
    try:
        content = json.loads(answer)
        clean = _clean(name, content)
    except (ValueError, RecursionError):
        return _Look().text(answer)
    return answer if clean == content else json.dumps(clean, ensure_ascii=False)


def _clean(name: str, content: Any) -> Any:
    look = _Look()
    if name.endswith("mysql.variables"):
        return look.settings(content)
    if ".status." in name and isinstance(content, dict) and "values" in content:
        return content | {"values": look.counters(content["values"])}
    return look.anything(content)


class _Look:
    """One look through an answer; after ``MOST_LETTERS`` all texts are hidden unseen."""

    def __init__(self) -> None:
        self._left = MOST_LETTERS

    def text(self, text: str) -> str:
        return cleaned(text) if self._may_see(text) else HIDDEN

    def settings(self, content: Any) -> Any:
        """A mapping of settings, or a list of pairs."""
        if isinstance(content, dict):
            return {name: self.setting(name, value) for name, value in content.items()} | (
                _cache_of(content.get(PROVIDER_OPTIONS))
            )
        if isinstance(content, list):
            return [
                [each[0], self.setting(each[0], each[1])]
                if isinstance(each, list) and len(each) == 2
                else self.anything(each)
                for each in content
            ]
        return self.anything(content)

    def setting(self, name: Any, value: Any) -> Any:
        if not isinstance(value, str):
            return self.anything(value)
        return HIDDEN if not self._may_see(value) or hides(str(name), value) else value

    def counters(self, content: Any) -> Any:
        """What a server counts; a number is no secret, whatever its name is."""
        if not isinstance(content, dict):
            return self.anything(content)
        return {
            name: value if _is_number(value) else self.setting(name, value)
            for name, value in content.items()
        }

    def anything(self, content: Any) -> Any:
        """Any JSON: its texts by their look, and the lines of option files by name and value."""
        if isinstance(content, str):
            return self.text(content)
        if isinstance(content, list):
            return [self.anything(each) for each in content]
        if not isinstance(content, dict):
            return content
        name, value = content.get("name"), content.get("value")
        if isinstance(name, str) and isinstance(value, str) and hides(name, value):
            content = {**content, "value": HIDDEN, "text": ""}
        return {key: self.anything(each) for key, each in content.items()}

    def _may_see(self, text: str) -> bool:
        self._left -= len(text)
        return self._left >= 0


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True
