"""Which words each server of the test suite takes: writes ``resources/options/*-values.tsv``.

``python -m benchmarks.servers.option_words`` asks all eleven servers (tests/servers/eleven.py) for
the words that each of their options takes, and tries each word on every server of the family that
has the option. That takes half an hour; nothing is left. Run benchmarks.servers.options first.

Where the words come from: set to 0, 1, 2, ..., an option that takes one of a list shows its words
in the table of ``--verbose --help``, and one that takes several of them shows each at a power of
two. MariaDB tells the words in its information schema. A running server tells of its character sets
and collations. Options whose words the server reads as text are in ``ALSO``, and so is what only a
manual tells. The words of the catalogue (resources/variables) are tried, too.

How a word is tried: as benchmarks.servers.options tries a name, by the reading of the options. A
server that takes a word of nonsense there looks at it later or not at all, and where it warns of
nonsense alone, what it says no word of is taken. Else it is started for real with the word: with
many options' words at once, and where that fails, with halves of them, down to the one that is
refused.

What this can't see: a word that is refused beside another setting alone, a word that is taken and
then changed, and what a file system or a missing plugin adds. A number's range is no matter of
this: servers cut a number, and start.

A row is ``option=word`` in small letters and one letter a server, oldest first:
  t  tried: the server starts
  r  tried: it does not
  -  not tried: the server has no such option
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from advisor.variables.catalogue import SETTINGS
from benchmarks.servers.options import (
    TOO_OLD,
    UNSET,
    OptionList,
    families,
    in_passing,
    listed,
    option_file,
    read,
    tried,
    values,
    write,
)
from tests.servers.eleven import ServerBuild, StartRefused

MOST = 64
"""So many words of an option are asked for; no list is longer."""

LISTS = (
    "SELECT VARIABLE_NAME AS name, VARIABLE_TYPE AS kind, ENUM_VALUE_LIST AS words"
    " FROM information_schema.SYSTEM_VARIABLES"
    " WHERE ENUM_VALUE_LIST IS NOT NULL AND VARIABLE_TYPE <> 'BOOLEAN'"
)
NONSENSE = "leadline_no_such_word"
HAS = ("YES", "DEFAULT")
"""What a server says of a storage engine that it has."""
SWITCHES = ("OFF", "ON", "0", "1")

TLS = ("TLSv1", "TLSv1.0", "TLSv1.1", "TLSv1.2", "TLSv1.3")
ENGINES = ("InnoDB", "MyISAM", "MEMORY", "CSV", "ARCHIVE", "Aria")
METHODS = ("fsync", "O_DSYNC", "littlesync", "nosync", "O_DIRECT", "O_DIRECT_NO_FSYNC")
ALSO: dict[str, tuple[str, ...]] = {
    "admin_tls_version": TLS,
    "binlog_row_value_options": ("", "PARTIAL_JSON"),
    "default_authentication_plugin": (
        "mysql_native_password",
        "sha256_password",
        "caching_sha2_password",
    ),
    "default_storage_engine": ENGINES,
    "default_tmp_storage_engine": ENGINES,
    "innodb_change_buffering": ("none", "inserts", "deletes", "changes", "purges", "all"),
    "innodb_file_format": ("Antelope", "Barracuda"),
    "innodb_file_format_check": ("ON", "OFF", "Antelope", "Barracuda"),
    "innodb_flush_method": ("", "fdatasync", "ALL_O_DIRECT", "async_unbuffered", *METHODS),
    "sql_mode": (
        "",
        "ANSI",
        "DB2",
        "MAXDB",
        "MSSQL",
        "MYSQL323",
        "MYSQL40",
        "NO_AUTO_CREATE_USER",
        "NO_FIELD_OPTIONS",
        "NO_KEY_OPTIONS",
        "NO_TABLE_OPTIONS",
        "ORACLE",
        "POSTGRESQL",
        "TRADITIONAL",
    ),
    "tls_version": TLS,
}
"""Words of options that are text to the server, and of those that list an empty value as well."""


@dataclass
class Tried:
    """A server, what it lists, and the letter of each word, by ``option=word``."""

    lists: OptionList
    letters: dict[str, str] = field(default_factory=dict)

    @property
    def build(self) -> ServerBuild:
        """The server's program."""
        return self.lists.build


def words_of(server: OptionList) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Give each option of a server that takes words of a list, with them and their numbers."""
    for name, usual in server.defaults.items():
        if name.startswith("ndb"):
            continue  # a cluster's, of which no server here is a part
        if "=" in usual:
            # A set of switches, "index_merge=on,mrr=on": each one is a word.
            yield name, (*(word.partition("=")[0] for word in usual.split(",")), "default")
        elif usual not in {"TRUE", "FALSE"} and not re.search(r"/|^-?\d+(\.\d+)?$", usual):
            yield from _listed_words(server.build, name)


def told_words(build: ServerBuild) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Give the words that a running server tells of: character sets, collations, MariaDB's lists.

    Of MariaDB's collations of Unicode 14, which go by the hundred, only the usual ones.
    """
    with build.start() as server:
        rows = [row for row in server.sql("SHOW COLLATION") if row["Charset"] is not None]
        lists = server.sql(LISTS) if build.version.is_mariadb else []
    sets = dict.fromkeys(str(row["Charset"]) for row in rows)
    names = [str(row["Collation"]) for row in rows if "uca1400" not in str(row["Collation"])]
    # Both names of a set that was renamed.
    old = [re.sub("^utf8mb3_", "utf8_", name) for name in names]
    usual = ("utf8mb4_uca1400_ai_ci", "utf8mb3_uca1400_ai_ci")
    yield "character_set_server", (*sets, "utf8", "utf8mb3")
    yield "character_set_filesystem", (*sets, "utf8", "utf8mb3")
    yield "collation_server", (*names, *old, *usual)
    for row in lists:
        words = str(row["words"]).split(",")
        numbers = map(str, range(len(words))) if row["kind"] == "ENUM" else ()
        none = ("",) if row["kind"] == "SET" else ()
        yield str(row["name"]).lower(), (*words, *numbers, *none)


