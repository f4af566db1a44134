"""Words for a change that is made once: in steps, or by a restart."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import fmean

from advisor.trial.agreement import Agreement, agreement
from advisor.trial.looked import TrialOutcome, like_load_of
from advisor.trial.record import TrialAsked, TrialRecord
from advisor.trial.steps.deciding import BAND, BandFigure, BandLeft
from advisor.trial.steps.like_load import Unlike
from advisor.trial.steps.looks import StepLook, Stepped, followed
from advisor.variables.entry import Follows
from advisor.variables.naming import value_text
from advisor.variables.sheets import SHEETS
from advisor.wording.measured.lab import difference
from probes.figures import duration_us, listed, percent, seconds
from probes.statistics.ranges import Range
from probes.trial.settings import TriedSetting

_FOLLOWED = {
    Follows.MISSES: "page reads per statement",
    Follows.PAGE_WRITES: "page writes per statement",
}

_UNLIKE = {
    Unlike.MIX: "the statements were of other kinds before and after",
    Unlike.LOAD: "the load was another before and after",
    Unlike.RESTLESS: "the server had not come to rest when the time was up",
    Unlike.FEW_STATEMENTS: "the server had too few statements",
}


def followed_text(pages: float, follows: Follows) -> str:
    """``0.42 page reads per statement``."""
    return f"{pages:.3g} {_FOLLOWED[follows]}"


def step_text(one: TriedSetting, number: int) -> str:
    """``Step 2 of 5: innodb_buffer_pool_size from 3.6 GiB to 3.2 GiB``, and a full stop."""
    before = one.path[number - 1] if number else one.old
    at = f"Step {number + 1} of {len(one.path)}: " if len(one.path) > 1 else ""
    return f"{at}{one.name} from {_value(one, before)} to {_value(one, one.path[number])}."


def band_text(left: BandLeft) -> str:
    """What has left its band."""
    match left.figure:
        case BandFigure.PAGES:
            return f"{left.seen:.3g} pages per statement, more than {left.most:.3g}"
        case BandFigure.P95:
            name = "the 95th percentile of statements' times is"
        case BandFigure.TIME:
            name = "a statement takes"
    return f"{name} {duration_us(left.seen)}, more than {duration_us(left.most)}"


def sets_text(asked: TrialAsked) -> str:
    """The sizes that a change goes through."""
    (one,) = (each for each in asked.settings if each.path)
    sizes = ", then ".join(_value(one, each) for each in one.path)
    return f"SET GLOBAL {one.name} = {sizes} (now {_value(one, one.old)})."


def looks_text(asked: TrialAsked, look_s: float) -> str:
    """How the server is looked at."""
    (one,) = (each for each in asked.settings if each.path)
    in_steps = SHEETS[one.name].in_steps
    what = _FOLLOWED[in_steps.follows] if in_steps is not None else ""
    many = "each step" if len(one.path) > 1 else "the change"
    return (
        f"{seconds(look_s)} before, and {seconds(look_s)} or more after {many}, until {what} are "
        "flat."
    )


COMPARES = (
    "the time per statement at equal mix and like load. A change that is made once can agree with "
    "a forecast; it is no proof of it."
)


def kept_text(asked: TrialAsked) -> str:
    """When the value stays."""
    (one,) = (each for each in asked.settings if each.path)
    if int(one.new) > int(one.old):
        better = f"by {percent(asked.worth)} or more, " if asked.worth else ""
        return (
            f"where statements surely take less time after it, {better}else the old value comes "
            "back."
        )
    return (
        "at the last size at which pages per statement and the 95th percentile of statements' "
        f"times stay within {percent(BAND - 1)} of the highest before. At the first that does not, "
        "it goes back one step."
    )


def forecast_text(forecast: Range | None) -> str:
    """What is forecast, before it starts."""
    if forecast is None:
        return "none: no run of this target has seen it at work (`leadline watch` does)."
    return f"{difference(forecast)} in the same time."


def restart_lines(asked: TrialAsked, look_s: float) -> tuple[tuple[str, str], ...]:
    """What a person does by a restart, and what is looked at here: headings and sentences."""
    lines = listed([f"{each.name} = {each.new} (now {each.old})" for each in asked.settings])
    return (
        ("Sets", f"nothing. You write {lines} into the option file, and restart the server."),
        (
            "Looks",
            f"{seconds(look_s)} before, and {seconds(look_s)} or more after the restart, until "
            f"{_FOLLOWED[Follows.MISSES]} are flat.",
        ),
        ("Compares", COMPARES),
        ("Forecast", forecast_text(asked.forecast)),
        ("Time", f"{seconds(asked.budget_s)} at most, the wait for the restart among it."),
    )


def stepped_headline(record: TrialRecord, outcome: TrialOutcome, change: str) -> str:
    """The answer in one sentence; ``change`` is what was changed."""
    stepped = record.stepped
    (one, *_) = record.asked.tried
    became = f" The time per statement is {difference(outcome.times)}." if outcome.times else ""
    if stepped is not None and stepped.restart:
        return f"After the restart: {change}.{became}"
    if stepped is None or not stepped.kept or stepped.kept == one.new:
        return f"Kept: {change}.{became}"
    kept, old = _value(one, stepped.kept), _value(one, one.old)
    return f"Kept at {kept}: {one.name} was {old}. The next step left the band.{became}"


def stepped_rows(stepped: Stepped, settings: tuple[TriedSetting, ...]) -> Iterator[tuple[str, str]]:
    """What each look saw, and whether before and after can be compared."""
    one = settings[0]
    for look in stepped.looks:
        pages = fmean(followed(each, stepped.follows) for each in look.stretches)
        what = followed_text(pages, stepped.follows)
        yield _value(one, look.value), what + _rested(look)
    found = like_load_of(stepped)
    if found.unlike is not None and len(stepped.looks) > 1:
        yield "compared", f"it can't be decided: {_UNLIKE[found.unlike]}"
    elif found.load:
        came = difference(Range.exact(math.exp(found.load)))
        yield "load", f"{came} statements came than the time explains; that is taken out"


def _rested(look: StepLook) -> str:
    if look.rest_s is None:
        return ", still moving when the time was up"
    return f", flat {seconds(round(look.rest_s))} after the change" if look.rest_s else ""


def _value(one: TriedSetting, value: str) -> str:
    return value_text(one.name, value)


def agreed(gain: Range | None, forecast: Range) -> str:
    """``consistent with the forecast (31 % more; forecast 12 to 40 %)``."""
    came = difference(gain) if gain is not None else "nothing known"
    words = {
        Agreement.CONSISTENT: "consistent with the forecast",
        Agreement.NOT: "not consistent with the forecast",
        Agreement.OPEN: "can't be decided",
    }[agreement(gain, forecast)]
    return f"{words} ({came}; forecast {difference(forecast)})"
