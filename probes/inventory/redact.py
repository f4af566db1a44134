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

_HEADING = re.compile(r"^-{3,}\n([A-Z][A-Z0-9 /_-]+)\n-{3,}\n", re.MULTILINE)


def without_secrets(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables with the values hidden that are, or hold, a secret, by name or by look."""
    return {name: HIDDEN if hides(name, value) else value for name, value in variables.items()}


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

    Settings are told by their names as well, other texts by their look alone.
    """
    if name.endswith("mysql.innodb_status"):
        return cleaned(without_statements(answer))
    try:
        content = json.loads(answer)
    except (ValueError, RecursionError):
        return cleaned(answer)
    if not isinstance(content, dict | list):
        return cleaned(answer)
    if name.endswith("mysql.variables"):
        clean = _settings(content)
    elif ".status." in name and isinstance(content, dict) and "values" in content:
        clean = content | {"values": _counters(content["values"])}
    else:
        clean = _clean(content)
    return answer if clean == content else json.dumps(clean, ensure_ascii=False)


def _settings(content: Any) -> Any:
    """A mapping of settings, or a list of pairs."""
    if isinstance(content, dict):
        return {name: _setting(name, value) for name, value in content.items()}
    if isinstance(content, list):
        return [
            [each[0], _setting(each[0], each[1])]
            if isinstance(each, list) and len(each) == 2
            else _clean(each)
            for each in content
        ]
    return content


def _setting(name: Any, value: Any) -> Any:
    if isinstance(value, str):
        return HIDDEN if hides(str(name), value) else value
    return _clean(value)


def _counters(content: Any) -> Any:
    """What a server counts; a number is no secret, whatever its name is."""
    if not isinstance(content, dict):
        return _clean(content)
    return {
        name: value if _is_number(value) else _setting(name, value)
        for name, value in content.items()
    }


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def _clean(content: Any) -> Any:
    """Any JSON: its texts by their look, and the lines of option files by name and value."""
    if isinstance(content, str):
        return cleaned(content)
    if isinstance(content, list):
        return [_clean(each) for each in content]
    if not isinstance(content, dict):
        return content
    name, value = content.get("name"), content.get("value")
    if isinstance(name, str) and isinstance(value, str) and hides(name, value):
        content = {**content, "value": HIDDEN, "text": ""}
    return {key: _clean(each) for key, each in content.items()}
