"""fio as the server that a watch looks at: it is called mysqld, and its file is a tablespace."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from process import BenchmarkError

PAGE_BYTES = 16 << 10
FILE_BYTES = 256 << 20
_STARTED_S = 20.0

_CALLS, _EVERY_S = 1_000, 0.1
_CALLING = """
import os, sys, time
path = sys.argv[1]
seconds, calls, every_s = float(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
with open("/proc/self/comm", "w") as name:
    name.write("mysqld")
file = os.open(path, os.O_RDWR | os.O_CREAT)
print("ready", flush=True)
took, end = [], time.monotonic() + seconds
while (begin := time.perf_counter()) and time.monotonic() < end:
    for _ in range(calls):
        os.pread(file, 1, 0)
    took.append(time.perf_counter() - begin)
    time.sleep(every_s)
took.sort()
print(took[len(took) // 10] / calls * 1e6)
"""
"""Bursts of calls that do next to nothing; tells what one took when nobody was in the way."""


@dataclass(frozen=True)
class Server:
    """A running process, and the file that names it."""

    process: subprocess.Popen[Any]
    pid_file: Path
    directory: Path

    def report(self) -> dict[str, Any]:
        """What fio itself measured; waits for its end."""
        said, _ = self.process.communicate(timeout=600)
        job: dict[str, Any] = json.loads(said)["jobs"][0]
        return job


@contextmanager
def server(folder: Path, seconds: float, *options: str) -> Iterator[Server]:
    """Fio's threads at work on a file of pages, for ``seconds`` or until the context is left."""
    program = folder / "mysqld"
    if not program.exists():
        shutil.copy(shutil.which("fio") or "fio", program)
    data = folder / "data"
    data.mkdir(exist_ok=True)
    command = [str(program), "--name=server", "--thread", "--group_reporting", "--time_based"]
    command += [f"--filename={data / 'pages.ibd'}", f"--size={FILE_BYTES}", "--randrepeat=0"]
    command += ["--output-format=json", "--percentile_list=50", f"--bs={PAGE_BYTES}"]
    command += [f"--runtime={seconds:g}", "--ioengine=psync", *options]
    if not (data / "pages.ibd").exists():
        prepare = [*command, "--create_only=1"]
        subprocess.run(prepare, stdout=subprocess.DEVNULL, check=True)
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    pid_file = folder / "pid"
    pid_file.write_text(f"{process.pid}\n")
    try:
        yield Server(process, pid_file, data)
    finally:
        process.kill()
        process.wait()


def start_watch(
    agent: str, seconds: float, watched: Server, *options: str
) -> subprocess.Popen[bytes]:
    """The agent's watch of that server and its drive."""
    command = [agent, "watch", f"--seconds={seconds:g}", "--path", f"data={watched.directory}"]
    command += [f"--server-pid-file={watched.pid_file}", *options]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def answer_of(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    """What a watch saw; ends one that still runs. Raises BenchmarkError."""
    said, _ = process.communicate(timeout=600)
    if process.returncode:
        raise BenchmarkError(f"the watch ended with status {process.returncode}")
    answer: dict[str, Any] = json.loads(said)
    return answer


def watch(agent: str, seconds: float, watched: Server, *options: str) -> dict[str, Any]:
    """Watch for so long, to the end."""
    process = start_watch(agent, seconds, watched, *options)
    if process.stdout is None:
        raise BenchmarkError("the watch has no output")
    said = process.stdout.read()
    process.communicate()
    answer: dict[str, Any] = json.loads(said)
    return answer


def until_at_work(watched: Server) -> None:
    """Wait until all of fio's threads are there."""
    begin = time.monotonic()
    while len(list(Path(f"/proc/{watched.process.pid}/task").iterdir())) < 2:
        if time.monotonic() - begin > _STARTED_S:
            raise BenchmarkError("fio starts no threads")
        time.sleep(0.05)


def grown(answer: dict[str, Any], names: Sequence[str]) -> float:
    """By how much figures of the server grew a second, added up."""
    first, last = answer["moments"][0], answer["moments"][-1]
    seconds = last["at_s"] - first["at_s"]
    total = sum(last["server"][name] - first["server"][name] for name in names)
    return float(total) / float(seconds)


def call_us(agent: str, folder: Path, seconds: float, *options: str) -> float:
    """What a call takes, in microseconds, in a process that is watched meanwhile."""
    arguments = [str(folder / "call.ibd"), str(seconds), str(_CALLS), str(_EVERY_S)]
    command = [sys.executable, "-c", _CALLING, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout is None or process.stdout.readline() != "ready\n":
            raise BenchmarkError("the process that is to be watched does not start")
        pid_file = folder / "caller"
        pid_file.write_text(f"{process.pid}\n")
        watching = start_watch(agent, 600, Server(process, pid_file, folder), *options)
        told = float(process.stdout.readline())
        answer_of(watching)
    return told
