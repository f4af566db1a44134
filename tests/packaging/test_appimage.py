"""The AppImage's own part: it mounts or unpacks what is behind it, runs it, and leaves nothing."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path
from types import ModuleType

import appimage
import pytest
from bare_system import FUSE

from probes._version import __version__
from tests.waiting import HANG_S, wait_until

pytestmark = pytest.mark.skipif(
    shutil.which("mksquashfs") is None, reason="there is no mksquashfs here"
)
PROGRAM = """#!/bin/sh
case $1 in
show) cat "$APPDIR/usr/lib/leadline/_internal/notes.txt"; echo "$ARGV0|$OWD|$*" ;;
fail) exit 7 ;;
wait) echo "$APPDIR"; exec sleep 1000 ;;
esac
"""
MODES = {"mounted": {}, "unpacked": {"APPIMAGE_EXTRACT_AND_RUN": "1"}}


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return appimage


@pytest.fixture(scope="module")
def image(script: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An AppImage of a folder with a script in place of the frozen program."""
    folder = tmp_path_factory.mktemp("leadline")
    (folder / "leadline").write_text(PROGRAM)
    (folder / "leadline").chmod(0o700)
    (folder / "_internal").mkdir()
    (folder / "_internal" / "notes.txt").write_text("line\n" * 100_000)
    (folder / "_internal" / "libz.so").symlink_to("libz.so.1")
    (folder / "_internal" / "libz.so.1").write_bytes(os.urandom(300_000))
    made: Path = script.build(folder, tmp_path_factory.mktemp("dist"))
    return made


@pytest.fixture(params=MODES)
def surroundings(
    request: pytest.FixtureRequest, tmp_path: Path, script: ModuleType
) -> dict[str, str]:
    """The environment for each of the two ways, with a TMPDIR of its own."""
    if request.param == "mounted" and not (FUSE.exists() and can_mount()):
        pytest.skip("FUSE can't be used here")
    (tmp_path / "tmp").mkdir()
    return os.environ | MODES[request.param] | {"TMPDIR": str(tmp_path / "tmp")}


def can_mount() -> bool:
    return os.geteuid() == 0 or shutil.which("fusermount3") is not None


def call(
    image: Path, surroundings: dict[str, str], *words: str, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(image), *words],
        env=surroundings,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=HANG_S,
        check=False,
    )


def left_behind(surroundings: dict[str, str]) -> list[str]:
    return [path.name for path in Path(surroundings["TMPDIR"]).iterdir()]


def test_it_is_named_and_marked_as_the_specification_says(script: ModuleType, image: Path) -> None:
    assert image.name.startswith(f"Leadline-{__version__}-")
    assert image.suffix == ".AppImage"
    content = image.read_bytes()
    assert content[:4] == b"\x7fELF"
    assert content[8:11] == b"AI\x02"
    assert content[script.elf_end(content) :][:4] == b"hsqs"
    done = call(image, dict(os.environ), "--appimage-offset")
    assert int(done.stdout) == script.elf_end(content)


def test_the_program_gets_words_surroundings_and_its_files(
    image: Path, surroundings: dict[str, str], tmp_path: Path
) -> None:
    done = call(image, surroundings, "show", "a word", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("line\n") == 100_000
    assert done.stdout.splitlines()[-1] == f"{image}|{tmp_path}|show a word"
    assert done.stderr == ""
    assert wait_until(lambda: not left_behind(surroundings))


def test_the_programs_status_is_its_own(image: Path, surroundings: dict[str, str]) -> None:
    assert call(image, surroundings, "fail").returncode == 7


def test_a_signal_reaches_the_program_and_its_files_go_after_it(
    image: Path, surroundings: dict[str, str]
) -> None:
    with subprocess.Popen(
        [str(image), "wait"], env=surroundings, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        place = Path(running.stdout.readline().strip())
        assert (place / "AppRun").exists()
        running.send_signal(signal.SIGKILL)
        assert running.wait(HANG_S) == -signal.SIGKILL
    assert wait_until(lambda: not left_behind(surroundings))


@pytest.mark.parametrize("surroundings", ["mounted"], indirect=True)
def test_its_files_can_be_looked_at_until_somebody_ends_that(
    image: Path, surroundings: dict[str, str]
) -> None:
    argv = [str(image), "--appimage-mount"]
    with subprocess.Popen(argv, env=surroundings, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        place = Path(running.stdout.readline().strip())
        assert (place / "leadline.desktop").is_file()
        running.send_signal(signal.SIGINT)
        assert running.wait(HANG_S) == 0
    assert wait_until(lambda: not left_behind(surroundings))


def test_it_says_why_it_unpacks_where_it_can_not_mount(image: Path, tmp_path: Path) -> None:
    """Without rights and without fusermount3."""
    setpriv = shutil.which("setpriv")
    if os.geteuid() or setpriv is None:
        pytest.skip("it takes root to be somebody without rights")
    plain = [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"]
    public = Path("/var/tmp") / f"leadline-appimage-{os.getpid()}"
    public.mkdir(mode=0o777)
    try:
        public.chmod(0o777)
        copy = shutil.copy(image, public)
        done = subprocess.run(
            [*plain, copy, "show"],
            env={"PATH": "/nowhere", "TMPDIR": str(public)},
            capture_output=True,
            text=True,
            timeout=HANG_S,
            check=False,
        )
        assert "FUSE can't be used here" in done.stderr
    finally:
        shutil.rmtree(public, ignore_errors=True)


def test_it_is_unpacked_whole_or_in_part(image: Path, tmp_path: Path) -> None:
    done = call(image, dict(os.environ), "--appimage-extract", "usr/share/*/*", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    root = tmp_path / "squashfs-root"
    assert (root / "usr/share/applications/leadline.desktop").is_file()
    assert not (root / "AppRun").exists()
    assert call(image, dict(os.environ), "--appimage-extract", folder=tmp_path).returncode == 0
    assert (root / "AppRun").resolve() == root / "usr/lib/leadline/leadline"
    assert os.access(root / "AppRun", os.X_OK)
    library = root / "usr/lib/leadline/_internal/libz.so"
    assert library.is_symlink()
    assert len(library.read_bytes()) == 300_000
    entry = (root / "leadline.desktop").read_text("utf-8")
    assert f"X-AppImage-Version={__version__}\n" in entry
    assert (root / ".DirIcon").read_bytes().startswith(b"\x89PNG")
    assert (root / "leadline.svg").is_file()


def test_an_unknown_option_of_its_own_is_refused(image: Path) -> None:
    done = call(image, dict(os.environ), "--appimage-updateinfo")
    assert done.returncode == 2
    assert "--appimage-updateinfo is no option" in done.stderr


def test_a_cut_file_says_so(image: Path, tmp_path: Path) -> None:
    cut = tmp_path / image.name
    cut.write_bytes(image.read_bytes()[:-200_000])
    cut.chmod(0o755)
    done = call(cut, dict(os.environ), "show")
    assert done.returncode == 1
    assert "panic" not in done.stderr
    assert done.stderr.startswith("AppImage: ")


def test_the_same_tree_gives_the_same_bytes(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    made = []
    for name in ("first", "second"):
        tree = tmp_path / name
        (tree / "usr").mkdir(parents=True)
        (tree / "usr" / "b").write_text("b")
        (tree / "usr" / "a").write_text("a")
        script.pack(tree, tmp_path / f"{name}.squashfs")
        made.append((tmp_path / f"{name}.squashfs").read_bytes())
    assert made[0] == made[1]
