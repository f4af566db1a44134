"""What a rule is, and what it may answer.

A rule is one file ``advisor/rules/<family>/<name>.py`` with one function under ``@rule``. Path, id
(``family.name`` with dashes) and page are one word; the module's docstring is the page.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

from advisor.facts.catalogue import CATALOGUE
from advisor.facts.fact import AnyFact
from advisor.outcomes import Apply, Confidence, Needs, Verdict
from advisor.plan.steps import Step
from advisor.rulekit.change import Change
from advisor.rulekit.facts import Facts
from advisor.rulekit.versions import Versions

NO_CHANGE = Apply()


@dataclass(frozen=True, slots=True)
class Judged:
    """A rule's own part of a recommendation; the engine adds id, title, topic and evidence.

    ``gain`` is the expected effect on the server, 0 (none) to 1 (it decides everything). The fields
    of the evidence card mean what they do in ``Recommendation``.
    """

    verdict: Verdict
    saw: str
    setting: str = ""
    now: str = ""
    proposed: str = ""
    effect: str = ""
    confidence: Confidence = Confidence.MEDIUM
    risk: str = ""
    needs: Needs = Needs.NOTHING
    apply: Apply = NO_CHANGE
    undo: str = ""
    flips_when: str = ""
    gain: float = 0.0
    formula: str = ""
    valid: str = ""
    because: str = ""
    cost_of_error: str = ""
    side_effects: str = ""
    verify: str = ""
    steps: tuple[Step, ...] = ()

    def by(self, made: Change) -> Judged:
        """Return the same with the texts and steps of a change."""
        return replace(
            self,
            proposed=made.proposed,
            needs=made.needs,
            apply=made.apply,
            undo=made.undo,
            verify=self.verify or made.verify,
            steps=made.steps,
        )


@dataclass(frozen=True, slots=True)
class Unjudged:
    """The rule can't tell; ``because`` is a full sentence."""

    because: str


@dataclass(frozen=True, slots=True)
class Inapplicable:
    """The rule has nothing to say about this server; ``because`` is a full sentence."""

    because: str


Answer = Judged | Unjudged | Inapplicable
Check = Callable[[Facts], Answer]


@dataclass(frozen=True, slots=True)
class Rule:
    """One piece of knowledge.

    ``text`` is its page without the title; ``needs`` and ``uses`` are names in the catalogue of
    facts. Without one of ``needs`` the rule is not called; ``uses`` may be absent. ``settings``
    are the server variables that it speaks about; ``since`` is the release that brought it.
    ``applies_to`` are the servers that it speaks about, all when empty. ``findings`` are ids of the
    published findings that it stands on. While a rule of ``waits_for`` recommends something, its
    own recommendation is held back.
    """

    id: str
    title: str
    topic: str
    text: str
    needs: tuple[str, ...]
    uses: tuple[str, ...]
    settings: tuple[str, ...]
    since: str
    check: Check
    applies_to: tuple[Versions, ...] = ()
    findings: tuple[str, ...] = ()
    waits_for: tuple[str, ...] = ()

    @property
    def documentation(self) -> str:
        """Its page as Markdown, with the facts that it looks at."""
        rows = [self._row(name, "yes") for name in self.needs]
        rows += [self._row(name, "if known") for name in self.uses]
        table = "\n".join(
            ("| fact | unit | meaning | needed |", "| --- | --- | --- | --- |", *rows)
        )
        return f"# {self.title}\n\n{self.text}\n\n## Facts\n{table}\n"

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
    topic: str,
    needs: tuple[AnyFact, ...],
    uses: tuple[AnyFact, ...] = (),
    settings: tuple[str, ...] = (),
    since: str = "0.1",
    applies_to: tuple[Versions, ...] = (),
    findings: tuple[str, ...] = (),
    waits_for: tuple[str, ...] = (),
) -> Callable[[Check], Rule]:
    """Turn the one function of a rule's module into its Rule."""

    def make(check: Check) -> Rule:
        page = sys.modules[check.__module__].__doc__ or ""
        family, name = check.__module__.split(".")[-2:]
        return Rule(
            id=f"{family}.{name}".replace("_", "-"),
            title=page.partition("\n")[0].rstrip("."),
            topic=topic,
            text=page.partition("\n")[2].strip(),
            needs=tuple(fact.name for fact in needs),
            uses=tuple(fact.name for fact in uses),
            settings=settings,
            since=since,
            check=check,
            applies_to=applies_to,
            findings=findings,
            waits_for=waits_for,
        )

    return make
