"""Why a rule gave no verdict, and why a fact is not there, as values.

``advisor.wording.advice.why`` makes the sentences. A plain ``str`` is a rule's or a reader's own
sentence: it is shown as it stands, and nobody looks into it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum

from advisor.tried import Pinned
from advisor.variables.managed import KeptByService
from probes.doubts import Doubt


class Unseen(Enum):
    """What nobody looked at or stated, so that facts about it are not there."""

    NO_SERVER = "no_server"
    OUR_SERVER = "our_server"
    """The server that was measured is Leadline's own."""

    NO_HOST = "no_host"
    NO_CLASS = "no_class"
    """Nor was the machine's class stated."""

    NO_VOLUME = "no_volume"
    """Nor what the volume was bought with; the next two are a part of that."""

    NO_REQUESTS = "no_requests"
    NO_THROUGHPUT = "no_throughput"


@dataclass(frozen=True, slots=True)
class Untrusted:
    """All points that would tell it are rejected, for these doubts."""

    doubts: tuple[Doubt, ...]


Absence = Unseen | Untrusted | str
"""Why a fact is not there; a text are the words after "because", without a full stop."""


@dataclass(frozen=True, slots=True)
class Lacks:
    """A fact that a rule needs is not there; ``fact`` is its name."""

    fact: str
    absence: Absence


@dataclass(frozen=True, slots=True)
class OtherServer:
    """The rule speaks about other servers: ``spoken`` of; ``version`` is this one's."""

    spoken: tuple[str, ...]
    version: str


@dataclass(frozen=True, slots=True)
class RiskBeside:
    """It would be fine, but a risk to the data speaks against it; ``title`` is that rule's."""

    title: str


@dataclass(frozen=True, slots=True)
class RuleFailed:
    """The rule has a fault: what it raised, and the text of that."""

    error: str
    text: str


class Ends(StrEnum):
    """How a rule may end over draws of its figures."""

    RECOMMEND = "recommend"
    WATCH = "watch"
    FINE = "fine"
    SILENT = "not judged"
    INAPPLICABLE = "not applicable"


@dataclass(frozen=True, slots=True)
class TurnsOn:
    """The answer is open: ``fact`` decides, and ``shares`` (0..1) of its draws end each way.

    The most frequent end is first.
    """

    fact: str
    shares: tuple[tuple[Ends, float], ...]


Why = Lacks | KeptByService | OtherServer | Pinned | RiskBeside | RuleFailed | TurnsOn | str
