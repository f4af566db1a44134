"""Every option of the servers that were run, and which of them takes it: not InnoDB's alone.

``resources/options`` has the servers' own lists and what became of each option on the servers that
do not list it (benchmarks/servers/options.py says how), and the same of the words that options take
(benchmarks/servers/option_words.py); ``mysql-removed.tsv`` and ``mariadb-removed.tsv`` what manuals
say of versions that could not be run; ``no-options.tsv`` the variables that are no options. Of a
version between two that were run only that is known in which both agree, or what the manual says.
One that is newer than all that were run takes what the newest of them takes, but for what the
manual says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType

from advisor.variables.entry import Fate, Numbers, numbers
from probes.version import Flavour, ServerVersion

_FATES = {"l": Fate.TAKEN, "t": Fate.TAKEN, "w": Fate.IGNORED, "r": Fate.REFUSED}
"""What a letter of the lists means; any other: nobody knows."""


@dataclass(frozen=True, slots=True)
class OptionLists:
    """What became of each option on each server of a family that was run, oldest first.

    ``letters`` has one letter a server for each option, or for each word of one, ``option=word``.
    """

    servers: tuple[Numbers, ...]
    letters: Mapping[str, str]

    def fate(self, name: str, version: Numbers) -> Fate:
        """Tell what a version does with a line; UNKNOWN where nobody tried."""
        letters = self.letters.get(name)
        if letters is None:
            return Fate.UNKNOWN
        fates = [_FATES.get(letter, Fate.UNKNOWN) for letter in letters]
        same = [at for at, server in enumerate(self.servers) if server[:2] == version[:2]]
        if same:
            # The next of its series that was run, else the last: one of them may be older.
            at = next((at for at in same if self.servers[at] >= version), same[-1])
            came_later = Fate.TAKEN in fates[at + 1 :] and Fate.TAKEN not in fates[:at]
            newer = version > self.servers[at]
            return Fate.UNKNOWN if newer and came_later and fates[at] is Fate.REFUSED else fates[at]
        before = [each for each, run in zip(fates, self.servers, strict=True) if run < version]
        after = [each for each, run in zip(fates, self.servers, strict=True) if run > version]
        if not after:
            return fates[-1] if fates else Fate.UNKNOWN
        if not before or before[-1] is not after[0]:
            return Fate.UNKNOWN
        # What neither takes and no older server took may have come and gone between them.
        gone = after[0] is Fate.REFUSED and Fate.TAKEN not in before
        return Fate.UNKNOWN if gone else after[0]

    def was_taken(self, name: str, version: Numbers) -> bool:
        """Whether the last server before a version that was run took an option."""
        pairs = zip(self.letters.get(name, ""), self.servers, strict=False)
        before = [letter for letter, run in pairs if run < version]
        return bool(before) and _FATES.get(before[-1]) is Fate.TAKEN


@dataclass(frozen=True, slots=True)
class Removal:
    """When a manual says that an option came, None where a server that was run has it.

    ``before`` is the version that no longer has it, None where all later ones have.
    """

    since: Numbers | None
    before: Numbers | None


def option_fate(version: ServerVersion, name: str) -> Fate:
    """Tell what becomes of an option-file line that sets ``name``; UNKNOWN where nobody tried."""
    return _fate(LISTS, version, name)


def only_shown(version: ServerVersion, name: str) -> bool:
    """Whether ``name`` is a variable that no option sets, so that a line of it ends the start."""
    return name in ONLY_SHOWN.get(version.flavour, frozenset())


def tried_word(version: ServerVersion, name: str, word: str) -> Fate:
    """Tell what becomes of one word of an option's value, in any case; UNKNOWN if nobody tried."""
    return _fate(WORDS, version, f"{name}={word.lower()}")


def takes_words(version: ServerVersion, name: str) -> bool:
    """Whether a server of a version's family was seen to take words of a list for an option."""
    return name in WORDED.get(version.flavour, frozenset())


def _fate(every: Mapping[Flavour, OptionLists], version: ServerVersion, name: str) -> Fate:
    lists = every.get(version.flavour)
    if lists is None:
        return Fate.UNKNOWN
    tried = lists.fate(name, version.numbers)
    removal = REMOVED[version.flavour].get(name)
    # After the last server that was run, the manual knows more than that server's list.
    unseen = tried is Fate.UNKNOWN or version.numbers > lists.servers[-1]
    gone = removal is not None and removal.before is not None and version.numbers >= removal.before
    if gone and unseen:
        return Fate.REFUSED
    if tried is not Fate.UNKNOWN or removal is None:
        return tried
    if removal.since is None:
        taken = lists.was_taken(name, version.numbers)
    else:
        taken = version.numbers >= removal.since
    return Fate.TAKEN if taken else Fate.UNKNOWN


def option_names(flavour: Flavour) -> frozenset[str]:
    """Give every option that a server of a family was seen to have."""
    lists = LISTS.get(flavour)
    return frozenset(lists.letters) if lists is not None else frozenset()


def _rows(file: str) -> Iterator[tuple[str, ...]]:
    text = files("resources").joinpath("options", file).read_text(encoding="utf-8")
    return (tuple(row.split("\t")) for row in text.splitlines() if not row.startswith("#"))


def option_lists(file: str) -> OptionLists:
    """Read one of the lists: a row an option, a letter a server."""
    (_, *versions), *rows = _rows(file)
    letters = {row[0]: row[1] for row in rows}
    return OptionLists(tuple(map(numbers, versions)), MappingProxyType(letters))


LISTS: Mapping[Flavour, OptionLists] = MappingProxyType(
    {flavour: option_lists(f"{flavour.value}.tsv") for flavour in (Flavour.MYSQL, Flavour.MARIADB)}
)
WORDS: Mapping[Flavour, OptionLists] = MappingProxyType(
    {flavour: option_lists(f"{flavour.value}-values.tsv") for flavour in LISTS}
)
WORDED: Mapping[Flavour, frozenset[str]] = MappingProxyType(
    {
        flavour: frozenset(option.partition("=")[0] for option in lists.letters)
        for flavour, lists in WORDS.items()
    }
)
"""The options that take words of a list."""
REMOVED: Mapping[Flavour, Mapping[str, Removal]] = MappingProxyType(
    {
        flavour: MappingProxyType(
            {
                name: Removal(*(numbers(each) if each else None for each in (since, before)))
                for name, since, before in _rows(f"{flavour.value}-removed.tsv")
            }
        )
        for flavour in LISTS
    }
)
"""Options of each family, and words of theirs, by its manual: most of them were removed."""
ONLY_SHOWN: Mapping[Flavour, frozenset[str]] = MappingProxyType(
    {
        flavour: frozenset(
            name for name, family in _rows("no-options.tsv") if family in {"both", flavour.value}
        )
        for flavour in LISTS
    }
)
"""The variables of each family that are no options."""
