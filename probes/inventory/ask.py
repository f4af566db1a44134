"""Taking the inventory: every question, no judgement; ``read`` makes facts of the answers."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Generator, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from probes.cancel import CancelToken
from probes.errors import AgentFailed
from probes.inventory.ask_mysql import MySQLAsker
from probes.inventory.facts import Missing, RawInventory, Role
from probes.inventory.machine.ask import ask_agent, ask_data_size, ask_files
from probes.inventory.machine.node import watched_from, with_drives
from probes.inventory.redact import clean_inventory
from probes.inventory.roles import role_directories
from probes.targets.target import Target
from probes.watch.clients import addresses_of
from probes.watch.machine_series import MachineSeries
from probes.watch.server_series import EVERY_S

if TYPE_CHECKING:
    from probes.mysql.connection import MySQLSession

DEFAULT_WINDOW_S = 10.0
"""The distance of the two status samples, unless asked otherwise."""

GLIMPSES = 300
"""How often at most a window shows what it has seen so far."""

_UNREACHABLE = "the server's machine is not reachable, only MySQL is"
_SETTINGS, _INTERNALS, _MACHINE = 0.1, 0.15, 0.25


class Glimpse(float):
    """A progress with what a window that goes on has seen so far, as raw answers."""

    answers: Mapping[str, str]
    missing: tuple[Missing, ...]

    @classmethod
    def at(cls, share: float, answers: Mapping[str, str], missing: Iterable[Missing]) -> Glimpse:
        """At a progress from 0 to 1; ``missing`` is what can't be had."""
        made = cls(share)
        made.answers, made.missing = answers, tuple(missing)
        return made

    def moved_to(self, share: float) -> Glimpse:
        """The same at another progress."""
        return Glimpse.at(share, self.answers, self.missing)


def ask(
    target: Target | None,
    mysql: MySQLSession | None,
    *,
    directory: str,
    window_s: float = DEFAULT_WINDOW_S,
    trace: bool = False,
    sudo: bool = False,
    live: bool = False,
    token: CancelToken,
    enough: CancelToken | None = None,
) -> Generator[float, None, RawInventory]:
    """Ask everything; yields the progress (0 to 1) and returns the answers.

    ``target`` is the server's machine, None when only MySQL can be reached; ``mysql`` is None where
    there is no server. ``directory`` is where storage probes will write, "" for nowhere. ``trace``
    has the kernel trace the server meanwhile, where it lets us; with ``sudo`` through ``sudo -n``
    where the account is not root. With ``live`` a ``Glimpse`` is yielded now and then while the
    server is watched. What can't be had is listed as missing. Raises TargetError and MySQLError
    when the machine or the server fails as a whole, and Cancelled.
    """
    asker = None if mysql is None else MySQLAsker(mysql)
    directories = {Role.PROBE: directory} if directory else {}
    yield 0.0
    if asker is not None:
        asker.ask_settings()
        directories = role_directories(asker.variables, asker.version) | directories
        token.check()
        yield _SETTINGS
        asker.ask_internals()
        token.check()
        yield _INTERNALS
    pid_file = None if asker is None else _pid_file(asker.variables)
    option_files = () if asker is None else asker.option_files
    hostname = "" if asker is None else asker.variables.get("hostname", "")
    answers, missing = _machine(target, directories, pid_file, option_files, hostname)
    token.check()
    yield _MACHINE
    if asker is not None:
        watching = _watching(
            asker,
            target,
            directories,
            window_s,
            token,
            trace=trace,
            sudo=sudo,
            live=live,
            enough=enough,
        )
        while True:
            try:
                seen = next(watching)
                share = _MACHINE + seen * (1 - _MACHINE)
                yield seen.moved_to(share) if isinstance(seen, Glimpse) else share
            except StopIteration as end:
                beside: MachineSeries = end.value
                break
        answers |= asker.answers | beside.answers
        missing += [*asker.missing, *(Missing(*each) for each in beside.missing)]
        sizes = _sizes_of_files(target, directories, missing)
        if sizes:
            answers |= sizes
            missing = [each for each in missing if each.fact not in sizes]
    yield 1.0
    return clean_inventory(RawInventory(_now(), answers, tuple(missing)))


