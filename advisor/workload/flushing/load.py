"""What the flushing rules share: what the drive sustains, and what the server writes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from advisor.facts.measured.points import (
    CURVE_RANDOM_WRITE_PAGE,
    FLUSH_DOUBLEWRITE,
    MIXED_CEILING,
    MIXED_SLOWER,
)
from advisor.facts.server.load import LOAD_AHEAD, LOAD_FLUSHING_ASKED
from advisor.facts.server.status import status
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.facts.watched.volumes import VOLUME_LONG_WRITE
from advisor.facts.watched.watch import WATCH_PAGES_WRITTEN
from advisor.model.curves.knee import Knee, knee
from advisor.model.server.round_figures import round_down, round_up
from advisor.rulekit import At, Condition, Facts, Is, Range, per_s
from advisor.variables.catalogue import MARIADB, MYSQL, has_one_pool, span
from advisor.variables.standing import Standing
from advisor.workload.flushing.checkpoint import BEHIND, checkpoint_age, flushing_behind
from advisor.workload.flushing.doublewrite_use import in_one_area, in_own_files
from advisor.workload.pool_instances import INSTANCES, SIZE, pool_instances
from probes import figures
from probes.points import Point
from probes.version import ServerVersion

LOWEST = 100
"""No server accepts an io_capacity below this."""

SMALL = 200
"""The smallest default of any version: on the slowest drive a lower plan brings nothing."""

QUIET = 100
"""Fewer page writes per second than this say nothing about what a server needs."""

OF_DRIVE = 0.25
"""A server hardly writes with fewer than ``QUIET`` pages, and less than this share of what its
drive flushes (our choice)."""

LOW_AGE = 0.5
"""Below this share of its limit the checkpoint age has room: limits of half the eagerness let it
grow to some 1.6 times, for what adaptive flushing asks grows with its power of 1.5."""

HARDLY = "Fine as it is: so few pages are written that it makes no difference."
WRITES_MORE = "the server writes many more pages: check it under load"

AMPLE = 5000
"""MySQL on flash keeps up with this in every published run; more needs a reason."""

CALM = 1000.0
"""No plan is lowered below this on a drive that gives it: it also paces the load of the pool after
a start and merges of the change buffer. Our choice."""

MORE_CLEANERS = 1.25
"""Page cleaners other than those that were measured, and chance, may give this much more."""

NEEDED = 1.5
"""The plan stays this many times what the server writes, where it may write no more than planned:
on MySQL 5.5. Every later server goes beyond it, up to innodb_io_capacity_max (our choice)."""

BEYOND = 2.0
"""A server that writes this many times its limit does so in ways that the limit does not rule: LRU
and single-page flushing. Our choice."""

PACED = 0.8
"""A server that writes this share of its plan may be held to it (our choice)."""

FULL = 0.8
"""From this share of its page writes on, the drive has no reserve for a burst."""

WRITE_CPU_US = Range(90.0, 30.0, 300.0)
"""What a page write takes of a processor, with its copy for doublewrite. On a small virtual machine
30 µs of MySQL 9.7's own threads, 60 to 80 of 5.6.14's, 140 to 230 µs of 8.0.33's, in batches of 4
pages with a sync each, and up to 350 µs with the kernel's; figure and range are our choice."""

MARIADB_WRITE_CPU_US = Range(30.0, 12.0, 90.0)
"""The same of MariaDB from 10.5 on, which writes its copies in batches of some 120 pages: all of
10.11's threads but its connections' took 13 and 22 µs for a page, the kernel's 8 and 10, at 2,300
and 1,700 pages a second on such a machine. The range is our choice."""

ONCE = {"OFF", "0", "DETECT_ONLY"}
"""Values of innodb_doublewrite with which a page's contents are written once."""

NEEDS = (MYSQL_VERSION, CURVE_RANDOM_WRITE_PAGE)

OWN_WAY = (FLUSH_DOUBLEWRITE, variable("innodb_doublewrite"))

