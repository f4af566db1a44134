"""Which options each server of the test suite takes, and what kind of value: resources/options/.

``python -m benchmarks.servers.options`` asks all eleven servers (tests/servers/eleven.py) for the
options that they list with ``--verbose --help``. Each option that one server has and another of its
family does not list is then tried there: alone in an option file, with its default, and the server
is made to read its options as for a start. That takes some minutes; nothing is left.

A row of mysql.tsv and mariadb.tsv is an option's name and one letter a server, oldest first:
  l  the server lists it
  t  not listed, tried: taken without a word (a hidden option, or the start of another's name)
  w  not listed, tried: taken with a warning
  r  tried: refused
  v  not listed, tried: the name was taken, the old default was not
  p  tried: refused, by a build without the plugin that it belongs to, which another may have
  -  not tried

Then every option gets a value that begins with a digit and is no number, and another start with its
name alone. What the server says of it tells the kind, in the files of kinds. MariaDB reads the
options of its plugins, InnoDB's among them, at a real start alone: its information schema tells
their types.
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
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from probes.version import Flavour
from tests.servers.eleven import ServerBuild, servers

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "resources" / "options"
UNSET = "(No default value)"
TOO_OLD = frozenset({"mysql-5.5.9"})
"""Servers that end with --help before they have read every line."""
ALSO = (
    "internal_tmp_disk_storage_engine",
    "log_builtin_as_identified_by_password",
    "log_syslog",
    "log_syslog_facility",
    "log_syslog_include_pid",
    "log_syslog_tag",
    "mysql_native_password",
    "show_compatibility_56",
)
"""Options of MySQL 5.7 and 8.4, neither of which could be run: tried on all that could."""

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

_OPTION = re.compile(r"^  (?:-\w, )?--([a-zA-Z][\w.-]*)", re.MULTILINE)
_PLUGIN = re.compile(r"^  --([a-zA-Z][\w-]*)\[=name\]\s+Enable\s+or\s+disable\s", re.MULTILINE)
_NAME = re.compile(r"[a-zA-Z][\w.-]*")
TABLE = re.compile(r"^-{20,} -+\n(.*?)\n\n", re.MULTILINE | re.DOTALL)
_UNKNOWN = ("unknown variable", "unknown option", "ambiguous option")


@dataclass(frozen=True)
class OptionList:
    """What a server lists: its options with their defaults, "" without one, and its plugins."""

    build: ServerBuild
    defaults: dict[str, str]
    plugins: frozenset[str]


def families() -> Iterator[tuple[Flavour, list[ServerBuild]]]:
    """MySQL's servers, then MariaDB's, each the oldest first."""
    for flavour in (Flavour.MYSQL, Flavour.MARIADB):
        yield flavour, [build for build in servers() if build.version.flavour is flavour]


def write(name: str, what: str, builds: Sequence[ServerBuild], rows: Mapping[str, str]) -> None:
    """Write a table: ``what`` with one letter for each server."""
    versions = [".".join(map(str, build.version.numbers)) for build in builds]
    lines = ["\t".join((what, *versions)), *(f"{key}\t{rows[key]}" for key in sorted(rows))]
    (FOLDER / f"{name}.tsv").write_text("\n".join(lines) + "\n")
    print(f"{name}: {len(rows)} rows", flush=True)


@contextlib.contextmanager
def option_file(lines: str) -> Iterator[Path]:
    """An option file of the server's, with a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="leadline-options-") as folder:
        cnf_path = Path(folder) / "my.cnf"
        cnf_path.write_text(f"[mysqld]\n{lines}\n")
        yield cnf_path


def read(build: ServerBuild, cnf_path: Path, *ends: str) -> subprocess.CompletedProcess[bytes]:
    """Have a server read an option file as for a start, and end."""
    argv = [*build.program.command, f"--defaults-file={cnf_path}", *build.program.options]
    argv += ["--user=root", f"--datadir={cnf_path.parent}", "--verbose", *(ends or ("--help",))]
    return subprocess.run(argv, check=False, capture_output=True, timeout=60)


def values(said: bytes) -> dict[str, str] | None:
    """The table of values behind the help; None without one."""
    table = TABLE.search(said.decode(errors="replace"))
    if table is None:
        return None
    pairs = (row.partition(" ") for row in table[1].splitlines())
    return {canonical(name): value.strip() for name, _, value in pairs if _NAME.fullmatch(name)}


