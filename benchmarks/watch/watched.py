"""fio as the server that a watch looks at: it is called mysqld, and its file is a tablespace."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.shared import agent
from benchmarks.shared.process import BenchmarkError, run

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

    def until_at_work(self) -> None:
        """Wait until all of fio's threads are there; raises BenchmarkError."""
        begin = time.monotonic()
        while len(list(Path(f"/proc/{self.process.pid}/task").iterdir())) < 2:
            if time.monotonic() - begin > _STARTED_S:
                raise BenchmarkError("fio starts no threads")
            time.sleep(0.05)

    def report(self) -> dict[str, Any]:
        """What fio itself measured; waits for its end."""
        said, _ = self.process.communicate(timeout=600)
        job: dict[str, Any] = json.loads(said)["jobs"][0]
        return job

    def watch(self, seconds: float, *options: str) -> dict[str, Any]:
        """What the agent's watch of it and its drive sees in so long."""
        answer: dict[str, Any] = json.loads(run(self.command(seconds, *options)).output)
        return answer

    @contextmanager
    def watched(self, *options: str) -> Iterator[list[dict[str, Any]]]:
        """A watch for as long as the context; what it saw is in the list then."""
        command = self.command(600, *options)
        found: list[dict[str, Any]] = []
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            yield found
            said, _ = process.communicate(timeout=600)
        if process.returncode:
            raise BenchmarkError(f"the watch ended with status {process.returncode}")
        found.append(json.loads(said))

    def command(self, seconds: float, *options: str) -> list[str]:
        """How that watch is started."""
        command = [agent.path(), "watch", f"--seconds={seconds:g}"]
        command += ["--path", f"data={self.directory}", f"--server-pid-file={self.pid_file}"]
        return [*command, *options]


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
        subprocess.run([*command, "--create_only=1"], stdout=subprocess.DEVNULL, check=True)
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    pid_file = folder / "pid"
    pid_file.write_text(f"{process.pid}\n")
    try:
        yield Server(process, pid_file, data)
    finally:
        process.kill()
        process.wait()


def call_us(folder: Path, seconds: float, *options: str) -> float:
    """What a call takes, in microseconds, in a process that is watched meanwhile."""
    arguments = [str(folder / "call.ibd"), str(seconds), str(_CALLS), str(_EVERY_S)]
    command = [sys.executable, "-c", _CALLING, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            raise BenchmarkError("the process that is to be watched does not start")
        pid_file = folder / "caller"
        pid_file.write_text(f"{process.pid}\n")
        with Server(process, pid_file, folder).watched(*options):
            return float(process.stdout.readline())
