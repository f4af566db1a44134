"""Words for what a trial will do, and why a change is not tried."""

from __future__ import annotations

from advisor.trial.allowed import NotTried, Refusal
from advisor.trial.design import LEAST_PAIRS, Minutes
from advisor.trial.limits import LEAST_LEFT, SWAPPED_BYTES_PER_S
from advisor.trial.record import TrialAsked, TrialDesign, WayBack
from advisor.trial.steps.looks import STRETCHES
from advisor.wording.measured.trial_steps import (
    COMPARES,
    forecast_text,
    kept_text,
    looks_text,
    sets_text,
)
from probes.figures import duration_us, listed, percent, rate, seconds, throughput
from probes.trial.guard import FAR_OVER, TICK_S, WINDOW_S, GuardLimits
from probes.trial.hand import SILENCE_S
from probes.trial.settings import Side
from probes.trial.way_back import IDLE_S

_AGENT = (
    "Leadline's agent on the server's machine sets the old values when this program ends or is "
    f"silent for {SILENCE_S:.0f} s; a second process of it does when the agent is killed"
)
_ON_MACHINE = (WayBack.AGENT, WayBack.AGENT_ALONE)
_WAYS = {
    WayBack.AGENT: f"{_AGENT}, and a connection that waits on the server does when both are.",
    WayBack.AGENT_ALONE: f"{_AGENT}.",
    WayBack.SERVER: (
        "a connection waits on the server, and sets the old values as soon as this program's own "
        f"connection ends, or is silent for {IDLE_S} s."
    ),
    WayBack.NOBODY: (
        "nobody but this program sets the old values: if it is killed or loses the server, the new "
        "ones stay until `leadline try --mend`, or until the server is started again."
    ),
}


GUARD = (
    f"It looks at least {1 / TICK_S:.0f} times a second, and sets the old values at once where a "
    "limit is passed."
)
"""What a guard does, in a sentence; which limits those are comes after it."""


def planned(
    asked: TrialAsked,
    design: TrialDesign,
    limits: GuardLimits,
    way_back: WayBack,
    to_see: tuple[float, Minutes | None],
) -> tuple[tuple[str, str], ...]:
    """What will be done, for people: headings and sentences.

    ``to_see`` is a difference, and the time to see it.
    """
    stepped = any(each.path for each in asked.settings)
    if stepped:
        return (
            ("Sets", sets_text(asked)),
            ("Looks", looks_text(asked, STRETCHES * design.block_s)),
            ("Compares", COMPARES),
            ("Forecast", forecast_text(asked.forecast)),
            ("Kept", kept_text(asked)),
            ("Time", f"{seconds(design.budget_s)} at most."),
            ("Guard", _guard(limits, way_back, switched=False)),
            ("Way back", _WAYS[way_back]),
        )
    statements = listed([f"{each.statement(Side.NEW)} (now {each.old})" for each in asked.tried])
    return (
        ("Sets", f"{statements}."),
        (
            "Blocks",
            f"{seconds(design.block_s)} each, after {seconds(design.settle_s)} to settle; old and "
            f"new in pairs, each pair's order drawn (seed {design.seed}).",
        ),
        ("Compares", "the time per statement at equal mix; p95 and commits beside it."),
        ("Kept", _test(asked)),
        ("Time", _time(design, *to_see)),
        ("Guard", _guard(limits, way_back, switched=True)),
        ("Way back", _WAYS[way_back]),
    )


def _test(asked: TrialAsked) -> str:
    better = f"by {percent(asked.worth)} or more" if asked.worth else "at all"
    return (
        f"where it is surely better {better}, after {LEAST_PAIRS} pairs at the earliest. In "
        "every other case the old values come back."
    )


