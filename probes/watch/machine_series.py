"""Having the agent look at devices, server process and machine while the server is watched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed
from probes.cancel import CancelToken
from probes.errors import AgentFailed, TargetError
from probes.targets.target import Stream, Target

ANSWER = "watch.machine"
"""What the agent saw: the raw answer's name, and that of the fact where it is missing."""

LONGEST_BYTES = 4 << 20
_FINISH_S = 30.0


class MachineSeries:
    """The agent at work on a target, and what came of it.

    ``directories`` are the server's by role, ``pid_file`` is where it writes its process number.
    With ``page_bytes``, the size of InnoDB's pages, the kernel traces the server's calls and the
    disks' requests, where it lets us; 0 for no trace.
    ``answers`` are raw answers by their names, ``because`` why there is none.
    """

    def __init__(
        self, directories: Mapping[str, str], pid_file: str | None, page_bytes: int = 0
    ) -> None:
        self._directories, self._pid_file = directories, pid_file
        self._page_bytes = page_bytes
        self.answers: dict[str, str] = {}
        self.because: list[str] = []

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
        argv = ["watch", f"--seconds={window_s + _FINISH_S:g}"]
        for role, directory in self._directories.items():
            argv += ["--path", f"{role}={directory}"]
        if self._page_bytes:
            argv += ["--trace", f"--page-bytes={self._page_bytes}"]
        if self._pid_file is not None:
            argv.append(f"--server-pid-file={self._pid_file}")
        try:
            agent = target.agent()
        except (AgentFailed, TargetError) as error:
            self.because.append(f"the agent did not run there: {error.sentence}")
            yield
            return
        with target.stream([agent, *argv], token=token) as stream:
            yield
            self._hear(stream)

    def _hear(self, stream: Stream) -> None:
        try:
            stream.close_input()
            result = stream.finish(_FINISH_S, LONGEST_BYTES)
            decode_object(result.stdout, LONGEST_BYTES)
        except TargetError as error:
            self.because.append(f"the agent did not end its watch: {error.sentence}")
        except Malformed as error:
            self.because.append(f"the agent's watch can't be read: {error}")
        else:
            self.answers[ANSWER] = result.stdout.decode("utf-8")