def _listed_words(build: ServerBuild, name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    found: list[str] = []
    number = 0
    while number < 1 << MOST:
        shown = _shown(build, name, number)
        if shown is None or shown in {*found, str(number), UNSET, "TRUE", "FALSE"}:
            break
        if "," in shown:
            number = 4  # the third number gave two words: a set, whose words are at powers of two
            found = [word for word in found if word != "OFF"]
            shown = _shown(build, name, number)
            while shown and shown not in found:
                found.append(shown)
                number *= 2
                shown = _shown(build, name, number)
            yield name, tuple(each for each in found if not re.match(".*,|NOT_USED", each))
            return
        found.append(shown)
        number += 1
    if len(found) > 1 and not set(found) <= {"ON", "OFF", ""}:
        yield name, (*found, *map(str, range(len(found))))


def _shown(build: ServerBuild, name: str, number: int) -> str | None:
    """What a server makes of an option that is set to a number; None where it refuses it."""
    with option_file(f"{name} = {number}") as cnf_path:
        done = read(build, cnf_path)
    shown = None if done.returncode else values(done.stdout)
    return None if shown is None else shown.get(name)


def candidates(lists: Sequence[OptionList]) -> dict[str, tuple[str, ...]]:
    """Give the words to try of each option that any of these servers takes words of."""
    found: dict[str, dict[str, None]] = {}
    for server in lists:
        numbered = () if server.build.version.is_mariadb else words_of(server)
        for name, words in (*numbered, *told_words(server.build)):
            found.setdefault(name, {}).update(dict.fromkeys(words))
        print(f"{server.build.name}: words of {len(found)} options", flush=True)
    flavour = lists[0].build.version.flavour
    for name, spans in SETTINGS.items():
        for span in spans:
            if span.flavour is flavour:
                found.setdefault(name, {}).update(dict.fromkeys(span.words))
    for name, also in ALSO.items():
        found.setdefault(name, {}).update(dict.fromkeys(also))
    for name, known in found.items():
        if known and any(each.defaults.get(name) in {"TRUE", "FALSE"} for each in lists):
            known.update(dict.fromkeys(SWITCHES))
    return {name: tuple(known) for name, known in found.items() if known}


def line_of(name: str, word: str, usual: str) -> str:
    """Write the lines that set a word; a switch of a set is set on.

    A collation goes with its character set, which its name begins with.
    """
    if name == "collation_server":
        return f"{name} = {word}\ncharacter_set_server = {word.partition('_')[0]}"
    # Of optimizer_trace no server lists a default.
    is_switch = ("=" in usual or name == "optimizer_trace") and word != "default"
    return f"{name} = {word}=on" if is_switch else f"{name} = {word}"


def try_all(server: Tried, words: dict[str, tuple[str, ...]]) -> None:
    """Try every word on a server: by reading, and where that lets nonsense pass, by a start."""
    build, usual = server.build, server.lists.defaults
    if build.name in TOO_OLD:
        return
    waiting: dict[str, list[str]] = {}
    for name, each in words.items():
        if name not in usual:
            continue
        read = {word: tried(build, line_of(name, word, usual[name])) for word in each}
        for word, letter in read.items():
            server.letters[key(name, word)] = "r" if letter in "rv" else "t"
        nonsense = tried(build, f"{name} = {NONSENSE}")
        unsure = {"t": "tw", "w": "w"}.get(nonsense, "")
        waiting[name] = [word for word, letter in read.items() if letter in unsure]
    while any(waiting.values()):
        batch = [(name, left.pop()) for name, left in waiting.items() if left]
        for name, word in refused(build, batch):
            server.letters[key(name, word)] = "r"


def refused(build: ServerBuild, batch: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Start a server with words of several options; returns those that it does not start with.

    Where only some of them together keep it down, none of them is. A start without InnoDB is none.
    """
    with option_file("\n".join(f"{name} = {word}" for name, word in batch)) as cnf_path:
        try:
            with build.start((), cnf_path) as server:
                engines = server.sql("SHOW ENGINES")
        except StartRefused:
            engines = []
    if any(each["Engine"] == "InnoDB" and each["Support"] in HAS for each in engines):
        return []
    half = len(batch) // 2
    return refused(build, batch[:half]) + refused(build, batch[half:]) if half else batch


def key(name: str, word: str) -> str:
    """Spell an option and its word as the table has them: most servers take a word in any case."""
    return f"{name}={word.lower()}"


def main() -> None:
    """Write a file a family."""
    for flavour, builds in families():
        found = [Tried(listed(build)) for build in builds]
        words = candidates([server.lists for server in found])
        for server in found:
            try_all(server, words)
            print(f"{server.build.name}: {len(server.letters)} words tried", flush=True)
        keys = {each for server in found for each in server.letters}
        rows = {each: "".join(s.letters.get(each, "-") for s in found) for each in keys}
        write(f"{flavour.value}-values", "option=word", builds, rows)


if __name__ == "__main__":
    in_passing(main)
