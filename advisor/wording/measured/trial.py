"""Words for what came of a trial."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.trial.looked import TrialOutcome, like_load_of
from advisor.trial.passings import Passing
from advisor.trial.record import PairLeftOut, TrialEnd, TrialRecord, TrialVerdict, WayBack
from advisor.wording.measured.lab import difference
from advisor.wording.measured.trial_steps import agreed, stepped_headline, stepped_rows
from probes.figures import count, counted, duration_us, listed, seconds
from probes.trial.ended import Break

_LEFT_OUT = {
    PairLeftOut.MIX: "the statements were of other kinds",
    PairLeftOut.OTHER_SETTING: "another setting was changed",
    PairLeftOut.TABLE_WORK: "tables were altered or locked",
    PairLeftOut.FEW_STATEMENTS: "too few statements were seen at work",
    PairLeftOut.UNSETTLED: "the value still moved within the blocks",
    PairLeftOut.LIMIT: "a limit of the guard was passed",
}

_VERDICTS = {
    TrialVerdict.KEPT: "kept",
    TrialVerdict.BACK: "taken back",
    TrialVerdict.UNDECIDED: "undecided, taken back",
}

_ENDS = {
    TrialEnd.BETTER: "it is surely better",
    TrialEnd.WORSE: "it is surely worse",
    TrialEnd.NO_GAIN: "what it brings is surely less than what is worth a change",
    TrialEnd.HOPELESS: "what was left of the budget would hardly have shown a difference",
    TrialEnd.BUDGET: "the budget is spent, and no difference was shown",
    TrialEnd.STOPPED: "it was stopped",
    TrialEnd.HELD: "misses and times stayed in their band",
    TrialEnd.LEFT_BAND: "misses or times left their band at the first step",
    TrialEnd.UNLIKE: "before and after can't be compared",
    TrialEnd.UNCLEAR: "the difference is no larger than the noise",
}

_BREAKS = {
    Break.REFUSED: "the server did not take the value",
    Break.CHANGED: "the server took another value than it was given, or moved another setting",
    Break.FOREIGN: "somebody else has set what was tried",
    Break.RESTARTED: "the server was started again, or another one answered",
    Break.LOAD_GONE: "the server had hardly anything to do any more",
    Break.MIX_SHIFTED: "what the server was asked for changed from block to block",
    Break.OTHER_WORK: "tables or other settings were changed meanwhile",
    Break.NO_RESTART: "the server was not restarted within the time",
    Break.LOST: "the server, or what held the way back, could not be reached any more",
}

WAYS = {
    WayBack.AGENT: "two processes of the agent, and a connection that waits on the server",
    WayBack.AGENT_ALONE: "two processes of the agent",
    WayBack.SERVER: "a connection that waits on the server",
    WayBack.NOBODY: "this program alone",
}


def what(record: TrialRecord) -> str:
    """``innodb_io_capacity 200 to 1000``."""
    return listed([f"{each.name} {each.old} to {each.new}" for each in record.asked.tried])


def verdict(record: TrialRecord) -> str:
    """For a table."""
    return "cut off" if record.verdict is None else _VERDICTS[record.verdict]


def headline(record: TrialRecord, outcome: TrialOutcome) -> str:
    """The answer in one sentence."""
    change = what(record)
    by_restart = record.stepped is not None and record.stepped.restart
    if by_restart and record.broken is not None:
        return f"{why(record)}: {change}."
    if record.stays and record.broken is not Break.FOREIGN:
        return (
            f"Not back: {change}. {why(record)}, and {listed(record.stays)} could not be set back. "
            "`leadline try --mend` does as soon as the server takes it."
        )
    match record.verdict:
        case TrialVerdict.KEPT if record.stepped is not None:
            return stepped_headline(record, outcome, change)
        case TrialVerdict.KEPT:
            return f"Kept: {change}. The time per statement is {effect(outcome)}."
        case TrialVerdict.BACK | TrialVerdict.UNDECIDED:
            where = "Back" if record.verdict is TrialVerdict.BACK else "Undecided, so back"
            return f"{where}: {change}. {why(record)}{_taken(outcome)}."
    return f"Cut off: {change}.{_taken(outcome)}"


def why(record: TrialRecord) -> str:
    """Why it ended, as a sentence without its full stop."""
    if record.passed is not None:
        text = f"the guard ended it: {record.passed.text()}"
    elif record.broken is not None:
        text = _BREAKS.get(record.broken, "")
        text += f" ({record.detail})" if record.detail else ""
    elif record.ended is not None:
        text = _ENDS[record.ended]
    else:
        text = "it did not come to its end"
    return text[:1].upper() + text[1:]


def effect(outcome: TrialOutcome) -> str:
    """``17 % less (14 to 20 %)``: what became of the time per statement."""
    return difference(outcome.times)


def conditions(record: TrialRecord, outcome: TrialOutcome) -> Iterator[tuple[str, str]]:
    """How sure it is, and how it was made."""
    if outcome.old_us is not None and outcome.new_us is not None:
        old, new = duration_us(outcome.old_us), duration_us(outcome.new_us)
        yield "a statement", f"{old} with the old value, {new} with the new one"
    if outcome.late is not None:
        yield "p95", difference(outcome.late)
    if outcome.commits is not None:
        yield "commits", difference(outcome.commits)
    if record.stepped is not None:
        yield from stepped_rows(record.stepped, record.asked.tried)
    else:
        yield from _blocks(record, outcome)
    for passing in record.passings:
        yield "limit passed", _passing(passing)
    if record.asked.forecast is not None:
        yield "forecast", forecast(record, outcome)
    if record.back_ms is not None:
        yield (
            "way back",
            f"the old values were set {record.back_ms:.0f} ms after the limit was seen",
        )
    if record.stays:
        yield "stays", listed(record.stays)
    if record.verdict is TrialVerdict.KEPT:
        yield "next start", next_start(record)
    if record.stepped is None or not record.stepped.restart:
        yield "held by", WAYS[record.way_back]
    yield "server", record.asked.server


def forecast(record: TrialRecord, outcome: TrialOutcome) -> str:
    """What was forecast, and whether what came agrees with it."""
    forecast_times = record.asked.forecast
    unlike = record.stepped is not None and like_load_of(record.stepped).unlike is not None
    gain = None if unlike else outcome.gain
    return agreed(gain, forecast_times) if forecast_times is not None else ""


def _blocks(record: TrialRecord, outcome: TrialOutcome) -> Iterator[tuple[str, str]]:
    design = record.design
    yield (
        "pairs",
        f"{count(outcome.pairs)}, blocks of {seconds(design.block_s)} after "
        f"{seconds(design.settle_s)} to settle, seed {design.seed}",
    )
    if reasons := _left_out(record):
        yield "left out", reasons


def _passing(passing: Passing) -> str:
    old = "passed one, too" if passing.old_too else "passed none"
    return (
        f"{passing.passed.text()}, in pair {passing.pair + 1}; the old values were set within "
        f"{passing.back_ms:.0f} ms, and {old} in the seconds after it"
    )


def _taken(outcome: TrialOutcome) -> str:
    if outcome.times is None:
        return ""
    return f"; the time per statement was {effect(outcome)}"


def _left_out(record: TrialRecord) -> str:
    reasons = [pair.left_out for pair in record.pairs if pair.left_out is not None]
    return listed(
        [
            f"{counted(reasons.count(each), 'pair')} ({_LEFT_OUT[each]})"
            for each in dict.fromkeys(reasons)
        ]
    )


def next_start(record: TrialRecord) -> str:
    """Whether the server's next start keeps the new value, and what makes it."""
    if record.persisted:
        return "the server keeps it"
    if record.stepped is not None and record.stepped.restart:
        return "the option file has it"
    kept = record.stepped.kept if record.stepped is not None else ""
    lines = listed([f"{each.name} = {kept or each.new}" for each in record.asked.tried])
    return f"write it into the option file, or it is lost: {lines}"