def listed(build: ServerBuild) -> OptionList:
    """Ask a server for its options."""
    with tempfile.TemporaryDirectory(prefix="leadline-options-") as folder:
        argv = [*build.program.command, "--no-defaults", *build.program.options]
        argv += ["--user=root", f"--datadir={folder}", "--verbose", "--help"]
        said = subprocess.run(argv, check=True, capture_output=True).stdout
    text = said.decode(errors="replace")
    shown = values(said)
    if shown is None:
        raise ValueError(f"{build.name} lists no values of its options.")
    options = dict.fromkeys((canonical(name) for name in _OPTION.findall(text)), "")
    options |= {name: "" if value == UNSET else value for name, value in shown.items()}
    plugins = map(canonical, _PLUGIN.findall(text))
    # InnoDB's are in every build, so that an option of theirs that is refused is gone.
    return OptionList(build, options, frozenset(p for p in plugins if not p.startswith("innodb")))


def canonical(name: str) -> str:
    """Spell an option as servers compare it: dashes and underscores are one."""
    return name.replace("-", "_").lower()


def fates(lists: Sequence[OptionList]) -> dict[str, str]:
    """What each option that any of these servers lists is to each of them."""
    also = ALSO if lists[0].build.version.is_mysql else ()
    found = {}
    for name in {*also, *(name for each in lists for name in each.defaults)}:
        default = next((each.defaults[name] for each in lists if name in each.defaults), "")
        owners = {
            plugin
            for each in lists
            for plugin in each.plugins
            if name in each.defaults and (name == plugin or name.startswith(f"{plugin}_"))
        }
        line = f"{name} = {default}" if default else name
        found[name] = "".join(_fate(name, line, each, owners) for each in lists)
    return found


def _fate(name: str, line: str, server: OptionList, owners: set[str]) -> str:
    if name in server.defaults:
        return "l"
    if server.build.name in TOO_OLD:
        return "-"
    letter = tried(server.build, line)
    return "p" if letter == "r" and owners and not owners & server.plugins else letter


def tried(build: ServerBuild, line: str) -> str:
    """Let a server read one line; returns its letter."""
    ends = ["--help"]
    if build.version.at_least(Flavour.MYSQL, 8):
        ends = ["--validate-config", "--mysqlx=OFF", "--secure-file-priv=NULL"]
    with option_file(line) as cnf_path:
        done = read(build, cnf_path, *ends)
    said = done.stderr.decode(errors="replace")
    name = re.split(r"\W", line)[0]
    if done.returncode:
        return "r" if any(word in said for word in _UNKNOWN) else "v"
    return "w" if name in said or name.replace("_", "-") in said else "t"


def _told(build: ServerBuild) -> dict[str, str]:
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


def kinds(server: OptionList, names: Sequence[str]) -> dict[str, str]:
    """Each option's kind on one server."""
    if server.build.name in TOO_OLD:
        return {}
    found = _told(server.build)
    for name in names:
        if name not in found:
            is_switch = server.defaults.get(name) in {"TRUE", "FALSE"}
            found[name] = _kind(server.build, name, is_switch=is_switch)
    return found


def _kind(build: ServerBuild, name: str, *, is_switch: bool) -> str:
    said = _said(build, f"{name} = {NONSENSE}")
    letter = next((each for words, each in SAYS.items() if words in said), "")
    if not letter and not said:
        letter = "s" if is_switch else "t"
    if not letter:
        return "-"
    return letter if "requires an argument" in _said(build, name) else letter.upper()


def _said(build: ServerBuild, line: str) -> str:
    """What a server says of one line; "" where it would start with it."""
    with option_file(line) as cnf_path:
        try:
            return build.refusal(cnf_path)
        except subprocess.TimeoutExpired:
            return "no answer"


def main() -> None:
    """Write two files a family."""
    FOLDER.mkdir(exist_ok=True)
    for flavour, builds in families():
        lists = [listed(build) for build in builds]
        found = fates(lists)
        write(flavour.value, "name", builds, found)
        tried_on = []
        for at, each in enumerate(lists):
            tried_on.append(kinds(each, [name for name in found if found[name][at] in "lt"]))
            print(f"{each.build.name}: {len(tried_on[-1])} kinds", file=sys.stderr, flush=True)
        rows = {
            name: "".join(
                some.get(name, "-") if letters[at] in "lt" else "-"
                for at, some in enumerate(tried_on)
            )
            for name, letters in found.items()
        }
        known = {name: row for name, row in rows.items() if set(row) != {"-"}}
        write(f"{flavour.value}-kinds", "name", builds, known)


def in_passing(main: Callable[[], None]) -> None:
    """Run it where servers may leave files, an index of binary logs for one."""
    with (
        tempfile.TemporaryDirectory(prefix="leadline-options-") as here,
        contextlib.chdir(here),
    ):
        main()


if __name__ == "__main__":
    in_passing(main)
