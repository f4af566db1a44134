"""How busy the server is inside: queries at work, background reads, and a load that is to come."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import Fact, given
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.status import SHOW_STATUS
from advisor.facts.server.variables import users_window
from probes import figures
from probes.inventory.facts import StatusWindow, figure
from probes.mysql.standby import at_work

READ_AHEAD = ("Innodb_buffer_pool_read_ahead", "Innodb_buffer_pool_read_ahead_rnd")


@given(users_window)
def _running(case: Case, window: StatusWindow) -> Reading | Absent:
    """Read what was at work at both ends of the window: one sample alone may be a moment's peak."""
    if window.averaged:
        return Absent("how many are at work takes two statuses that lie minutes apart at most")
    before, after = (
        figure(sample.get("Threads_running")) for sample in (window.before, window.after)
    )
    if before is None or after is None:
        return Absent("the server did not report Threads_running")
    running = at_work(min(before, after), _standby(case))
    return Reading(
        running, f"{figures.count(running)}{figures.THIN}at work at both ends of the status window"
    )


def _standby(case: Case) -> float:
    """How many more threads count as running and do no query, less appliers that do not count."""
    mysql, watched = case.inventory.mysql, case.inventory.watched
    if watched is not None:
        return watched.standby - watched.applying
    return float(mysql is not None and mysql.scheduler_runs)


@given(users_window)
def _background_reads(_: Case, window: StatusWindow) -> Reading | Absent:
    rates = [rate for name in READ_AHEAD if (rate := window.per_s(name)) is not None]
    if not rates:
        return Absent("the server did not report its read-ahead over the status window")
    return Reading(sum(rates), f"{figures.rate(sum(rates), 'pages')} of read-ahead")


def _ahead(case: Case) -> Reading | Absent:
    if not case.load_ahead:
        return Absent("the server's counters are of its usual load")
    return Reading(case.load_ahead, f"another one, because {case.load_ahead}")


def _flushing_asked(case: Case) -> Reading | Absent:
    asked = case.flushing_asked
    if asked is None:
        return Absent("no load was seen before the one to come")
    return Reading(asked, "it asked for more than is planned" if asked else "it asked for no more")


LOAD_AHEAD = Fact(
    "load.ahead",
    str,
    "text",
    "what load is to come where the counters do not show it",
    "the plan of changes, or a server that is not there yet",
    _ahead,
)
LOAD_FLUSHING_ASKED = Fact(
    "load.flushing_asked",
    bool,
    "yes/no",
    "whether the load until now asked for more flushing than is planned",
    "the plan of changes, from the page writes and the checkpoint age before it",
    _flushing_asked,
)
LOAD_RUNNING = Fact(
    "load.running",
    float,
    "connections",
    "how many connections are at work all the time",
    SHOW_STATUS,
    _running,
)
LOAD_BACKGROUND_READS = Fact(
    "load.background_reads",
    float,
    "pages/s",
    "how many pages are read ahead in the background",
    SHOW_STATUS,
    _background_reads,
)