def watch_again(
    target: Target | None,
    mysql: MySQLSession,
    *,
    window_s: float,
    trace: bool = False,
    sudo: bool = False,
    token: CancelToken,
) -> Generator[float, None, dict[str, str]]:
    """Watch the server once more; yields the progress (0 to 1), returns the answers of the window.

    They stand in for those of the inventory's own window, so ``trace`` and ``sudo`` are to be the
    same. Raises as ``ask`` does.
    """
    asker = MySQLAsker(mysql)
    asker.ask_settings()
    directories = role_directories(asker.variables, asker.version)
    known = set(asker.answers)
    beside = yield from _watching(
        asker, target, directories, window_s, token, trace=trace, sudo=sudo
    )
    return {n: each for n, each in asker.answers.items() if n not in known} | beside.answers


def _watching(
    asker: MySQLAsker,
    target: Target | None,
    directories: Mapping[Role, str],
    window_s: float,
    token: CancelToken,
    *,
    trace: bool,
    sudo: bool,
    live: bool = False,
    enough: CancelToken | None = None,
) -> Generator[float, None, MachineSeries]:
    """Watch the status and, beside it, the machine; yields how much of the window has passed."""
    roles = {role.value: path for role, path in directories.items() if role is not Role.PROBE}
    pid_file = _pid_file(asker.variables)
    beside = MachineSeries(
        roles,
        pid_file,
        asker.page_bytes if trace else 0,
        hostname=asker.variables.get("hostname", ""),
        sudo=sudo,
    )
    if target is not None:
        asker.own_addresses = addresses_of(target, asker.hostname)
    seen_from = None if target is None or window_s <= 0 else watched_from(target, sudo=sudo)
    with beside.watching(seen_from, window_s, token):
        pause, shown = max(EVERY_S / window_s, 1 / GLIMPSES) if window_s > 0 else 1.0, 0.0
        for share in asker.watch_status(window_s, token, enough):
            if live and share - shown >= pause:
                shown = share
                missing = [*asker.missing, *(Missing(*each) for each in beside.missing)]
                yield Glimpse.at(share, asker.so_far | beside.so_far(), missing)
            else:
                yield share
    return beside


def window_left_s(share: float, window_s: float) -> float:
    """How long the window still takes at a progress that ``ask`` has yielded."""
    return window_s * min(1.0, (1 - share) / (1 - _MACHINE))


def _machine(
    target: Target | None,
    directories: dict[Role, str],
    pid_file: str | None,
    option_files: Sequence[str],
    hostname: str = "",
) -> tuple[dict[str, str], list[Missing]]:
    roles = json.dumps({role.value: path for role, path in directories.items()}, ensure_ascii=False)
    answers = {"roles": roles}
    if target is None:
        return answers, [Missing("host", _UNREACHABLE), Missing("storage", _UNREACHABLE)]
    try:
        answers["agent.inventory"] = with_drives(
            target, ask_agent(target, directories, pid_file, option_files, hostname)
        )
    except AgentFailed as error:
        answers["agent.inventory"] = ask_files(target)
        return answers, [Missing("storage", f"the agent did not run there: {error.sentence}")]
    return answers, []


def _sizes_of_files(
    target: Target | None, directories: Mapping[Role, str], missing: Sequence[Missing]
) -> dict[str, str]:
    """What the machine says of the data's files, where a server does not."""
    directory = directories.get(Role.DATA, "")
    if target is None or not directory or all(each.fact != "mysql.sizes" for each in missing):
        return {}
    found = ask_data_size(target, directory)
    if found is None:
        return {}
    size, files = found
    return {"mysql.sizes": json.dumps({"innodb_files_bytes": size, "innodb_files": files})}


def ask_places(target: Target, directories: dict[Role, str]) -> RawInventory:
    """Ask the machine alone where some directories lie; raises TargetError."""
    answers, missing = _machine(target, directories, None, ())
    return clean_inventory(RawInventory(_now(), answers, tuple(missing)))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _pid_file(variables: Mapping[str, str]) -> str:
    """Where the server writes its process number; a name alone lies in its data directory."""
    name = variables.get("pid_file", "")
    return posixpath.join(variables.get("datadir", ""), name) if name else ""