USES = (
    *OWN_WAY,
    INSTANCES,
    SIZE,
    status("Innodb_pages_written"),
    *BEHIND,
    MIXED_CEILING,
    MIXED_SLOWER,
    VOLUME_LONG_WRITE,
    WATCH_PAGES_WRITTEN,
    LOAD_AHEAD,
    LOAD_FLUSHING_ASKED,
)

WRITING = (CURVE_RANDOM_WRITE_PAGE, *USES)

PAGES = per_s("pages")
WRITES = "server's write rate"


def write_cpu_of(version: ServerVersion) -> Range:
    """What a page write takes of a processor where nobody measured it."""
    late = version.at_least(MARIADB, 10, 5)
    return MARIADB_WRITE_CPU_US if late else WRITE_CPU_US


@dataclass(frozen=True, slots=True)
class FlushLoad:
    """Page writes: the drive's and the server's.

    ``bend`` is the knee of the drive's write curve, ``flushed_per_s`` what flushing gave when it
    was measured in the server's own way of doublewrite, None where it was not. ``twice`` is
    whether each page is written a second time. ``written`` are the server's pages per second, None
    without a window. ``tolerated_per_s`` is the rate beside which reads and commits keep their
    latency, None where that is not known, ``needed_per_s`` what has to be planned with whatever
    they tolerate. ``behind`` says in words why flushing does not keep up, "" when it does. The
    server multiplies its limits by ``ways``. ``roomy`` is whether the checkpoint age is known to be
    low, ``unseen`` whether what will be written is about to change on a server that has run.
    ``lasting_per_s`` is what a long write fell to, in pages, None where none fell; ``slower_per_s``
    the lowest rate at which reads or commits were slower, None where none was.
    """

    bend: Knee
    twice: bool
    flushed_per_s: float | None
    written: Range | None
    behind: str
    ways: int
    tolerated_per_s: float | None
    needed_per_s: float
    roomy: bool = False
    unseen: bool = False
    lasting_per_s: float | None = None
    slower_per_s: float | None = None

    @property
    def written_per_s(self) -> float | None:
        """The server's page writes, None without a window."""
        return None if self.written is None else self.written.value

    @property
    def ceiling_per_s(self) -> float:
        """No plan above this can be fulfilled: the knee, and what flushing gave and a quarter."""
        flushed = self.flushed_per_s
        most = self.bend.rate_per_s
        if flushed is not None:
            most = min(most, MORE_CLEANERS * flushed)
        return max(self._lasting(most), LOWEST * self.ways)

    def _lasting(self, most_per_s: float) -> float:
        """What the drive goes on giving of a rate, once its cache or credit is used up."""
        return most_per_s if self.lasting_per_s is None else min(most_per_s, self.lasting_per_s)

    @property
    def budget_per_s(self) -> float:
        """What is left for pages: as measured, else half of the knee while each goes out twice."""
        knee_per_s = self.bend.rate_per_s
        if self.flushed_per_s is not None:
            most = min(knee_per_s, self.flushed_per_s)
        else:
            most = knee_per_s / (2 if self.twice else 1)
        return max(self._lasting(most), LOWEST * self.ways)

    @property
    def full(self) -> Condition:
        """Whether the server writes so much that the drive has no reserve."""
        if self.written is None:
            return Is(False, "")
        return At(WRITES, self.written, least=FULL * self.budget_per_s, say=PAGES)

    @property
    def hardly_writes(self) -> Condition:
        """Whether the server writes next to nothing, on a drive that could write far more."""
        if self.written is None:
            return Is(False, "")
        least = min(QUIET, OF_DRIVE * self.budget_per_s)
        return At(WRITES, self.written, below=least, say=PAGES)

    @property
    def drive(self) -> str:
        """What the drive sustains and what the server writes, in words."""
        more = "" if self.bend.reached else ", limit not reached"
        text = (
            f"this drive sustains {figures.rate(self.bend.rate_per_s, 'page writes')} "
            f"at its knee ({figures.counted(self.bend.threads, 'thread')}{more})"
        )
        if self.flushed_per_s is not None:
            flushed = figures.rate(self.flushed_per_s, "pages")
            text += f" and flushes {flushed} with this server's doublewrite"
        if self.lasting_per_s is not None:
            text += f", a long write falls to {figures.rate(self.lasting_per_s, 'pages')}"
        if self.written is not None:
            text += f", and the server writes {_written(self.written)}"
        return text

    @property
    def figures(self) -> str:
        """What the drive gives and what is left for pages, as parts of a formula."""
        at_knee = f"knee = {figures.count(self.bend.rate_per_s)} page writes/s"
        if self.flushed_per_s is not None:
            return f"{at_knee}; flushed = {figures.count(self.flushed_per_s)} pages/s"
        beside = " beside doublewrite" if self.twice else ""
        return f"{at_knee}; budget = {figures.count(self.budget_per_s)} pages/s{beside}"

    @property
    def demand_per_s(self) -> float | None:
        """The server's page writes, None in a window too quiet to tell what it needs."""
        busy = self.written_per_s is not None and self.written_per_s >= QUIET
        return self.written_per_s if busy else None

    def keeps_up(self, room: float, least: float, within_per_s: float) -> int:
        """Give the lowest round setting with ``room`` times the server's writes, within a rate."""
        wanted = max(least, room * (self.written_per_s or 0.0))
        most = round_down(within_per_s / self.ways)
        return max(LOWEST, min(round_up(wanted / self.ways), most))

    @property
    def room_per_s(self) -> float:
        """The highest plan: what the drive sustains, and reads and commits tolerate."""
        if self.tolerated_per_s is None:
            return self.budget_per_s
        return min(self.budget_per_s, self.tolerated_or_needed_per_s)

    @property
    def tolerated_or_needed_per_s(self) -> float:
        """What reads and commits tolerate, but never less than has to be planned."""
        # Never below what is written, nor below what any server may plan on such a drive.
        least = max(
            self.needed_per_s, min(max(CALM, self.written_per_s or 0.0), self.ceiling_per_s)
        )
        return max(self.tolerated_per_s or 0.0, least, LOWEST * self.ways)

    @property
    def harmless_per_s(self) -> float:
        """The page writes beside which nothing gets slower: as measured, else all that is left."""
        budget, tolerated = self.budget_per_s, self.tolerated_per_s
        return budget if tolerated is None else min(budget, tolerated)

    @property
    def most(self) -> int:
        """The highest round limit, of each instance, that the drive fulfils."""
        return max(LOWEST, round_down(self.ceiling_per_s / self.ways))

    def planned(self, setting: Standing) -> str:
        """Say a setting as the exact figure that it is."""
        times = f" for each of {self.ways} instances" if self.ways > 1 else ""
        return f"{figures.count(setting.number)}{figures.THIN}pages/s{times}"


