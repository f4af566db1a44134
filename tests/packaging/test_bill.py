"""All that is shipped is listed with its licence: Python packages, Go modules, fonts."""

from __future__ import annotations

import json
import re
import shutil
import tomllib

import bill
import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(
    shutil.which("dpkg-query") is None, reason="the packages are built on Debian"
)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, object]]:
    """The licences and the list of a folder that holds one library of the system's."""
    folder = tmp_path_factory.mktemp("frozen")
    (folder / "_internal").mkdir()
    (folder / "_internal" / "libz.so.1").touch()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1700000000")
        bill.write(folder, folder / "list.json")
    return (folder / bill.LICENCES).read_text("utf-8"), json.loads(
        (folder / "list.json").read_text()
    )


def test_each_part_has_its_licence(written: tuple[str, dict[str, object]]) -> None:
    texts, _ = written
    for part, licence in {
        "PySide6_Essentials": "GNU LESSER GENERAL PUBLIC LICENSE",
        "plotille": "Tammo Ippen",
        "numpy": "NumPy Developers",
        "typst": "Apache License",
        "Python": "PYTHON SOFTWARE FOUNDATION LICENSE",
        "Go": "The Go Authors",
        "github.com/go-sql-driver/mysql": "Mozilla Public License",
        "Inter": "SIL OPEN FONT LICENSE",
        "zlib1g": "Jean-loup Gailly",
    }.items():
        found = re.search(rf"(?m)^{re.escape(part)} [^\n]*\n\n", texts)
        assert found is not None, part
        assert licence in texts[found.end() :].partition("-" * 72)[0], part
    assert texts.startswith("Leadline\n")


def test_the_list_is_cyclonedx_and_names_each_part_once(
    written: tuple[str, dict[str, object]],
) -> None:
    _, listed = written
    assert (listed["bomFormat"], listed["specVersion"]) == ("CycloneDX", "1.6")
    components = listed["components"]
    assert isinstance(components, list)
    purls = [each["purl"] for each in components]
    assert len(set(purls)) == len(purls)
    assert json.dumps(listed).count("2023-11-14T22:13:20Z") == 1
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for wanted in project["dependencies"]:
        name = re.split(r"[^\w-]", wanted)[0].lower()
        assert any(purl.startswith(f"pkg:pypi/{name}@") for purl in purls), name
