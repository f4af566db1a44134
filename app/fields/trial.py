"""What a person wants of a trial, and the request that it makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from advisor.amounts import duration_s
from advisor.runs.trial.request import TrialRequest
from app.fields.field import Field, FieldShape, Option, asked
from probes.errors import UsageError
from probes.statistics.ranges import Range
from probes.targets.address import TargetSpec

LEAST_BUDGET_S, MOST_BUDGET_S = 60.0, 6 * 3600.0
LEAST_WATCH_S, MOST_WATCH_S = 10.0, 600.0


def _option(names: str, text: str, default: Any = "", **others: Any) -> Any:
    return asked(Field(option=Option(names, text, **others)), default)


def _also_typed(caption: str, hint: str, option: Option, default: Any, tip: str = "") -> Any:
    """What a form of the window asks for, too; ``tip`` where the option's help does not fit it."""
    shape = FieldShape.LINE if hint else FieldShape.SWITCH
    return asked(Field(shape, caption, hint=hint, tip=tip or option.help, option=option), default)


@dataclass(frozen=True, slots=True)
class TrialForm:
    """Every wish as it is typed."""

    values: tuple[str, ...] = _option(
        "--set",
        "A setting and the value to try. Repeated, they are set together, as one change.",
        (),
        metavar="NAME=VALUE",
        repeated=True,
    )
    rule: str = _option(
        "--rule",
        "Try what this rule advises for the target, by its latest run.",
        metavar="RULE",
    )
    budget: str = _also_typed(
        "Time at &most",
        "15 min",
        Option("--budget", "How long it may take at most.", metavar="TIME"),
        "15min",
    )
    worth: str = _also_typed(
        "&Least gain",
        "0 %",
        Option("--worth", "The least gain that is worth keeping, as in 3%.", metavar="PERCENT"),
        "0%",
    )
    watch: str = _option(
        "--watch",
        "How long to look at the server before, to learn how noisy it is.",
        "30s",
        metavar="TIME",
    )
    persist: bool = _also_typed(
        "&Keep it for the next start, too",
        "",
        Option(
            "--persist",
            "Where it is kept, have the server keep it for its next start, too (MySQL 8.0 or "
            "later).",
        ),
        False,
    )
    replicas: tuple[str, ...] = _also_typed(
        "&Replicas",
        "none is guarded",
        Option(
            "--replica",
            "A replica whose lag is guarded, too: a saved name or mysql://[user@]host[:port]. "
            "Repeatable.",
            metavar="TARGET",
            repeated=True,
        ),
        (),
        "Replicas whose lag is guarded, too: saved names or addresses, separated by commas.",
    )
    restart: bool = _also_typed(
        "The server is restarted b&y hand",
        "",
        Option(
            "--restart",
            "You make the change, by a restart of the server: it is looked at before and after, "
            "and nothing is set.",
        ),
        False,
    )
    seed: int = _option("--seed", "Orders the blocks.", 1, metavar="N", kind=int)

    def request(
        self,
        target: TargetSpec,
        advised: Mapping[str, str] | None = None,
        forecast: Range | None = None,
    ) -> TrialRequest:
        """The trial on a target; ``advised`` is what the rule advises. Raises UsageError."""
        wished = dict(advised or {}) | dict(_typed(each) for each in self.values)
        if not wished:
            raise UsageError(
                "A trial tries something: name a setting and its value, or a rule.",
                f"For example leadline try {target.name} --set innodb_io_capacity=1000.",
            )
        return TrialRequest(
            target,
            wished,
            _within(self.budget, LEAST_BUDGET_S, MOST_BUDGET_S, "--budget"),
            _share(self.worth),
            self.rule,
            forecast,
            self.persist,
            self.seed,
            _within(self.watch, LEAST_WATCH_S, MOST_WATCH_S, "--watch"),
            self.restart,
        )


def _typed(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise UsageError(f"{text!r} is no NAME=VALUE.", "For example innodb_io_capacity=1000.")
    return name.strip().lower().replace("-", "_"), value.strip()


def _within(text: str, least_s: float, most_s: float, option: str) -> float:
    found_s = duration_s(text)
    if not least_s <= found_s <= most_s:
        raise UsageError(f"{option} goes from {least_s:.0f} s to {most_s:.0f} s.")
    return found_s


def _share(text: str) -> float:
    try:
        share = float(text.strip().removesuffix("%")) / 100
    except ValueError:
        raise UsageError(f"{text!r} is no share.", "Write it as 3%.") from None
    if not 0 <= share <= 1:
        raise UsageError("--worth goes from 0% to 100%.")
    return share