def most_ever_useful(version: ServerVersion) -> float:
    """The innodb_io_capacity above which a version needs a reason; infinite before MySQL 5.7."""
    known = span(version, "innodb_io_capacity")
    if not version.at_least(MYSQL, 5, 7):
        return math.inf
    return max(AMPLE, float(known.default or 0) if known else 0)


def goes_beyond(version: ServerVersion) -> bool:
    """Whether flushing exceeds innodb_io_capacity, up to innodb_io_capacity_max, when it has to."""
    return not version.before(MYSQL, 5, 6)


def flush_load(facts: Facts) -> FlushLoad:
    """Read both sides."""
    own = own_way(facts)
    written = pages_written(facts)
    beyond = goes_beyond(facts.get(MYSQL_VERSION))
    return FlushLoad(
        bend=knee(facts.get(CURVE_RANDOM_WRITE_PAGE)),
        twice=not writes_once(facts),
        flushed_per_s=None if own is None else own.rate_per_s,
        written=written,
        behind=flushing_behind(facts),
        ways=flush_ways(facts),
        tolerated_per_s=facts.find(MIXED_CEILING),
        slower_per_s=facts.find(MIXED_SLOWER),
        needed_per_s=0.0 if beyond else NEEDED * (0.0 if written is None else written.value),
        roomy=_roomy(facts),
        unseen=unseen(facts),
        lasting_per_s=_lasting(facts),
    )


