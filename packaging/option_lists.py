"""Which options each server of the test suite takes: writes ``resources/options/*.tsv``.

``python packaging/option_lists.py`` asks all eleven servers (tests/servers/eleven.py) for the
options that they list with ``--verbose --help``. Each option that one server has and another of its
family does not list is then tried there: alone in an option file, with its default, and the server
is made to read its options as for a start. That takes some minutes; nothing is left.

A row is an option's name and one letter a server, oldest first:
  l  the server lists it
  t  not listed, tried: taken without a word (a hidden option, or the start of another's name)
  w  not listed, tried: taken with a warning
  r  tried: refused
  v  not listed, tried: the name was taken, the old default was not
  p  tried: refused, by a build without the plugin that it belongs to, which another may have
  -  not tried
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from probes.version import Flavour  # noqa: E402
from tests.servers.eleven import ServerBuild, servers  # noqa: E402

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

_OPTION = re.compile(r"^  (?:-\w, )?--([a-zA-Z][\w.-]*)", re.MULTILINE)
_PLUGIN = re.compile(r"^  --([a-zA-Z][\w-]*)\[=name\]\s+Enable\s+or\s+disable\s", re.MULTILINE)
TABLE = re.compile(r"^-{20,} -+\n(.*?)\n\n", re.MULTILINE | re.DOTALL)
_UNKNOWN = ("unknown variable", "unknown option", "ambiguous option")


@dataclass(frozen=True)
class OptionList:
    """What a server lists: its options with their defaults, "" without one, and its plugins."""

    build: ServerBuild
    defaults: dict[str, str]
    plugins: frozenset[str]


def listed(build: ServerBuild) -> OptionList:
    """Ask a server for its options."""
    with tempfile.TemporaryDirectory(prefix="leadline-options-") as folder:
        argv = [*build.program.command, "--no-defaults", *build.program.options]
        argv += ["--user=root", f"--datadir={folder}", "--verbose", "--help"]
        said = subprocess.run(argv, check=True, capture_output=True).stdout
    text = said.decode(errors="replace")
    options = dict.fromkeys((canonical(name) for name in _OPTION.findall(text)), "")
    table = TABLE.search(text)
    if table is None:
        raise ValueError(f"{build.name} lists no values of its options.")
    for row in table[1].splitlines():
        name, _, value = row.partition(" ")
        if re.fullmatch(r"[a-zA-Z][\w.-]*", name):
            options[canonical(name)] = "" if value.strip() == UNSET else value.strip()
    plugins = map(canonical, _PLUGIN.findall(text))
    # InnoDB's are in every build, so that an option of theirs that is refused is gone.
    return OptionList(build, options, frozenset(p for p in plugins if not p.startswith("innodb")))


def canonical(name: str) -> str:
    """Spell an option as servers compare it: dashes and underscores are one."""
    return name.replace("-", "_").lower()


def rows(lists: list[OptionList]) -> Iterator[str]:
    """Give a row for each option that any of these servers lists, oldest server first."""
    also = ALSO if lists[0].build.version.is_mysql else ()
    for name in sorted({*also, *(name for each in lists for name in each.defaults)}):
        default = next((each.defaults[name] for each in lists if name in each.defaults), "")
        owners = {
            plugin
            for each in lists
            for plugin in each.plugins
            if name in each.defaults and belongs(name, plugin)
        }
        line = f"{name} = {default}" if default else name
        yield f"{name}\t{''.join(_letter(name, line, each, owners) for each in lists)}"


def _letter(name: str, line: str, server: OptionList, owners: set[str]) -> str:
    if name in server.defaults:
        return "l"
    if server.build.name in TOO_OLD:
        return "-"
    letter = tried(server.build, line)
    return "p" if letter == "r" and owners and not owners & server.plugins else letter


def belongs(name: str, plugin: str) -> bool:
    """Whether an option is a plugin's: its own name, or one that starts with it."""
    return name == plugin or name.startswith(f"{plugin}_")


def tried(build: ServerBuild, line: str) -> str:
    """Let a server read one line; returns its letter."""
    with tempfile.TemporaryDirectory(prefix="leadline-options-") as folder:
        cnf_path = Path(folder) / "my.cnf"
        cnf_path.write_text(f"[mysqld]\n{line}\n")
        ends = "--validate-config" if build.version.at_least(Flavour.MYSQL, 8) else "--help"
        argv = [*build.program.command, f"--defaults-file={cnf_path}", *build.program.options]
        argv += ["--user=root", f"--datadir={folder}", "--verbose", ends]
        if build.version.at_least(Flavour.MYSQL, 8):
            argv += ["--mysqlx=OFF", "--secure-file-priv=NULL"]
        done = subprocess.run(argv, check=False, capture_output=True, timeout=60)
    said = done.stderr.decode(errors="replace")
    name = re.split(r"\W", line)[0]
    spelt = {name, name.replace("_", "-")}
    if done.returncode:
        return "r" if any(word in said for word in _UNKNOWN) else "v"
    return "w" if any(each in said for each in spelt) else "t"


def main() -> None:
    """Write a file a family."""
    FOLDER.mkdir(exist_ok=True)
    for flavour in (Flavour.MYSQL, Flavour.MARIADB):
        builds = [build for build in servers() if build.version.flavour is flavour]
        versions = [".".join(map(str, build.version.numbers)) for build in builds]
        text = "\t".join(("name", *versions)) + "\n"
        for row in rows([listed(build) for build in builds]):
            text += row + "\n"
        (FOLDER / f"{flavour.value}.tsv").write_text(text)
        print(f"{flavour.value}: {text.count(chr(10)) - 1} options")


if __name__ == "__main__":
    main()
