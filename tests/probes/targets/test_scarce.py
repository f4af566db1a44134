"""A computer that gives too little is told as that: nothing is said of what was asked for."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from probes.errors import LeadlineError, TargetError
from probes.mysql.discover import find_socket
from probes.plans.directory import probe_directory
from probes.targets.local import LocalTarget
from probes.targets.target import SocketAddress


@contextmanager
def few_files(more: int) -> Iterator[None]:
    """Let so many files more be opened."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Whatever is opened gets the lowest number that is free: those below the highest are taken.
    highest = max(int(each.name) for each in Path("/proc/self/fd").iterdir())
    held = [os.open(os.devnull, os.O_RDONLY)]
    while held[-1] < highest:
        held.append(os.open(os.devnull, os.O_RDONLY))
    resource.setrlimit(resource.RLIMIT_NOFILE, (held[-1] + 1 + more, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for number in held:
            os.close(number)


def test_a_folder_that_exists_is_never_called_none(tmp_path: Path) -> None:
    ended = []
    for more in range(12):
        with few_files(more):
            try:
                ended.append(probe_directory(LocalTarget(), str(tmp_path), None))
            except LeadlineError as error:
                ended.append(error.sentence)
                assert "ulimit -n" in error.advice
    assert ended[0] == "Leadline may open no more files here."
    assert ended[-1] == str(tmp_path)
    assert set(ended) == {ended[0], ended[-1]}


def test_nor_is_it_said_that_no_server_is_there(tmp_path: Path) -> None:
    # Whether somebody listens there is not found out.
    places = [SocketAddress(unix_path=str(tmp_path / "s")), SocketAddress(host="127.0.0.1", port=1)]
    for place in places:
        with few_files(0), pytest.raises(LeadlineError, match="no more files"):
            LocalTarget().open_socket(place)
    with few_files(0), pytest.raises(LeadlineError, match="no more files"):
        find_socket(LocalTarget())


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.EAGAIN, "no more processes"), (errno.ENOMEM, "too little memory")],
)
def test_a_command_that_is_not_started_for_want_of_something(
    monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    """Root has no limit of processes, so the fault is made."""

    def refused(*_: Any, **__: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(subprocess, "Popen", refused)
    with pytest.raises(LeadlineError, match=words) as told:
        LocalTarget().run(["true"])
    assert not isinstance(told.value, TargetError)


@pytest.mark.parametrize(("name", "status"), [("/none", 127), ("/etc", 126)])
def test_any_other_command_has_a_shells_status(name: str, status: int) -> None:
    assert LocalTarget().run([name]).status == status