def _roomy(facts: Facts) -> bool:
    age = checkpoint_age(facts)
    return age is not None and not age.at_least(LOW_AGE)


def reached_by_none(facts: Facts, harmless_per_s: float) -> bool:
    """Whether nobody feels a limit on flushing: what is written harms nothing, and is in time.

    Beside ``harmless_per_s`` page writes nothing gets slower. The rule declares ``USES``.
    """
    written = pages_written(facts)
    if written is None or not _roomy(facts) or flushing_behind(facts):
        return False
    return written.value < FULL * harmless_per_s


def _lasting(facts: Facts) -> float | None:
    """What a long write fell to, in pages of the measured size."""
    write = facts.find(VOLUME_LONG_WRITE)
    if write is None or write.fall is None:
        return None
    page_bytes = facts.get(CURVE_RANDOM_WRITE_PAGE).peak.setting.block_size_bytes
    return write.fall[1].rate_per_s * write.block_bytes / page_bytes


def hardly_writes(facts: Facts) -> bool:
    """Whether the server writes next to nothing; the rule declares ``WRITING``."""
    written = pages_written(facts)
    if written is None or written.value >= QUIET:
        return False
    return facts.find(CURVE_RANDOM_WRITE_PAGE) is None or bool(flush_load(facts).hardly_writes)


def unseen(facts: Facts) -> bool:
    """Whether a server that has run is about to write other than it did: nobody has seen how."""
    return facts.find(LOAD_AHEAD) is not None and facts.find(LOAD_FLUSHING_ASKED) is not None


def full_drive(facts: Facts) -> FlushLoad | None:
    """Read both sides where the drive has no page writes to spare, None where it has or may have.

    The rule declares ``USES`` and the write curve.
    """
    if facts.find(CURVE_RANDOM_WRITE_PAGE) is None:
        return None
    load = flush_load(facts)
    return load if load.full else None


def own_way(facts: Facts) -> Point | None:
    """Choose the measured way of flushing that is this server's.

    None where it was not measured, or nobody measures it: the areas of Percona Server.
    """
    price = facts.find(FLUSH_DOUBLEWRITE)
    if price is None:
        return None
    if writes_once(facts):
        return price.off
    version = facts.get(MYSQL_VERSION)
    if in_own_files(version):
        return price.on
    return price.legacy if in_one_area(version) else None


def writes_once(facts: Facts) -> bool:
    """Whether doublewrite does not write a page's contents a second time."""
    doublewrite = facts.find(variable("innodb_doublewrite"))
    return doublewrite is not None and doublewrite.value.upper() in ONCE


def flush_ways(facts: Facts) -> int:
    """MySQL 5.6 gives the limit to each buffer pool instance; every other version shares it."""
    version = facts.get(MYSQL_VERSION)
    if not (version.at_least(MYSQL, 5, 6) and version.before(MYSQL, 5, 7)):
        return 1
    return pool_instances(facts)


def lru_lists(facts: Facts) -> int:
    """Tell how many LRU lists there are; MariaDB has worked on one since 10.5.1."""
    version = facts.get(MYSQL_VERSION)
    return 1 if has_one_pool(version) else pool_instances(facts)


def keeps_reserve(facts: Facts) -> bool:
    """Whether innodb_lru_scan_depth is a reserve of free pages, not what is freed once a second.

    MariaDB's page cleaner has not waited for the second since 10.5.7.
    """
    return facts.get(MYSQL_VERSION).at_least(MARIADB, 10, 5, 7)


def pages_written(facts: Facts) -> Range | None:
    """Give the watch's rate with its interval, else that of the window's two ends."""
    watched, counted = facts.find(WATCH_PAGES_WRITTEN), facts.find(status("Innodb_pages_written"))
    if watched is not None or counted is None:
        return watched
    return Range.exact(counted)


def _written(pages: Range) -> str:
    exact = pages.low == pages.high
    return PAGES(pages.value) if exact else pages.text(PAGES)
