"""What kind of value each option takes: writes ``resources/options/*-kinds.tsv``.

``python packaging/option_kinds.py`` gives every option that the servers of the test suite list
(packaging/option_lists.py, which is run first) a value that begins with a digit and is no number,
and another start with its name alone. What the server says of it, while it reads its options as for
a start, tells the kind. MariaDB reads the options of its plugins, InnoDB's among them, at a real
start alone: its information schema tells their types. That takes some minutes; nothing is left.

A row is an option's name and one letter a server, oldest first:
  n  a whole number; on MariaDB one that can't be negative
  i  a whole number that can be negative (MariaDB alone tells them apart)
  d  a number with a fraction
  e  one or several words of a list
  s  a switch
  t  a text: what the server reads without a word
  -  not known: the server has no such option, or was not asked
A capital letter: the name alone, without a value, is taken as well.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from option_lists import FOLDER, TOO_OLD, listed

from advisor.variables.options import LISTS
from probes.version import Flavour
from tests.servers.eleven import ServerBuild, servers

NONSENSE = "9leadline"
SAYS = {
    "Unknown suffix": "n",
    "Invalid decimal value": "d",
    "Error while setting value": "e",
}
"""What servers say of nonsense, the more telling one first."""

TYPES = (
    "SELECT VARIABLE_NAME AS name, VARIABLE_TYPE AS kind, COMMAND_LINE_ARGUMENT AS argument"
    " FROM information_schema.SYSTEM_VARIABLES WHERE COMMAND_LINE_ARGUMENT IS NOT NULL"
)
LETTERS = {
    "BIGINT UNSIGNED": "n",
    "INT UNSIGNED": "n",
    "BIGINT": "i",
    "INT": "i",
    "DOUBLE": "d",
    "ENUM": "e",
    "SET": "e",
    "FLAGSET": "e",
    "BOOLEAN": "s",
    "VARCHAR": "t",
}
"""MariaDB's types; the length that some of them have stands behind."""


def told(build: ServerBuild) -> dict[str, str]:
    """What a running MariaDB tells of its variables that can be set at its start."""
    if not build.version.is_mariadb:
        return {}
    with build.start() as server:
        rows = server.sql(TYPES)
    found = {}
    for row in rows:
        letter = LETTERS.get(str(row["kind"]).partition("(")[0], "-")
        alone = row["argument"] != "REQUIRED"
        found[str(row["name"]).lower()] = letter.upper() if alone else letter
    return found


def letters(build: ServerBuild, names: Sequence[str]) -> dict[str, str]:
    """Give each option's letter on one server."""
    if build.name in TOO_OLD:
        return {}
    switches = {
        name for name, usual in listed(build).defaults.items() if usual in {"TRUE", "FALSE"}
    }
    found = told(build)
    for name in names:
        if name not in found:
            found[name] = _tried(build, name, name in switches)
    return found


def _tried(build: ServerBuild, name: str, is_switch: bool) -> str:
    said = _said(build, f"{name} = {NONSENSE}")
    letter = next((each for words, each in SAYS.items() if words in said), "")
    if not letter:
        letter = "" if said else ("s" if is_switch else "t")
    if not letter:
        return "-"
    return letter if "requires an argument" in _said(build, name) else letter.upper()


def _said(build: ServerBuild, line: str) -> str:
    """What a server says of one line; "" where it would start with it."""
    with tempfile.TemporaryDirectory(prefix="leadline-options-") as folder:
        cnf_path = Path(folder) / "my.cnf"
        cnf_path.write_text(f"[mysqld]\n{line}\n")
        try:
            return build.refusal(cnf_path)
        except subprocess.TimeoutExpired:
            return "no answer"


def rows(builds: Sequence[ServerBuild], taken: Mapping[str, str]) -> Iterator[str]:
    """Give a row for each option; ``taken`` has the letters of the option lists."""
    tried = []
    for at, build in enumerate(builds):
        names = [name for name, fates in taken.items() if fates[at] in "lt"]
        found = letters(build, names)
        tried.append({name: found.get(name, "-") for name in names})
        print(f"{build.name}: {len(names)} options", file=sys.stderr, flush=True)
    for name in sorted(taken):
        row = "".join(each.get(name, "-") for each in tried)
        if set(row) != {"-"}:
            yield f"{name}\t{row}"


def must_be_those_listed(flavour: Flavour, versions: Sequence[str]) -> None:
    """Refuse servers that the option lists aren't of: their columns say which options to ask for.

    Debian's servers move on. Raises SystemExit.
    """
    known = [".".join(map(str, server)) for server in LISTS[flavour].servers]
    if list(versions) != known:
        raise SystemExit(
            f"{flavour.value}.tsv is of {', '.join(known)}, but the servers here are "
            f"{', '.join(versions)}: run packaging/option_lists.py first."
        )


def main() -> None:
    """Write a file a family."""
    families: dict[Flavour, tuple[list[ServerBuild], list[str]]] = {}
    for flavour in (Flavour.MYSQL, Flavour.MARIADB):
        builds = [build for build in servers() if build.version.flavour is flavour]
        versions = [".".join(map(str, build.version.numbers)) for build in builds]
        must_be_those_listed(flavour, versions)
        families[flavour] = (builds, versions)
    for flavour, (builds, versions) in families.items():
        lines = ["\t".join(("name", *versions)), *rows(builds, LISTS[flavour].letters)]
        (FOLDER / f"{flavour.value}-kinds.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    # A server may leave files where it was started, an index of binary logs for one.
    with tempfile.TemporaryDirectory(prefix="leadline-options-") as here, contextlib.chdir(here):
        main()
