"""`leadline mcp`, asked by the protocol's own client."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from app.cli.commands import mcp as command

SAMPLE = Path(__file__).parents[4] / "resources" / "sample" / "1-watch.leadline.gz"


def asked(home: Path, *calls: tuple[str, Mapping[str, Any]]) -> tuple[set[str], Sequence[Any]]:
    """The tools' names, and what they answer, of a server that runs as an assistant starts it."""

    # Every worker imports all files of tests, and this takes more than most of them together.
    from mcp import Client, StdioServerParameters  # noqa: PLC0415

    async def talk() -> tuple[set[str], Sequence[Any]]:
        started = StdioServerParameters(
            command=sys.executable,
            args=["-m", "app", "mcp"],
            env=os.environ | {"LEADLINE_HOME": str(home)},
        )
        async with Client(started) as client:
            tools = (await client.list_tools()).tools
            assert all(each.annotations and each.annotations.read_only_hint for each in tools)
            answers = [await client.call_tool(name, dict(given)) for name, given in calls]
        return {each.name for each in tools}, answers

    return asyncio.run(talk())


def text_of(answer: Any) -> str:
    return "".join(part.text for part in answer.content)


@pytest.mark.timeout(600)
def test_an_assistant_reads_a_case_and_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "shop.leadline"
    file.write_bytes(gzip.decompress(SAMPLE.read_bytes()))
    case = str(file)
    names, (runs, advice, forecast, refused) = asked(
        tmp_path,
        ("runs", {}),
        ("advice", {"case": case}),
        ("forecast", {"case": case, "settings": {"buffer_pool": "64G"}}),
        ("advice", {"case": "--full"}),
    )
    assert names == {"targets", "runs", "advice", "rule_says", "forecast", "lab", "rules"}
    assert not runs.is_error
    document = json.loads(text_of(advice))
    assert document["schema"].startswith("leadline.check/")
    assert document["change_plan"]["actions"]
    assert json.loads(text_of(forecast))["schema"] == "leadline.what-if/1"
    assert refused.is_error
    assert "names nothing" in text_of(refused)


def test_a_command_that_fails_says_why_in_its_own_words() -> None:
    with pytest.raises(Exception, match="There is no run 4711"):
        command.advice("4711")
    assert "buffer-pool.size" in command.rules()


def test_a_project_with_an_app_of_its_own_is_not_mistaken_for_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An assistant works in its user's projects."""
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text("raise SystemExit('not ours')\n")
    monkeypatch.chdir(tmp_path)
    assert "buffer-pool.size" in command.rules()
