"""A private directory on a target, and commands in it: neither outlives the way to them.

Only a shell is needed there. Each command has a waiting shell of its own that ends it as soon as
standard input closes, which a cut connection or a killed Leadline does too; another shell holds the
directory in the same way and then removes it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from probes.cancel import CancelToken
from probes.errors import EngineFailed
from probes.figures import seconds
from probes.sandbox.keeping import kept_directory
from probes.sandbox.leftovers import clean_leftovers
from probes.targets.target import OUTPUT_LIMIT_BYTES, Target, too_much_output

# A shell without job control gives what it starts in the background no standard input, hence the
# third descriptor. Signals are caught, not ignored: an ignored one would stay so in the command.
_RUN = r"""
trap : HUP INT TERM PIPE
cd -- "$1" || exit 1
shift
exec 3<&0
"$@" < /dev/null 3<&- &
child=$!
(
  while read -r _; do :; done <&3
  kill -TERM "$child"
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    sleep 0.2
    kill -0 "$child" || exit
  done
  kill -KILL "$child"
) > /dev/null 2>&1 &
watcher=$!
exec 3<&-
while :; do
  wait "$child"
  status=$?
  kill -0 "$child" 2> /dev/null || break
done
kill "$watcher" 2> /dev/null
printf '\nleadline-ended %s\n' "$status"
"""
_ENDED = re.compile(rb"leadline-ended (\d{1,3})")

_POLL_S = 0.25
_FINISH_S = 5.0


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended, as a shell reports it, and the last that it wrote to standard error."""

    status: int
    stderr: str


@contextmanager
def private_directory(target: Target, directory: str, token: CancelToken) -> Iterator[str]:
    """A fresh directory of mode 0700 in ``directory``, gone with all that is in it afterwards.

    Raises DirectoryUnusable, TargetError and Cancelled.
    """
    clean_leftovers(target, directory, token)
    with kept_directory(target, directory, token) as made:
        yield made


def run_in(
    target: Target,
    directory: str,
    argv: Sequence[str],
    *,
    silence_s: float,
    token: CancelToken,
    beat: Callable[[], None] = lambda: None,
) -> Generator[str, None, Ended]:
    """Run a command in ``directory``; yields the lines that it writes, and returns how it ended.

    ``beat`` is called a few times a second, and may end it by raising an error of its own.
    Raises EngineFailed when it says nothing for ``silence_s`` or vanishes, CommandFailed when it
    writes too much, ConnectionLost when the way to it is cut, and Cancelled.
    """
    name = argv[0].rpartition("/")[2]
    with target.stream(["sh", "-c", _RUN, "sh", directory, *argv], token=token) as stream:
        silent_s = 0.0
        written_bytes = 0
        beat_at = 0.0
        while True:
            line = stream.read_line(_POLL_S)
            token.check()
            # A beat takes a moment, and a result may have hundreds of lines.
            if time.monotonic() >= beat_at:
                beat()
                beat_at = time.monotonic() + _POLL_S
            if line is None:
                raise EngineFailed(
                    f"{name} on {target.name} exited unexpectedly.",
                    "What had been measured is kept; start again.",
                )
            if not line:
                silent_s += _POLL_S
                if silent_s > silence_s:
                    raise EngineFailed(
                        f"{name} on {target.name} has said nothing for {seconds(silence_s)}.",
                        "The drive may hang; look at the kernel's log there.",
                    )
                continue
            silent_s = 0.0
            written_bytes += len(line)
            if written_bytes > OUTPUT_LIMIT_BYTES:
                stream.kill()
                raise too_much_output(name, target.name, OUTPUT_LIMIT_BYTES)
            ended = _ENDED.fullmatch(line)
            if ended is not None:
                beat()
                stderr = stream.finish(_FINISH_S).stderr.decode("utf-8", "replace")
                return Ended(int(ended[1]), stderr)
            yield line.decode("utf-8", "replace")


def run_to_end(
    target: Target,
    directory: str,
    argv: Sequence[str],
    *,
    silence_s: float,
    token: CancelToken,
    beat: Callable[[], None] = lambda: None,
) -> tuple[str, Ended]:
    """The same for a command whose lines are of use only together."""
    running = run_in(target, directory, argv, silence_s=silence_s, token=token, beat=beat)
    lines: list[str] = []
    while True:
        try:
            lines.append(next(running))
        except StopIteration as end:
            ended: Ended = end.value
            return "\n".join(lines), ended
