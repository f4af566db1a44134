"""Why questions are open, and why points are not trusted, as parts of sentences."""

from __future__ import annotations

from advisor.run import RunState
from advisor.undecided import CutShort, Doubted, Mostly, WhyOpen
from advisor.why import Lacks
from advisor.wording.advice import why
from advisor.wording.measured import doubts
from probes.figures import count, counted

_CUT_SHORT = {
    RunState.CANCELLED: "the run was cancelled",
    RunState.INTERRUPTED: "the run was interrupted",
    RunState.FAILED: "the run failed",
}


def because(found: WhyOpen) -> str:
    """What keeps most questions open, without a full stop."""
    match found:
        case CutShort():
            return f"{_CUT_SHORT[found.state]} after {counted(found.points, 'point')}"
        case Doubted():
            return doubted(found)
        case Mostly():
            return _mostly(found)


def doubted(found: Doubted) -> str:
    """``51 of 51 points are doubtful, at worst because the host gave 40 % ...``, no full stop."""
    verb = "is" if found.points == 1 else "are"
    of = f"{found.doubted} of {counted(found.points, 'point')}"
    doubtful = f"{of} {verb} doubtful"
    if found.rejected == found.doubted:
        doubtful = f"{of} can't be trusted"
    elif found.rejected:
        doubtful += f" or can't be trusted ({found.rejected})"
    if found.worst is None:
        return doubtful
    return f"{doubtful}, at worst because {doubts.clause(found.worst)}"


def _mostly(found: Mostly) -> str:
    """A clause of what is lacking; another reason stands as it is, behind a colon."""
    of = f"for {count(found.rules)} of the {count(found.others)} others"
    if isinstance(found.why, Lacks):
        text, before = why.because(found.why.absence), f"{of}, "
    else:
        text, before = why.reason(found.why, ""), f"{of}: "
    return text if found.alone else before + text
