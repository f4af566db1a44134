"""Why a rule gave no verdict, as a sentence."""

from __future__ import annotations

from advisor.facts.catalogue import CATALOGUE
from advisor.tried import Pinned
from advisor.variables.managed import Kept, KeptByService, service_named
from advisor.why import (
    Absence,
    Ends,
    Lacks,
    OtherServer,
    RiskBeside,
    RuleFailed,
    TurnsOn,
    Unseen,
    Untrusted,
    Why,
)
from advisor.wording.measured import doubts
from probes.figures import listed, percent
from probes.kinds.words import capital

MOST_DOUBTS = 3
"""At most this many reasons are given."""

_NO_HOST = "the host can't be looked at"

_UNSEEN = {
    Unseen.NO_SERVER: "no server was looked at",
    Unseen.OUR_SERVER: "the server that was measured is Leadline's own, so it says nothing about "
    "yours",
    Unseen.NO_HOST: _NO_HOST,
    Unseen.NO_CLASS: f"{_NO_HOST}, and the machine's class was not said",
    Unseen.NO_VOLUME: f"{_NO_HOST}, and what the volume was bought with was not said",
    Unseen.NO_REQUESTS: f"{_NO_HOST}, and the rate of requests that its volume was bought with was "
    "not said",
    Unseen.NO_THROUGHPUT: f"{_NO_HOST}, and the throughput that its volume was bought with was not "
    "said",
}

_OWN_STORAGE = "Aurora's own storage"

_KEPT = {
    Kept.SETTING: "{service} sets {setting} itself",
    Kept.FILES: "{service} keeps the server's files to itself: settings are made {place}",
    Kept.MACHINE: "{service} runs the machine and its drives: they can't be looked at or changed",
    Kept.DRIVES: "{service} lets no account measure its drives",
    Kept.NO_NOTICE: f"{_OWN_STORAGE} takes no notice of this setting",
    Kept.NO_PARTS: f"{_OWN_STORAGE} has no redo log files, no doublewrite and no volume",
}

_ENDS = {
    Ends.RECOMMEND: "a change is recommended in",
    Ends.WATCH: "it is to be watched in",
    Ends.FINE: "it is fine in",
    Ends.SILENT: "there is no verdict in",
    Ends.INAPPLICABLE: "it is no question in",
}


def sentence(why: Why) -> str:
    """The whole reason."""
    match why:
        case Lacks():
            return f"Unknown: {meaning(why.fact)}, because {because(why.absence)}."
        case _:
            return reason(why)


def reason(why: Why, end: str = ".") -> str:
    """The same without the fact that is lacking: what it shares with other rules' reasons.

    ``end`` is "" where the sentence goes on.
    """
    match why:
        case Lacks():
            text = capital(because(why.absence))
        case KeptByService():
            text = _kept(why)
        case OtherServer():
            text = f"It applies to {listed(why.spoken)}; the server is {why.version}"
        case RiskBeside():
            text = f"A risk to the data speaks against it: {why.title}"
        case Pinned():
            text = f"{why.setting} is pinned until {why.until}: {why.because}"
        case RuleFailed():
            text = f"The rule failed on this case: {why.error}: {why.text}"
        case TurnsOn():
            text = f"{turns_on(why)} {_shares(why)}"
        case str():
            return why if end else why.removesuffix(".")
    return f"{text}{end}"


def meaning(fact: str) -> str:
    """What a fact is, in words that follow "unknown:"."""
    return CATALOGUE[fact].meaning


def because(absence: Absence) -> str:
    """Why a fact is not there, in words that follow "because", without a full stop."""
    match absence:
        case Unseen():
            return _UNSEEN[absence]
        case Untrusted():
            return f"its points can't be trusted ({_doubts(absence) or 'rejected'})"
        case str():
            return absence


def _doubts(untrusted: Untrusted) -> str:
    """The reasons; of many their kinds, since each point has figures of its own."""
    say = doubts.in_general if len(untrusted.doubts) > MOST_DOUBTS else doubts.sentence
    shown = dict.fromkeys(say(each, "") for each in untrusted.doubts)
    return "; ".join(list(shown)[:MOST_DOUBTS])


def turns_on(why: TurnsOn) -> str:
    """What an open question turns on, as a sentence."""
    return f"It turns on {meaning(why.fact)}."


def _shares(why: TurnsOn) -> str:
    ends = listed([f"{_ENDS[end]} {percent(share)}" for end, share in why.shares])
    return f"Over the ranges of the figures, {ends}"


def _kept(why: KeptByService) -> str:
    service = service_named(why.vendor)
    name, place = ("", "") if service is None else (service.name, service.place)
    return _KEPT[why.what].format(service=name, place=place, setting=why.setting)