def _time(design: TrialDesign, difference: float, minutes: Minutes | None) -> str:
    """How long it takes to see what is asked for, or that it can't be seen."""
    shows = (
        f" In {seconds(design.budget_s)} this server can show {percent(design.shows)}."
        if design.shows is not None
        else ""
    )
    wanted = percent(difference)
    if minutes is None:
        least = percent(design.shows_in_hour) if design.shows_in_hour is not None else wanted
        return f"this server is too noisy to see less than {least} in an hour.{shows}"
    low, high = seconds(round(minutes.low_s)), seconds(round(minutes.high_s))
    span = low if low == high else f"{low} to {high}"
    beyond = (
        "" if minutes.high_s <= design.budget_s else f" The budget may be too short for {wanted}."
    )
    return f"{span} for a difference of {wanted}.{shows}{beyond}"


def _guard(limits: GuardLimits, way_back: WayBack, *, switched: bool) -> str:
    machine = (
        f" On its machine: when less than {percent(LEAST_LEFT)} of the memory, or of a volume of "
        "the server's, is left (or half of what there is now), or "
        f"{throughput(SWAPPED_BYTES_PER_S)} go to swap."
    )
    again = (
        f" Time, threads and row locks below {FAR_OVER:.0f} times their limit may be a neighbour's "
        "doing: the trial goes on after that, once more often than the old values pass one."
        if switched
        else ""
    )
    return (
        f"{GUARD} One is passed when, over {seconds(WINDOW_S)}, a statement takes more than "
        f"{duration_us(limits.time_us)}, more than {limits.threads_running:.0f} threads are at "
        f"work, more than {limits.row_lock_waits:.0f} row locks are waited for, less than "
        f"{rate(limits.statements_per_s, 'statements')} are done while threads wait, more than "
        f"{rate(limits.errors_per_s, 'statements')} fail, more than "
        f"{rate(limits.aborted_per_s, 'connections')} are cut or refused, or the server does not "
        f"answer.{machine if way_back in _ON_MACHINE else ''}{again}"
    )


def refusal(found: Refusal) -> tuple[str, str]:
    """Why a change is not tried, and what to do instead."""
    sentence, advice = _REFUSALS[found.why]
    named = {"name": found.name, "value": found.value, "than": found.than}
    return sentence.format(**named), advice.format(**named)


_LAB = "`leadline lab` tries it on throwaway servers."

_REFUSALS = {
    NotTried.UNKNOWN: (
        "Leadline does not know what {name} does: it is not tried on a live server.",
        "`leadline variables` lists what it knows.",
    ),
    NotTried.MISSING: ("This server has no setting {name}.", ""),
    NotTried.NEVER: (
        "{name} decides what survives a crash, or how data lie on the drive: it is never tried on "
        "a live server.",
        _LAB,
    ),
    NotTried.RESTART: (
        "{name} needs a restart on this server: it can't be switched.",
        "With --restart you restart it, and Leadline looks before and after. " + _LAB,
    ),
    NotTried.ALONE: (
        "{name} is changed in steps, and so not together with another setting.",
        "Try one after the other.",
    ),
    NotTried.HIDDEN: (
        "{name} shows {value}, and the server has {than}: it could not be taken back.",
        "Set it to what the server has, first: SET GLOBAL {name} = {than}.",
    ),
    NotTried.SLOW: (
        "{name} is not among the settings that a trial switches: those act on the whole server "
        "within a minute, and touch neither durability nor files.",
        _LAB,
    ),
    NotTried.IGNORED: ("This server has {name} and does nothing with it.", ""),
    NotTried.SAME: ("{name} is {value} already.", ""),
    NotTried.NO_VALUE: (
        "{value} is no value of {name}.",
        "`leadline variables {name}` shows those that are.",
    ),
    NotTried.OUT_OF_RANGE: ("{name} = {value} is out of its range: it takes {than}.", ""),
    NotTried.ROUNDED: ("{name} takes multiples of {than}: {value} would be rounded.", ""),
    NotTried.LOSES: (
        "{name} = {value} may lose commits: durability is never tried on a live server.",
        "",
    ),
    NotTried.ABOVE: (
        "{name} = {value} would cross {than}, and the server would then change one of them, too.",
        "Try both together: --set {name}={value} --set {than}=VALUE.",
    ),
}
