"""Rules that are rows of a table, and the one judge of them all.

``resources/rules/<family>.toml`` has the rows of a family by name. A row is a rule whose questions
are comparisons: what a setting may be, what has to be so that another value matters, and what is
proposed then. What reckons with curves or a model is a rule in Python. A row has its ``title``, its
``page`` or the module whose page it shares (``page_of``), what the decorator of a Python rule says
(``topic``, ``setting``, ``findings`` and so on; ``servers`` as "mysql 5.6" or "mariadb 10.2
10.5.5"), and:

- ``needs``, ``uses`` and ``later``: its facts by a name of its own. All but the ``later`` ones are
  read at once; ``setting`` is the one that it judges. ``figures`` are worked out of these, strictly
  from left to right ("2 * instances max 4"), and unknown where one of them is.
- ``not_about``: a condition, and the ``text`` of a server that it has nothing to say about.
- ``asks``, one after the other. All conditions of ``if`` have to hold; the first that does not ends
  it as fine, with what its ``else`` says. ``unknown`` has the sentence for each fact without which
  it can't be judged; ``besides``: the card shows the conditions of earlier asks with its own.
- ``ends``: the first whose ``if`` holds, if it has one; of an unknown figure none does.
  ``verdict`` is recommend, consider or watch, ``to`` the value, for a ``sysctl`` of that name;
  ``restart`` says that it takes one whatever the setting's sheet says; ``shows``: all conditions,
  or the last alone.
- ``ways``: a row in place of the whole where its ``when`` holds.

Texts are those of the card. ``{pool:size}`` writes a figure as ``probes.figures`` does, ``{pool}``
as the server does. A text may be a list; a piece that names an unknown figure is left out.
"""

from __future__ import annotations

import operator
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, reduce
from importlib import import_module
from importlib.resources import files
from string import Formatter
from typing import Any, cast

from advisor.facts.catalogue import CATALOGUE
from advisor.facts.fact import AnyFact
from advisor.facts.server.variables import variable
from advisor.gain import Stakes
from advisor.outcomes import Confidence, Knowledge
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.card import FINE, Card, Says
from advisor.rulekit.condition import At, Condition, Is, Say
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import sysctl
from advisor.rulekit.rule import Page, Rule, made
from advisor.rulekit.versions import Versions, mariadb, mysql
from advisor.steps import Change
from advisor.variables.standing import Standing
from probes import figures

Table = Mapping[str, Any]
"""A table of a row, as the file has it."""

SERVERS = {"mysql": mysql, "mariadb": mariadb}
BOUNDS = ("least", "above", "most", "below")
TEXTS = (
    "saw", "setting", "now", "formula", "because", "valid", "cost_of_error", "risk", "side_effects",
)  # fmt: skip
SAYS: Mapping[str, Callable[..., str]] = {
    "count": figures.count,
    "counted": figures.counted,
    "duration": figures.duration_us,
    "percent": figures.percent,
    "rate": figures.rate,
    "seconds": figures.seconds,
    "size": figures.size,
}
OPERATIONS: Mapping[str, Callable[[float, float], float]] = {
    "*": operator.mul,
    "/": operator.truediv,
    "-": operator.sub,
    "max": max,
    "min": min,
}


def rows() -> list[Rule]:
    """Every row of every family's table as a rule."""
    return [
        _rule(table.name, f"{table.name.removesuffix('.toml')}.{name}", row)
        for table in files("resources").joinpath("rules").iterdir()
        for name, row in tomllib.loads(table.read_text(encoding="utf-8")).items()
    ]


def _rule(table: str, name: str, row: Table) -> Rule:
    needs, uses, later = (_facts(row, which) for which in ("needs", "uses", "later"))
    return made(
        name=name,
        title=row["title"],
        page=_page(table, name, row),
        check=partial(_judged, row, {**needs, **uses}, later),
        topic=row["topic"],
        do=row.get("do", ""),
        setting=row.get("setting", ""),
        settings=tuple(row.get("settings", ())),
        needs=tuple(needs.values()),
        uses=(*uses.values(), *later.values()),
        applies_to=tuple(_versions(each) for each in row.get("servers", ())),
        findings=tuple(row.get("findings", ())),
        not_fine_beside=tuple(row.get("not_fine_beside", ())),
        stakes=Stakes(row.get("stakes", Stakes.TIME)),
        knowledge=Knowledge(row["knowledge"]) if "knowledge" in row else None,
        guards_data=row.get("guards_data", False),
    )


def _page(table: str, name: str, row: Table) -> Page:
    if "page_of" in row:
        return Page.of(import_module(row["page_of"]).__name__)
    source = f"resources/rules/{table}#{name.partition('.')[2]}"
    return Page(name, source, row["title"], row["page"].strip())


def _facts(row: Table, which: str) -> dict[str, AnyFact]:
    return {name: _fact(fact) for name, fact in row.get(which, {}).items()}


def _fact(name: str) -> AnyFact:
    of_server = name.removeprefix("mysql.variable.")
    return CATALOGUE[name] if of_server == name else variable(of_server)


def _versions(text: str) -> Versions:
    flavour, *ends = text.split()
    return SERVERS[flavour](*ends)


