"""A Python in which Leadline finds itself on Windows or macOS, as far as Linux can play them.

Leadline's modules see ``os``, ``signal``, ``socket`` and others without what that system lacks, and
can't import what it has not. Python's own modules and the libraries, which have code for each
system, stay as they are: paths are still written with slashes, files still have modes.

    python -m tests.portability.other_system darwin tests -m quick
    python -m tests.portability.other_system win32 leadline check
    python -m tests.portability.other_system win32 short check --sandbox  # for moments
"""

from __future__ import annotations

import builtins
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

_OURS = frozenset({"app", "advisor", "probes", "resources"})

PLAYED = "LEADLINE_PLAYED_SYSTEM"
"""Where ``tests`` tells pytest's processes which system it is."""

_MODULES_OF_POSIX = (
    "crypt curses fcntl grp nis ossaudiodev posix pty pwd readline resource spwd syslog termios tty"
)
MISSING_MODULES = {
    "win32": frozenset(_MODULES_OF_POSIX.split()),
    "darwin": frozenset({"nis", "ossaudiodev", "spwd"}),
}
"""What can't be imported there, by ``sys.platform``."""

_LINUX_ALONE = {
    "os": "EFD_CLOEXEC O_DIRECT O_LARGEFILE O_NOATIME O_PATH O_RSYNC O_TMPFILE copy_file_range"
    " eventfd fdatasync getresgid getresuid getxattr listxattr memfd_create pidfd_open pipe2"
    " posix_fadvise posix_fallocate removexattr sched_getaffinity sched_getparam"
    " sched_setaffinity sched_setparam sched_setscheduler setns setresgid setresuid setxattr"
    " splice unshare",
    "select": "epoll EPOLLIN",
    "signal": "SIGPOLL SIGPWR SIGRTMAX SIGRTMIN SIGSTKFLT sigtimedwait sigwaitinfo",
    "socket": "AF_ALG AF_CAN AF_NETLINK AF_PACKET AF_VSOCK MSG_ERRQUEUE SO_BINDTODEVICE SO_PEERCRED"
    " TCP_QUICKACK TCP_USER_TIMEOUT",
}
_POSIX_ALONE = {
    "os": "O_ASYNC O_CLOEXEC O_DIRECTORY O_DSYNC O_NDELAY O_NOCTTY O_NOFOLLOW O_NONBLOCK O_SYNC"
    " WEXITSTATUS WIFEXITED WIFSIGNALED WNOHANG WTERMSIG chown chroot confstr ctermid environb"
    " fchdir fchmod fchown fork forkpty fpathconf fstatvfs getegid getenvb geteuid getgid"
    " getgrouplist getgroups getloadavg getpgid getpgrp getpriority getsid getuid initgroups"
    " killpg lchown lockf major makedev minor mkfifo mknod nice openpty pathconf posix_openpt"
    " posix_spawn posix_spawnp pread preadv pwrite pwritev readv register_at_fork"
    " sched_get_priority_max sched_yield sendfile set_blocking setegid seteuid setgid setgroups"
    " setpgid setpriority setregid setreuid setsid setuid statvfs sync sysconf tcgetpgrp tcsetpgrp"
    " ttyname uname wait wait3 wait4 waitid writev",
    "select": "poll",
    "signal": "SIGALRM SIGBUS SIGCHLD SIGCONT SIGHUP SIGIO SIGKILL SIGPIPE SIGPROF SIGQUIT SIGSTOP"
    " SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH alarm pause"
    " pthread_kill pthread_sigmask setitimer siginterrupt sigpending sigwait",
    "socket": "AF_UNIX CMSG_LEN MSG_DONTWAIT SCM_RIGHTS SO_REUSEPORT recv_fds send_fds",
    "time": "clock_getres clock_gettime clock_settime pthread_getcpuclockid tzset",
}
MISSING_NAMES: dict[str, dict[str, frozenset[str]]] = {
    "darwin": {name: frozenset(text.split()) for name, text in _LINUX_ALONE.items()},
    "win32": {
        name: frozenset(f"{_LINUX_ALONE.get(name, '')} {text}".split())
        for name, text in _POSIX_ALONE.items()
    },
}
"""What the modules there lack, by ``sys.platform`` and module."""

_SYSTEMS = {"win32": "Windows", "darwin": "Darwin"}


class View(ModuleType):
    """A module as another system has it; what is set on it is set on the module itself."""

    def __init__(self, real: ModuleType, missing: frozenset[str], values: dict[str, Any]) -> None:
        super().__init__(real.__name__)
        self.__dict__.update(_real=real, _missing=missing, _values=values, _first=dict(values))

    def __getattr__(self, name: str) -> Any:
        if name in self._missing:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r} there")
        return self._values[name] if name in self._values else getattr(self._real, name)

    def __setattr__(self, name: str, value: object) -> None:
        if name in self._values:
            self._values[name] = value
        else:
            setattr(self._real, name, value)

    def __delattr__(self, name: str) -> None:
        # So pytest takes back what it has set on a module that answers by __getattr__.
        if name in self._values:
            self._values[name] = self._first[name]
        else:
            delattr(self._real, name)


def views(system: str) -> dict[str, View]:
    """The modules that look different on a system (``sys.platform``), by name."""
    values: dict[str, dict[str, Any]] = {
        "sys": {"platform": system},
        "os": {"name": "nt" if system == "win32" else "posix"},
        "platform": {"system": lambda: _SYSTEMS[system]},
    }
    missing = MISSING_NAMES[system]
    return {
        name: View(
            importlib.import_module(name), missing.get(name, frozenset()), values.get(name, {})
        )
        for name in sorted({*values, *missing})
    }


def pretend(system: str) -> None:
    """From now on, what is imported of Leadline is on that system."""
    real_import = builtins.__import__
    seen = views(system)

    def import_there(
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002 - as Python calls it
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        importer = str((globals or {}).get("__name__", "")).partition(".")[0]
        if level or importer not in _OURS:
            return real_import(name, globals, locals, fromlist or (), level)
        top, _, rest = name.partition(".")
        if top in MISSING_MODULES[system]:
            raise ModuleNotFoundError(f"No module named {name!r} on {system}", name=name)
        if top in seen and not (rest and fromlist):
            return seen[top]
        return real_import(name, globals, locals, fromlist or (), level)

    builtins.__import__ = import_there


def main(system: str, action: str, words: Sequence[str]) -> int:
    """Do one of the things that the module's text shows."""
    if action == "tests":
        import pytest  # noqa: PLC0415 - for this alone

        os.environ[PLAYED] = system
        return int(pytest.main([*words, "-p", "tests.portability.played"]))
    pretend(system)
    if action == "short":
        importlib.import_module("tests.short_plans").shorten()
    sys.argv[1:] = words
    importlib.import_module("app.__main__").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
