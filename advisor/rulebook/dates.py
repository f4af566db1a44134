"""How old what a rule knows is: when its page was written, and when its sources were published.

``resources/rule_dates.toml`` holds the day of each page with a digest of its text; ``make docs``
writes the day again where the text has changed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from importlib.resources import files

from advisor.knowledge.findings import findings
from advisor.rulekit.rule import Rule

FILE = "rule_dates.toml"
_DIGITS = 12


@dataclass(frozen=True, slots=True)
class PageDate:
    """The day on which a page got the text that has this ``digest``."""

    written: date
    digest: str


@dataclass(frozen=True, slots=True)
class RuleAge:
    """A rule, the day of its page, and the dates of its published findings as far as known.

    ``written`` is None where the page's text is not the one that was dated. ``published`` are ISO
    8601 dates, the oldest first: years, months or days.
    """

    rule: Rule
    written: date | None
    published: tuple[str, ...]

    def days(self, today: date) -> int | None:
        """For how many days the page has had its text."""
        return None if self.written is None else (today - self.written).days


def digest(rule: Rule) -> str:
    """What a change of a rule's page changes."""
    return sha256(rule.text.encode()).hexdigest()[:_DIGITS]


@cache
def page_dates() -> Mapping[str, PageDate]:
    """The days of all pages, by a page's id; raises OSError where the file is not there."""
    text = files("resources").joinpath(FILE).read_text(encoding="utf-8")
    return {
        page: PageDate(date.fromisoformat(written), hashed)
        for page, (written, hashed) in tomllib.loads(text).items()
    }


def age_of(rule: Rule) -> RuleAge:
    """When what a rule knows was written and published."""
    known = page_dates().get(rule.page)
    written = None if known is None or known.digest != digest(rule) else known.written
    published = sorted(each for name in rule.findings if (each := findings()[name].date))
    return RuleAge(rule, written, tuple(published))


def dated(rules: Iterable[Rule], known: Mapping[str, PageDate], today: date) -> str:
    """The file's text: the days that are known, and ``today`` for each page that has changed."""
    lines = []
    for page, hashed in sorted({rule.page: digest(rule) for rule in rules}.items()):
        before = known.get(page)
        same = before is not None and before.digest == hashed
        written = before.written if before is not None and same else today
        lines.append(f'"{page}" = ["{written.isoformat()}", "{hashed}"]')
    head = "# The day on which each rule's page got its text, with a digest. `make docs` writes it."
    return "\n".join((head, *lines, ""))
