"""The Debian package puts each file where Debian looks for it, and runs from there."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import debian_package
import pytest

from advisor.target_names import CASE_SUFFIX
from app.runtime.commit import version
from probes._version import __version__
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="there is no dpkg here")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which this tree stands for the frozen program."""
    folder = tmp_path_factory.mktemp("leadline")
    program = folder / "leadline"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m app "$@"\n')
    program.chmod(0o700)
    (folder / "_internal").mkdir()
    (folder / "_internal" / "libz.so.1").write_bytes(b"a library")
    (folder / "share").mkdir()
    (folder / "share" / "stale").write_text("of the folder alone")
    return folder


@pytest.fixture(scope="module")
def package(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    built: Path = debian_package.build(folder, tmp_path_factory.mktemp("dist"))
    return built


@pytest.fixture(scope="module")
def root(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("root")
    subprocess.run(["dpkg-deb", "-x", str(package), str(folder)], check=True)
    return folder


def field(package: Path, name: str) -> str:
    argv = ["dpkg-deb", "-f", str(package), name]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()


def test_it_says_what_it_is_and_what_the_window_needs(package: Path) -> None:
    assert package.name == f"leadline_{__version__}_{debian_package.architecture()}.deb"
    assert field(package, "Version") == __version__
    assert field(package, "Depends").startswith("libc6 (>= 2.")
    assert {"libegl1", "libxcb-cursor0"} <= set(field(package, "Recommends").split(", "))
    assert int(field(package, "Installed-Size")) > 0


def test_each_file_is_where_debian_looks(root: Path) -> None:
    share = root / "usr/share"
    for name in (
        *sys.modules["installed_tree"].DATA.values(),
        "bash-completion/completions/leadline",
        "zsh/vendor-completions/_leadline",
        "fish/vendor_completions.d/leadline.fish",
        "doc/leadline/copyright",
    ):
        assert (share / name).is_file(), name
    page = gzip.decompress((share / "man/man1/leadline.1.gz").read_bytes()).decode()
    assert page.startswith(".TH LEADLINE 1")
    assert (
        __version__ in gzip.decompress((share / "doc/leadline/changelog.gz").read_bytes()).decode()
    )
    assert not list(root.rglob("stale"))


def test_all_belongs_to_root_and_may_be_read_by_all(package: Path) -> None:
    argv = ["dpkg-deb", "-c", str(package)]
    rows = subprocess.run(argv, capture_output=True, text=True, check=True).stdout.splitlines()
    modes = {row.split()[-1]: row.split()[:2] for row in rows if not row.startswith("l")}
    assert {owner for _, owner in modes.values()} == {"root/root"}
    assert {mode for mode, _ in modes.values()} == {"drwxr-xr-x", "-rwxr-xr-x", "-rw-r--r--"}
    assert modes["./usr/lib/leadline/leadline"][0] == "-rwxr-xr-x"
    assert modes["./usr/lib/leadline/_internal/libz.so.1"][0] == "-rw-r--r--"


def test_its_checksums_are_right(package: Path, root: Path) -> None:
    argv = ["dpkg-deb", "--ctrl-tarfile", str(package)]
    control = subprocess.run(argv, capture_output=True, check=True).stdout
    sums = subprocess.run(
        ["tar", "-xO", "./md5sums"], input=control, capture_output=True, check=True
    )
    done = subprocess.run(["md5sum", "-c", "--quiet"], cwd=root, input=sums.stdout, check=False)
    assert done.returncode == 0
    assert b"usr/lib/leadline/leadline" in sums.stdout


def test_the_command_runs_from_there(root: Path, tmp_path: Path) -> None:
    command = root / "usr/bin/leadline"
    assert str(command.readlink()) == "../lib/leadline/leadline"
    environment = os.environ | {"LEADLINE_HOME": str(tmp_path)}
    for word, expected in (("--version", f"leadline {version()}\n"), ("runs", "")):
        done = subprocess.run(
            [str(command), word], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert expected in done.stdout


def test_the_same_folder_gives_the_same_package(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    made = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        made.append(debian_package.build(folder, tmp_path / name).read_bytes())
    assert made[0] == made[1]


def test_a_folder_that_does_not_run_is_refused(tmp_path: Path) -> None:
    """What is tried is the package: unpacked here, where installing would take minutes."""
    broken = tmp_path / "leadline"
    broken.mkdir()
    (broken / "leadline").write_text("#!/bin/sh\necho 'no library' >&2\nexit 127\n")
    (broken / "leadline").chmod(0o755)
    with pytest.raises(Exception, match=r"--version ends with status 127: no library"):
        debian_package.try_unpacked(debian_package.build(broken, tmp_path))


@pytest.mark.skipif(shutil.which("appstreamcli") is None, reason="there is no appstreamcli here")
def test_software_centres_understand_the_metainfo(root: Path) -> None:
    metainfo = next((root / "usr/share/metainfo").iterdir())
    argv = ["appstreamcli", "validate", "--no-net", str(metainfo)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_case_file_is_opened_by_the_program(root: Path) -> None:
    share = root / "usr/share"
    kind = ElementTree.parse(share / "mime/packages/leadline.xml").getroot()[0]
    globs = [each.get("pattern") for each in kind if each.tag.endswith("glob")]
    assert globs == [f"*{CASE_SUFFIX}"]
    entry = (share / "applications/leadline.desktop").read_text("utf-8").splitlines()
    assert f"MimeType={kind.get('type')};" in entry
    assert "Exec=leadline %F" in entry
