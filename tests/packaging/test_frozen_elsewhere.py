"""The specifications for Windows and macOS name what is there, and give each what it needs.

PyInstaller freezes only for the system that it runs on: here its classes are stand-ins that note
what they are given.
"""

from __future__ import annotations

import runpy
import struct
import sys
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import manifest
import pytest
import zip_package

from advisor.target_names import CASE_SUFFIX
from probes._version import __version__
from tests.conftest import ROOT

SPECIFICATIONS = ROOT / "packaging" / "frozen"


class Noted:
    """A stand-in for one of PyInstaller's classes: an object that keeps what it was made of."""

    pure = scripts = binaries = datas = ()

    def __init__(self, *given: Any, **named: Any) -> None:
        self.given, self.named = given, named


@pytest.fixture
def frozen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a specification; what it made, by the class's name."""
    hooks = ModuleType("PyInstaller.utils.hooks")
    hooks.collect_submodules = lambda name: [name]  # type: ignore[attr-defined]
    hooks.copy_metadata = lambda name: [(name, name)]  # type: ignore[attr-defined]
    for name in ("PyInstaller", "PyInstaller.utils"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, hooks.__name__, hooks)
    written = ROOT / "resources" / "manifest.json"
    former = written.read_bytes() if written.exists() else None
    monkeypatch.setattr(manifest, "write", lambda _root: written)

    def run(spec: str) -> dict[str, list[Noted]]:
        made: dict[str, list[Noted]] = {}

        def noting(name: str) -> type[Noted]:
            class One(Noted):
                def __init__(self, *given: Any, **named: Any) -> None:
                    super().__init__(*given, **named)
                    made.setdefault(name, []).append(self)

            return One

        names = ("Analysis", "PYZ", "EXE", "COLLECT", "BUNDLE")
        surroundings: dict[str, Any] = {name: noting(name) for name in names}
        surroundings |= {"SPECPATH": str(SPECIFICATIONS), "workpath": str(tmp_path / "work")}
        runpy.run_path(str(SPECIFICATIONS / spec), surroundings)
        assert former is None or written.read_bytes() == former
        return made

    return run


SPECS = ("leadline.spec", "leadline-windows.spec", "leadline-macos.spec")


@pytest.mark.parametrize("spec", SPECS)
def test_each_holds_the_agents_for_linux_and_all_that_is_listed(frozen: Any, spec: str) -> None:
    [analysis] = frozen(spec)["Analysis"]
    [start] = analysis.given[0]
    assert Path(start) == ROOT / "app" / "__main__.py"
    shipped = {Path(source).name: folder for source, folder in analysis.named["datas"]}
    for processor in ("amd64", "arm64"):
        for program in ("leadline-agent", "leadline-load"):
            assert shipped[f"{program}-linux-{processor}"] == "resources/agents"
    assert "advisor.rules.flushing.io_capacity" in analysis.named["hiddenimports"]
    assert "keyring.backends" in analysis.named["hiddenimports"]


def test_windows_gets_a_program_with_a_console_and_one_without(frozen: Any) -> None:
    made = frozen("leadline-windows.spec")
    programs = {each.named["name"]: each.named for each in made["EXE"]}
    assert {name: named["console"] for name, named in programs.items()} == {
        "leadline": True,
        "leadlinew": False,
    }
    icon = Path(programs["leadline"]["icon"]).read_bytes()
    kind, count = struct.unpack_from("<HH", icon, 2)
    assert (kind, count) == (1, 3)
    for entry in range(count):
        length, offset = struct.unpack_from("<II", icon, 6 + 16 * entry + 8)
        assert icon[offset : offset + 4] == b"\x89PNG"
        assert offset + length <= len(icon)
    [folder] = made["COLLECT"]
    assert folder.given[:2] == tuple(made["EXE"])


def test_macos_gets_a_bundle_that_opens_case_files(frozen: Any) -> None:
    [bundle] = frozen("leadline-macos.spec")["BUNDLE"]
    assert bundle.named["name"] == "Leadline.app"
    listed = bundle.named["info_plist"]
    assert listed["CFBundleShortVersionString"] == __version__
    [kind] = listed["UTExportedTypeDeclarations"]
    extensions = kind["UTTypeTagSpecification"]["public.filename-extension"]
    assert [f".{extension}" for extension in extensions] == [CASE_SUFFIX]
    [document] = listed["CFBundleDocumentTypes"]
    assert document["LSItemContentTypes"] == [kind["UTTypeIdentifier"]]
    icon = Path(bundle.named["icon"]).read_bytes()
    assert icon[:4] == b"icns"
    assert struct.unpack(">I", icon[4:8]) == (len(icon),)


def test_the_zip_holds_one_folder_and_names_version_and_processor(tmp_path: Path) -> None:
    made = tmp_path / "leadline"
    (made / "_internal").mkdir(parents=True)
    (made / "leadline.exe").write_text("a program")
    (made / "_internal" / "qt.dll").write_text("a library")
    packed = zip_package.archive(zip_package.KINDS["win32"], made)
    assert packed.name.startswith(f"leadline-{__version__}-windows-")
    with zipfile.ZipFile(packed) as file:
        assert file.namelist() == ["leadline/_internal/qt.dll", "leadline/leadline.exe"]


def test_linux_is_sent_to_make_package(capsys: Any) -> None:
    assert zip_package.main() == 2
    assert "make package" in capsys.readouterr().out