class _Figure:
    """A figure as texts and conditions use it."""

    def __init__(self, found: float | Standing) -> None:
        self._found = found

    @property
    def value(self) -> float:
        return self._found.number if isinstance(self._found, Standing) else self._found

    def is_one_of(self, wanted: object) -> bool:
        """Whether it is a switch that is so, one of a list of words, or a number."""
        if isinstance(self._found, Standing) and isinstance(wanted, bool):
            return self._found.on is wanted
        if isinstance(wanted, list):
            return str(self).upper() in wanted
        return self.value == wanted

    def __str__(self) -> str:
        return self._found.value if isinstance(self._found, Standing) else f"{self._found:g}"

    def __format__(self, how: str) -> str:
        name, _, what = how.partition(" ")
        if name not in SAYS:
            return format(self.value, how) if how else str(self)
        return SAYS[name](self.value, what) if what else SAYS[name](self.value)


class _Figures:
    """The figures of one row on one server, each read or worked out when it is asked for."""

    def __init__(self, facts: Facts, named: Mapping[str, AnyFact], row: Table) -> None:
        self._facts, self._named, self._row = facts, named, row

    def find(self, name: str) -> _Figure | None:
        if name == "setting":
            return _Figure(self._facts.now)
        if name in self._named:
            found = self._facts.find(self._named[name])
            return None if found is None else _Figure(found)
        if name in self._row.get("figures", {}):
            return self._worked_out(self._row["figures"][name])
        return _Figure(float(name))

    def _worked_out(self, formula: str) -> _Figure | None:
        first, *rest = formula.split()
        terms = [self.find(name) for name in (first, *rest[1::2])]
        known = [term.value for term in terms if term is not None]
        if len(known) < len(terms):
            return None
        value = known[0]
        for sign, term in zip(rest[::2], known[1:], strict=True):
            value = OPERATIONS[sign](value, term)
        return _Figure(value)

    def __getitem__(self, name: str) -> _Figure:
        figure = self.find(name)
        if figure is None:
            raise LookupError(f"{name} is absent; ask for it under unknown")
        return figure

    def text(self, part: str | list[str]) -> str:
        pieces = [part] if isinstance(part, str) else part
        return "".join(piece.format_map(self) for piece in pieces if self._knows(piece))

    def _knows(self, piece: str) -> bool:
        return all(self.find(name) for _, name, _, _ in Formatter().parse(piece) if name)

    def says(self, part: Table) -> Says:
        says: dict[str, Any] = {name: self.text(part[name]) for name in TEXTS if name in part}
        if "confidence" in part:
            says["confidence"] = Confidence(part["confidence"])
        return cast(Says, says)

    def condition(self, part: Table) -> Condition:
        figure = self[part["figure"]]
        if "is" in part or "is_not" in part:
            so = figure.is_one_of(part.get("is", part.get("is_not"))) is ("is" in part)
            return Is(so, part.get("yes", ""), part.get("no", ""))
        at = partial(
            At,
            part.get("name", ""),
            figure.value,
            say=_say(part.get("say", "count")),
            of=self.text(part.get("of", "")),
            the=part.get("the", True),
        )
        if "outside" in part:
            low, high = part["outside"]
            return ~(at(least=low) & at(most=high))
        bounds: dict[str, Any] = {name: part[name] for name in BOUNDS if name in part}
        for name, bound in bounds.items():
            bounds[name] = self[bound].value if isinstance(bound, str) else bound
        return at(**bounds)

    def holds(self, part: Table) -> bool:
        """Whether a condition holds; of an unknown figure none does."""
        return self.find(part["figure"]) is not None and bool(self.condition(part))


def _say(part: str) -> Say:
    return part.format if "{" in part else SAYS[part]


def _judged(
    row: Table, first: Mapping[str, AnyFact], later: Mapping[str, AnyFact], facts: Facts
) -> Answer:
    found = _Figures(facts, {**first, **later}, row)
    if "not_about" in row and found.condition(row["not_about"]):
        return Inapplicable(row["not_about"]["text"])
    card = facts.card("", **found.says(row))
    for name in first:
        found.find(name)
    way = next((way for way in row.get("ways", ()) if found.condition(way["when"])), row)
    held: list[Condition] = []
    for ask in way["asks"]:
        for name, text in ask.get("unknown", {}).items():
            if found.find(name) is None:
                return Unjudged(found.text(text))
        conditions = [found.condition(each) for each in ask["if"]]
        shown = _all([*held, *conditions] if ask.get("besides") else conditions)
        card = card.but(condition=shown).but(**found.says(ask))
        for each, condition in zip(ask["if"], conditions, strict=True):
            if not condition:
                otherwise = each.get("else", {})
                return card.fine(otherwise.get("effect", FINE), **found.says(otherwise))
        held += conditions
    end = next(end for end in way["ends"] if "if" not in end or found.holds(end["if"]))
    return _ended(facts, found, card, end, held)


def _ended(
    facts: Facts, found: _Figures, card: Card, end: Table, held: Sequence[Condition]
) -> Judged:
    shows = {"all": held, "last": held[-1:]}.get(end.get("shows", ""))
    if shows:
        card = card.but(condition=_all(shows))
    card = card.but(**found.says(end))
    effect = found.text(end["effect"])
    if end["verdict"] == "watch":
        return card.watch(effect)
    propose = card.recommend if end["verdict"] == "recommend" else card.consider
    return propose(_change(facts, found, end), effect=effect)


def _all(conditions: Iterable[Condition]) -> Condition:
    return reduce(operator.and_, conditions)


def _change(facts: Facts, found: _Figures, end: Table) -> Change:
    if "sysctl" in end:
        return sysctl(end["sysctl"], found[end["of"]].value, end["to"])
    return facts.to(end["to"], dynamic=False if end.get("restart") else None)
