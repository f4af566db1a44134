"""What a rule is.

A rule is one file ``advisor/rules/<family>/<name>.py`` with one function under ``@rule``. Path, id
(``family.name`` with dashes) and page are one word; the module's docstring is the page. Rules of
one question stand in one file, with one page, and each has its ``name`` and ``title``. One that
only compares is a row of a table (``rows.py``).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Required, Self, TypedDict, Unpack

from advisor.facts.catalogue import CATALOGUE
from advisor.facts.fact import AnyFact
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.gain import Stakes, VolumeLimit, Wait
from advisor.outcomes import Knowledge
from advisor.rulekit.answers import Answer
from advisor.rulekit.facts import Facts
from advisor.rulekit.safe_end import SafeEnd
from advisor.rulekit.versions import Versions

Check = Callable[[Facts], Answer]


class About(TypedDict, total=False):
    """What a rule declares beside its facts; fields mean what they do in Rule."""

    topic: Required[str]
    do: str
    since: str
    applies_to: tuple[Versions, ...]
    findings: tuple[str, ...]
    waits_for: tuple[str, ...]
    stakes: Stakes
    symptom_of: tuple[str, ...]
    symptom_of_risk: tuple[str, ...]
    part_of: tuple[str, ...]
    major: bool
    safe_end: SafeEnd | None
    knowledge: Knowledge | None
    best_for: Wait | None
    not_fine_beside: tuple[str, ...]
    limit: VolumeLimit | None
    guards_data: bool
    takes_memory: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """One piece of knowledge.

    ``page`` is its page's id: its own, or one that it shares; ``question`` is that page's title and
    ``text`` the page without it. ``needs`` and ``uses`` are names in the catalogue of
    facts. Without one of ``needs`` the rule is not called; ``uses`` may be absent. ``settings``
    are the server variables that it speaks about, ``setting`` the one that it judges. ``since`` is
    the release that brought it.
    ``applies_to`` are the servers that it speaks about, all when empty. ``findings`` are ids of the
    published findings that it stands on. While a rule of ``waits_for`` recommends something, its
    own recommendation is held back. ``stakes`` is what it is about; a symptom of a cause that
    another rule has found (``symptom_of``) is folded under that, and one of a risk
    (``symptom_of_risk``) where the other rule says what to change for the data's sake; advice that
    makes one change with another rule's (``part_of``) follows it. ``major`` marks one whose advice
    brought tens of per cent in published runs: it goes before other advice that can't be
    quantified. ``safe_end`` is which of several values is recommended where its figures leave a
    range. ``knowledge`` is what its effects are known from, where an answer does not say otherwise;
    None leaves it to the findings, and without any it is our choice. It is ``MEASURED`` only where
    the figure that the effect follows from was measured: that other figures decide does not make it
    so. ``best_for`` is the wait that it was tried on: where queries wait longer for another one,
    its confidence is low. Beside a risk to the data that one of ``not_fine_beside`` has found, it
    calls nothing fine.
    ``limit`` is the limit of a volume that it holds the server's rate against. ``guards_data``
    marks one that keeps data from being lost, whether or not any server was seen to need it.
    ``takes_memory`` marks one whose change takes memory of the machine: it is held back while
    memory comes first.
    ``do`` is what it asks for where no value is set, as an imperative without a full stop.
    ``source`` is the file that it stands in, of a row with its name behind a ``#``.
    """

    id: str
    title: str
    topic: str
    page: str
    question: str
    text: str
    needs: tuple[str, ...]
    uses: tuple[str, ...]
    settings: tuple[str, ...]
    check: Check
    since: str = "0.1"
    applies_to: tuple[Versions, ...] = ()
    findings: tuple[str, ...] = ()
    waits_for: tuple[str, ...] = ()
    setting: str = ""
    stakes: Stakes = Stakes.TIME
    symptom_of: tuple[str, ...] = ()
    symptom_of_risk: tuple[str, ...] = ()
    part_of: tuple[str, ...] = ()
    major: bool = False
    safe_end: SafeEnd | None = None
    knowledge: Knowledge | None = None
    best_for: Wait | None = None
    not_fine_beside: tuple[str, ...] = ()
    limit: VolumeLimit | None = None
    guards_data: bool = False
    takes_memory: bool = False
    do: str = ""
    source: str = ""

    @property
    def facts(self) -> str:
        """The facts that it looks at as Markdown, and which of several values is recommended."""
        rows = [self._row(name, "yes") for name in self.needs]
        rows += [self._row(name, "if known") for name in self.uses]
        table = "\n".join(
            ("| fact | unit | meaning | needed |", "| --- | --- | --- | --- |", *rows)
        )
        safe = "" if self.safe_end is None else f"\n\n{self.safe_end.sentence}"
        return f"## Facts\n{table}{safe}"

    def _row(self, name: str, needed: str) -> str:
        fact = CATALOGUE[name]
        return f"| `{name}` | {fact.unit} | {fact.meaning} | {needed} |"

    @property
    def about_server(self) -> bool:
        """Whether it joins measurements with the server, so that both must be of one drive."""
        facts = self.needs + self.uses
        return bool(self.settings) or any(name.startswith("mysql.status.") for name in facts)


def rule(
    *,
    name: str = "",
    title: str = "",
    needs: tuple[AnyFact, ...] = (),
    uses: tuple[AnyFact, ...] = (),
    setting: str = "",
    settings: tuple[str, ...] = (),
    **about: Unpack[About],
) -> Callable[[Check], Rule]:
    """Turn a function of a rule's module into its Rule.

    ``name`` is its id and ``title`` its own where the module has several. ``setting`` is the one
    variable that it judges: it needs that and the server's version, and ``Facts`` has them as
    ``now`` and ``version``. ``settings`` are further ones that it mentions.
    """

    def make(check: Check) -> Rule:
        page = Page.of(check.__module__)
        return made(
            name=name or page.name,
            title=title or page.title,
            page=page,
            check=check,
            needs=needs,
            uses=uses,
            setting=setting,
            settings=settings,
            **about,
        )

    return make


@dataclass(frozen=True, slots=True)
class Page:
    """What stands above a rule: its id, the file that it is in, its title and its text."""

    name: str
    source: str
    title: str
    text: str

    @classmethod
    def of(cls, module: str) -> Self:
        """The page on top of a module that is imported."""
        family, file = module.split(".")[-2:]
        title, _, text = (sys.modules[module].__doc__ or "").partition("\n")
        return cls(
            f"{family}.{file}".replace("_", "-"),
            f"advisor/rules/{family}/{file}.py",
            title.rstrip("."),
            text.strip(),
        )


def made(
    *,
    name: str,
    title: str,
    page: Page,
    check: Check,
    needs: tuple[AnyFact, ...],
    uses: tuple[AnyFact, ...],
    setting: str,
    settings: tuple[str, ...],
    **about: Unpack[About],
) -> Rule:
    """Make the rule of that name."""
    own = (MYSQL_VERSION, variable(setting)) if setting else ()
    return Rule(
        id=name,
        title=title,
        page=page.name,
        question=page.title,
        text=page.text,
        needs=tuple(dict.fromkeys(fact.name for fact in own + needs)),
        uses=tuple(fact.name for fact in dict.fromkeys(uses) if fact not in own + needs),
        setting=setting,
        settings=tuple(dict.fromkeys((*filter(None, (setting,)), *settings))),
        check=check,
        source=page.source,
        **about,
    )
