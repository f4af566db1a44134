"""``leadline mcp``: the store's documents for an assistant, over the Model Context Protocol.

Every tool is a command of Leadline's that only reads, in a process of its own, with ``--json``:
an assistant is given the documents that a program is given, and can neither measure nor change
anything. The protocol goes over standard input and output.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from probes._version import __version__
from probes.errors import LeadlineError, UsageError

if TYPE_CHECKING:
    from mcp.server import MCPServer

LIMIT_S = 300.0
"""A forecast of a server with many connections takes seconds; nothing takes minutes."""

_INSTRUCTIONS = (
    "Leadline measures storage, watches MySQL and MariaDB servers at work, and advises on InnoDB's "
    "settings. These tools read what it has kept on this computer; they measure and change "
    "nothing. A CASE is a run's number, a target's name or the path of a case file. Every figure "
    "has a range: quote it with its range, and advice with its confidence and what would settle "
    "what is open."
)


@click.command()
def mcp() -> None:
    """Offer what was kept to an assistant, over standard input and output.

    It speaks the Model Context Protocol: targets, runs, advice with its evidence, forecasts and
    rules, as the same JSON documents that --json gives. It only reads. An assistant is set up with
    the command `leadline mcp`.
    """
    if find_spec("mcp") is None:
        raise UsageError(
            "The package that speaks the protocol is not installed.",
            "Add it: pipx inject leadline mcp, or pip install 'leadline[assistant]'.",
        )
    served().run("stdio")


def served() -> MCPServer[Any]:
    """The server with all its tools."""
    from mcp.server import MCPServer  # noqa: PLC0415 - an extra that not everybody has
    from mcp.types import ToolAnnotations  # noqa: PLC0415

    server = MCPServer("leadline", version=__version__, instructions=_INSTRUCTIONS)
    reads = server.tool(annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))
    for tool in (targets, runs, advice, rule_says, forecast, lab, rules):
        reads(_explaining(tool))
    return server


def _explaining(tool: Callable[..., Any]) -> Callable[..., Any]:
    """The same tool, whose faults are the assistant's to read."""
    from mcp.server.mcpserver.exceptions import ToolError  # noqa: PLC0415

    @wraps(tool)
    def explained(*args: Any, **named: Any) -> Any:
        try:
            return tool(*args, **named)
        except LeadlineError as error:
            raise ToolError(str(error)) from error

    return explained


def targets() -> Any:
    """The servers and computers that were saved as targets, and how each is reached."""
    return _document("targets", "list")


def runs(target: str = "") -> Any:
    """The runs that were kept, of all targets or of one: what each is, when, and how it ended."""
    return _document("runs", "list", *_word(target))


def advice(case: str) -> Any:
    """A case judged by the rules of now: what limits, risks, recommendations, plan, evidence."""
    return _document("advise", _case(case))


def rule_says(case: str, rule: str) -> str:
    """All that one rule says of a case: figures, evidence, statements, the way back. As text."""
    return _printed("advise", _case(case), "--rule", _case(rule))


def forecast(
    case: str, settings: Mapping[str, str] | None = None, *, with_plan: bool = False
) -> Any:
    """What a server that was watched would do with other settings, as buffer_pool: 64G.

    ``with_plan`` turns what its change plan sets. Without both it is today's figures.
    """
    wanted = [word for name, value in (settings or {}).items() for word in _set(name, value)]
    return _document("forecast", _case(case), *wanted, *(["--plan"] if with_plan else []))


def lab(run: int) -> Any:
    """What a lab found on throwaway servers: each difference with its interval."""
    return _document("runs", "show", str(run))


def rules(rule: str = "") -> str:
    """The rules that Leadline judges by, or all that one of them knows. As text."""
    return _printed("rules", *(["show", _case(rule)] if rule else []))


def _set(name: str, value: str) -> tuple[str, str]:
    return "--set", f"{name}={value}"


def _word(text: str) -> list[str]:
    return [_case(text)] if text else []


def _case(text: str) -> str:
    """A word of a command; raises UsageError for what the command would take for an option."""
    if not text or text.startswith("-") or not text.isprintable():
        raise UsageError(f"{text!r} names nothing.", "Give a run's number, a name or a path.")
    return text


def _document(*words: str) -> Any:
    return json.loads(_printed(*words, "--json"))


def _printed(*words: str) -> str:
    """What a command prints; raises LeadlineError with its own sentences where it fails."""
    frozen = bool(getattr(sys, "frozen", False))
    command = [sys.executable] if frozen else [sys.executable, "-P", "-m", "leadline"]
    try:
        done = subprocess.run(
            [*command, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT_S,
        )
    except subprocess.TimeoutExpired as error:
        raise LeadlineError(f"leadline {words[0]} took longer than {LIMIT_S:.0f} s.") from error
    if done.returncode:
        raise LeadlineError(" ".join(done.stderr.split()))
    return done.stdout
