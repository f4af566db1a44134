"""Having the agent look at devices, server process and machine while the server is watched.

Only root may have the kernel trace. Where the user asked for it, the agent is run by ``sudo -n`` on
an account that is not root: it never asks for a password, and where it is refused the agent runs as
the account itself, without a trace.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed, shown
from probes.cancel import CancelToken
from probes.errors import AgentFailed, TargetError
from probes.targets.target import Stream, Target
from probes.watch.over_time import thinned

ANSWER = "watch.machine"
"""What the agent saw: the raw answer's name, and that of the fact where it is missing."""

GLIMPSE = "watch.glimpse"
"""What it counted and traced so far, while the window goes on."""

TRACE = "watch.trace"
"""The fact that is missing where nothing could be traced."""

SUDO = ("sudo", "-n", "--")

WITHOUT_ROOT = (
    "without root the server's calls and the disks' requests are not traced: files are timed only "
    "as far as the server does it itself, and no larger pool is forecast"
)

LONGEST_BYTES = 4 << 20
_FINISH_S = 30.0


class MachineSeries:
    """The agent at work on a target, and what came of it.

    ``directories`` are the server's by role, ``pid_file`` is where it writes its process number,
    ``hostname`` what it calls its machine.
    With ``page_bytes``, the size of InnoDB's pages, the kernel traces the server's calls and the
    disks' requests, where it lets us; 0 for no trace. With ``sudo`` the agent is run by it for that
    where the account is not root.
    ``answers`` are raw answers by their names, ``missing`` what is lacking, and why.
    """

    def __init__(
        self,
        directories: Mapping[str, str],
        pid_file: str | None,
        page_bytes: int = 0,
        *,
        hostname: str = "",
        sudo: bool = False,
    ) -> None:
        self._directories, self._pid_file, self._hostname = directories, pid_file, hostname
        self._page_bytes, self._sudo = page_bytes, sudo
        self.answers: dict[str, str] = {}
        self.missing: list[tuple[str, str]] = []
        self._stream: Stream | None = None
        self._asked = False
        self._glimpsed: dict[str, object] = {}
        self._moments: list[object] = []

    @contextmanager
    def watching(
        self, target: Target | None, window_s: float, token: CancelToken
    ) -> Iterator[None]:
        """Have the agent look for as long as the context lasts, on no machine at all for None.

        Faults become the reason why there is no answer.
        """
        if target is None:
            yield
            return
        try:
            agent = target.agent()
            command = self._command(target, agent, window_s)
        except (AgentFailed, TargetError) as error:
            self._lacks(f"the agent did not run there: {error.sentence}")
            yield
            return
        with target.stream(command, token=token) as stream:
            self._stream = stream
            try:
                yield
            finally:
                self._stream = None
            self._hear(stream)

    def so_far(self) -> dict[str, str]:
        """What it counted and traced, as far as it has shown it; asks it to show that again."""
        if self._stream is None:
            return {}
        try:
            line = self._stream.read_line(0.0) if self._asked else None
            if line:
                self._asked = False
                self._take(line)
            if not self._asked:
                self._stream.send(b"look\n")
                self._asked = True
        except TargetError:
            # How that ends is seen at the window's end.
            self._stream = None
        if not self._glimpsed:
            return {}
        return {GLIMPSE: json.dumps(self._glimpsed | {"moments": thinned(self._moments)})}

    def _take(self, line: bytes) -> None:
        """One more answer, with the moments since the last one; what is damaged shows nothing."""
        try:
            seen = decode_object(line, LONGEST_BYTES)
        except Malformed:
            return
        moments = seen.pop("moments", None)
        self._glimpsed = seen
        self._moments += moments if isinstance(moments, list) else []

    def _command(self, target: Target, agent: str, window_s: float) -> list[str]:
        argv = [agent, "watch", f"--seconds={window_s + _FINISH_S:g}"]
        for role, directory in self._directories.items():
            argv += ["--path", f"{role}={directory}"]
        if self._pid_file is not None:
            argv.append(f"--server-pid-file={self._pid_file}")
            argv.append(f"--server-hostname={self._hostname}")
        if not self._page_bytes:
            return argv
        trace = ["--trace", f"--page-bytes={self._page_bytes}"]
        if not self._sudo or target.run(["id", "-u"]).stdout.strip() == b"0":
            return [*argv, *trace]
        if not (because := sudo_refusal(target, agent)):
            return [*SUDO, *argv, *trace]
        self.missing.append((TRACE, f"{because}; {WITHOUT_ROOT}"))
        return argv

    def _lacks(self, because: str) -> None:
        self.missing.append((ANSWER, because))

    def _hear(self, stream: Stream) -> None:
        try:
            stream.close_input()
            result = stream.finish(_FINISH_S, 2 * LONGEST_BYTES)
            # An answer to the last question may come before all that it saw.
            answer = result.stdout.strip().rpartition(b"\n")[2]
            decode_object(answer, LONGEST_BYTES)
        except TargetError as error:
            self._lacks(f"the agent did not end its watch: {error.sentence}")
        except Malformed as error:
            self._lacks(f"the agent's watch can't be read: {error}")
        else:
            self.answers[ANSWER] = answer.decode("utf-8")


def sudo_refusal(target: Target, agent: str) -> str:
    """Why ``sudo -n`` does not run the agent there, "" where it does; raises TargetError."""
    tried = target.run([*SUDO, agent, "version"])
    if tried.status == 0:
        return ""
    lines = tried.stderr.decode("utf-8", "replace").strip().splitlines()
    reason = shown(lines[0]).rstrip(".") if lines else f"it ended with {tried.status}"
    return f"`sudo -n` was refused ({reason})"
