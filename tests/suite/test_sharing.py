"""Files that share a server of the tests are known by their text, before any is imported."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import ROOT
from tests.suite.sharing import SERVER, scope


def test_what_shares_the_server_goes_to_one_worker(request: pytest.FixtureRequest) -> None:
    items: list[Any] = request.session.items
    sharing = {
        item.path.relative_to(ROOT).as_posix()
        for item in items
        if any(not each.baseid for each in item._fixtureinfo.name2fixturedefs.get(SERVER, ())[-1:])
    }
    assert {file for file in sharing if scope(file) != SERVER} == set()


def test_all_others_are_taken_file_by_file() -> None:
    shared, own = "tests/probes/mysql/test_logins.py", "tests/probes/inventory/test_real.py"
    assert scope(shared) == SERVER
    assert {file: scope(file) for file in (own, "tests/test_words.py", "tests/none.py")} == {
        own: own,
        "tests/test_words.py": "tests/test_words.py",
        "tests/none.py": "tests/none.py",
    }
