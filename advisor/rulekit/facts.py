"""What one rule may read; what it read is its evidence."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar, Unpack

from advisor.case import Case
from advisor.facts.catalogue import CATALOGUE
from advisor.facts.fact import AnyFact, Fact
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.outcomes import Evidence
from advisor.rulekit.card import Card, Says
from advisor.rulekit.change import change
from advisor.rulekit.condition import Condition
from advisor.steps import Change
from advisor.tried import Pinned, RuleRecord, Tried
from advisor.variables.standing import Standing
from advisor.why import Lacks
from probes.inventory.facts import Inventory
from probes.version import ServerVersion

T = TypeVar("T")


class FactSource:
    """The facts of one case; each is read once and shared by all rules."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._known: dict[str, Reading | Absent] = {}

    @property
    def inventory(self) -> Inventory:
        """The case's inventory, for what is no fact of a rule."""
        return self._case.inventory

    @property
    def tried(self) -> tuple[Tried, ...]:
        """What the lab has found for the target."""
        return self._case.tried

    @property
    def pins(self) -> tuple[Pinned, ...]:
        """What a person keeps on the target."""
        return self._case.pins

    def record(self, rule: str) -> RuleRecord | None:
        """What came of a rule's advice in trials; None where it was never tried."""
        return next((each for each in self._case.records if each.rule == rule), None)

    def read(self, name: str, *, about_server: bool) -> Reading | Absent:
        """Read a fact, or why there is none; raises KeyError for a name outside the catalogue.

        What was measured on another drive than the server's is absent when it is ``about_server``.
        """
        reading = self.found(name)
        if about_server and isinstance(reading, Reading) and reading.elsewhere:
            return Absent(reading.elsewhere)
        return reading

    def found(self, name: str) -> Reading | Absent:
        """The fact as the case has it, whichever drive it is about; raises as ``read`` does."""
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def _read(self, name: str) -> Reading | Absent:
        return CATALOGUE[name].read(self._case)


class Facts:
    """The facts of a case as one rule reads them. Every reading is remembered as evidence."""

    def __init__(
        self,
        source: FactSource,
        allowed: Collection[str] = CATALOGUE,
        *,
        about_server: bool = True,
        setting: str = "",
        draft: bool = False,
    ) -> None:
        """A rule is ``allowed`` what it declared; who is none may read everything.

        ``draft``: cards are without the texts that follow from condition and readings.
        """
        self._source = source
        self._draft = draft
        self._setting = setting
        self._allowed = allowed
        self._about_server = about_server
        self._read: dict[str, Reading] = {}
        self._lacking: set[str] = set()

    def get(self, fact: Fact[T]) -> T:
        """Give a fact that is there for sure because the rule needs it.

        Raises LookupError for a fact that the rule did not declare or that is absent, TypeError
        when it is of another kind.
        """
        value = self.find(fact)
        if value is None:
            raise LookupError(f"{fact} is absent; list it in needs")
        return value

    def find(self, fact: Fact[T]) -> T | None:
        """Give a fact that may be absent; raises as ``get`` does for an undeclared one."""
        name = fact.name
        if name not in self._allowed:
            raise LookupError(f"{name} was read but not declared")
        reading = self._source.read(name, about_server=self._about_server)
        if isinstance(reading, Absent):
            self._lacking.add(name)
            return None
        if not isinstance(reading.value, fact.kind):
            raise TypeError(f"{name} is {type(reading.value).__name__}, not {fact.kind}")
        self._read[name] = reading
        return reading.value

    @property
    def lacking(self) -> frozenset[str]:
        """What was looked for and is absent."""
        return frozenset(self._lacking)

    def lacks(self, *facts: AnyFact) -> Lacks:
        """Name the first of these facts that is absent, and why; raises LookupError for none."""
        for fact in facts:
            reading = self._source.read(fact.name, about_server=self._about_server)
            if isinstance(reading, Absent):
                return Lacks(fact.name, reading.because)
        raise LookupError(f"{', '.join(map(str, facts))}: all are there")

    @property
    def now(self) -> Standing:
        """The setting that the rule judges, as it stands."""
        return self.get(variable(self._setting))

    @property
    def version(self) -> ServerVersion:
        """The server's version."""
        return self.get(MYSQL_VERSION)

    @property
    def known_version(self) -> ServerVersion | None:
        """The server's version where there is a server; no evidence of the rule's."""
        reading = self._source.read(MYSQL_VERSION.name, about_server=False)
        known = reading.value if isinstance(reading, Reading) else None
        return known if isinstance(known, ServerVersion) else None

    @property
    def vendor(self) -> str:
        """Who built the server, "" where there is none; no evidence of the rule's."""
        return "" if self.known_version is None else self.known_version.vendor

    def card(self, saw: str, condition: Condition | None = None, /, **says: Unpack[Says]) -> Card:
        """Begin the answer: what was seen, and the condition that decides.

        The setting that the rule judges, and its value, are on the card of themselves.
        """
        begun = Says(saw=saw)
        if condition is not None:
            begun["condition"] = condition
        if self._setting:
            begun["setting"] = self._setting
            begun["now"] = self.now.now
        return Card(lambda: self.evidence, begun | says, draft=self._draft)

    def to(
        self,
        value: str,
        *,
        first: tuple[tuple[Standing, str], ...] = (),
        then: tuple[tuple[Standing, str], ...] = (),
        dynamic: bool | None = None,
    ) -> Change:
        """Make the change of the judged setting to ``value``; see ``change``."""
        return change(self.version, self.now, value, first=first, then=then, dynamic=dynamic)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Everything that was read so far, in order."""
        return tuple(Evidence(name, each.text, each.point_ids) for name, each in self._read.items())
