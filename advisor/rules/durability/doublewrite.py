"""Doublewrite, and what torn-page protection costs on this drive.

## What it checks
Whether pages are protected from torn writes, and what share of the drive the second write takes.

## Why it matters
A power cut in the middle of a page write leaves half a page. Doublewrite keeps a whole copy to
repair it from; without it the server may not start again. It doubles the bytes but not the syncs:
copies go out in one large write. Before MySQL 8.0.20 it could cost a fifth to a quarter of the
throughput while I/O-bound, and nothing once the data was cached; from 8.0.20 it has its own
files.

## How it is judged
`cost = page writes per second of the server / page writes per second at the drive's knee`: the
share of the drive that second copies take at most. Where batches of pages were flushed with
and without doublewrite (the page_flush probe), the ratio of both is told with its interval: as
since 8.0.20, or as before on a server that is older.
- ON or DETECT_AND_RECOVER: fine, whatever the cost. It is never advised to switch it off for
  speed.
- OFF: fine on ZFS (it never overwrites a page) where a record is not known to be smaller than a
  page. Watched where the drive, or the cloud for its volume, promises to write a page whole and
  nothing above is known to split it. Else ON is proposed.
- DETECT_ONLY (MySQL 8.0.30+): finds torn pages but can't repair them; ON is proposed.
- `fast` (MariaDB): syncs the copies, but never the data files, not even before a checkpoint counts
  on them; ON is proposed unless the drive syncs within 0.2 ms as one with a protected cache does,
  then it is watched.

## How to check by hand
`SELECT @@innodb_doublewrite;` and `cat /sys/block/*/queue/atomic_write_unit_max_bytes`

## Risk and undo
Switching on has none. MySQL can't change to or from OFF while it runs; MariaDB 11.4 can. On
MariaDB 11 `innodb_flush_method = O_DIRECT_NO_FSYNC` turns ON into `fast` at each start.

## When it is wrong
Without page_flush points the cost is an upper bound: second copies are written in order, page
writes at random.

## References
- MySQL reference manual, "Doublewrite Buffer"; MySQL worklog 5655
- D. Kravtchuk, "8.0 GA and IO-bound TPCC" and "MySQL 8.0: new double write"
- OpenZFS, "Workload Tuning"; Linux kernel documentation, atomic writes on ext4
- MariaDB MDEV-33545
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import (
    CURVE_RANDOM_WRITE_PAGE,
    FLUSH_DOUBLEWRITE,
    HOST_PLATFORM,
    MYSQL_VERSION,
    REDO_FDATASYNC,
    STORAGE_DATA,
    status,
    variable,
)
from advisor.model.knee import knee
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.catalogue import MYSQL
from advisor.variables.standing import Standing
from probes import figures
from probes.inventory.torn_write import TornWrite, Whole, read_torn_write
from probes.version import ServerVersion

SETTING = "innodb_doublewrite"
PAGE = 16384
PROTECTED_US = 200
ON = {"ON", "1", "YES", "TRUE", "DETECT_AND_RECOVER"}


@rule(
    topic="Doublewrite",
    needs=(MYSQL_VERSION,),
    uses=(
        variable("innodb_doublewrite"),
        variable("innodb_page_size"),
        status("Innodb_pages_written"),
        CURVE_RANDOM_WRITE_PAGE,
        FLUSH_DOUBLEWRITE,
        REDO_FDATASYNC,
        STORAGE_DATA,
        HOST_PLATFORM,
    ),
    settings=(SETTING,),
    findings=("F37", "F50", "F51", "F52", "F53", "F55", "F57", "F59", "F61", "B07", "B09"),
)
def check(facts: Facts) -> Answer:
    """Keep the protection, and say what it takes."""
    version = facts.get(MYSQL_VERSION)
    now = facts.find(variable("innodb_doublewrite"))
    if now is None:
        return Unjudged(f"No doublewrite setting was found in {version}.")
    measured = _measured(version, facts)
    judged = _judged(version, now, measured or _cost(facts), facts)
    share, formula = _share(facts)
    known = "That pages can tear is known of every drive that does not promise otherwise"
    told = "measured" if measured else "estimated" if share else ""
    return replace(
        judged,
        formula=formula,
        valid="For the measured drive and a load like that of the window."
        if share
        else "As long as every layer down to the drive stays as it is.",
        because=f"{known}; the price was {told} here." if told else f"{known}.",
        cost_of_error="Pages written twice without need: some throughput while I/O-bound."
        if judged.verdict is Verdict.RECOMMEND
        else "A data directory that can't be repaired after a power cut.",
    )


def _judged(version: ServerVersion, now: Standing, cost: str, facts: Facts) -> Judged:
    word = now.text.upper()
    if word in ON:
        return _fine(now, cost, facts)
    if word == "DETECT_ONLY":
        saw = f"Doublewrite only detects torn pages and can't repair them.{cost}"
        return _switch_on(version, now, saw, 0.9)
    if word == "FAST":
        return _fast(version, now, cost, facts)
    return _off(version, now, cost, facts)


def _fine(now: Standing, cost: str, facts: Facts) -> Judged:
    whose = "by default" if now.default else "as it should be"
    torn = _torn(facts)
    whole = torn is not None and torn.disks is Whole.YES
    atomic = " " + " ".join(torn.reasons) if torn is not None and whole else ""
    flips = "every layer down to the drive is proven to write a page whole or not at all"
    storage = facts.find(STORAGE_DATA)
    if storage is not None and storage.filesystem == "zfs":
        return _fine_on_zfs(f"Doublewrite is on, {whose}, and the data lies on ZFS.{cost}", now)
    return Judged(
        Verdict.FINE,
        f"Doublewrite is on, {whose}.{cost}{atomic}",
        SETTING,
        now.now,
        effect="Keep it on: torn pages can be repaired after a power cut.",
        confidence=Confidence.HIGH,
        flips_when=flips,
    )


def _fine_on_zfs(saw: str, now: Standing) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Nothing is lost by keeping it. ZFS never overwrites a record in place, so where "
        "recordsize is the page size or more it may be off as well, and pages are written once.",
        flips_when="the data moves to a file system that overwrites pages in place",
    )


def _off(version: ServerVersion, now: Standing, cost: str, facts: Facts) -> Judged:
    storage = facts.find(STORAGE_DATA)
    if storage is not None and storage.filesystem == "zfs":
        if storage.block_bytes is not None and storage.block_bytes < _page_bytes(facts):
            record = figures.size(storage.block_bytes)
            saw = f"Doublewrite is off, and a page is several of ZFS's records of {record}.{cost}"
            return _switch_on(version, now, saw, 1.0, dynamic=_dynamic(version))
        return Judged(
            Verdict.FINE,
            "Doublewrite is off, and ZFS never overwrites a page in place.",
            SETTING,
            now.now,
            effect="Fine as it is, as long as the record size is at least the page size.",
            flips_when="the data moves to another file system",
        )
    torn = _torn(facts)
    if torn is not None and torn.disks is Whole.YES and torn.whole is not Whole.NO:
        proven = torn.whole is Whole.YES
        return Judged(
            Verdict.WATCH,
            f"Doublewrite is off. {' '.join(torn.reasons)}",
            SETTING,
            now.now,
            effect="Safe only as long as every layer keeps pages whole and the server writes them "
            "with O_DIRECT; on ext4 that takes clusters of a page (bigalloc).",
            confidence=Confidence.MEDIUM if proven else Confidence.LOW,
            risk="A torn page can't be repaired.",
            flips_when="a layer is found that splits page writes",
            gain=0.4 if proven else 0.8,
        )
    why = f" {torn.reasons[0]}" if torn is not None and torn.whole is Whole.NO else ""
    saw = f"Doublewrite is off, and nothing here is known to write a page whole.{why}{cost}"
    return _switch_on(version, now, saw, 1.0, dynamic=_dynamic(version))


def _dynamic(version: ServerVersion) -> bool | None:
    """MySQL never switches on from OFF while it runs; of MariaDB the version's table tells."""
    return None if version.is_mariadb else False


def _fast(version: ServerVersion, now: Standing, cost: str, facts: Facts) -> Judged:
    sync = facts.find(REDO_FDATASYNC)
    saw = (
        "Doublewrite is 'fast': data files are never synced, only the copies are. "
        f"O_DIRECT_NO_FSYNC turns it on without a word.{cost}"
    )
    if sync is not None and sync.latency.p50_us < PROTECTED_US:
        return Judged(
            Verdict.WATCH,
            saw,
            SETTING,
            now.now,
            effect=f"The drive syncs in {figures.duration_us(sync.latency.p50_us)}, so the full "
            "protection of ON would cost little.",
            risk="A drive whose cache does not survive a power cut can lose pages that a "
            "checkpoint counts on.",
            flips_when="syncs take longer than 0.2 ms",
            gain=0.4,
        ).by(change(version, now, "ON"))
    return _switch_on(version, now, saw, 0.8)


def _switch_on(
    version: ServerVersion, now: Standing, saw: str, gain: float, *, dynamic: bool | None = None
) -> Judged:
    back = ""
    if version.is_mariadb:
        back = " Take innodb_flush_method = O_DIRECT_NO_FSYNC out as well."
    elif version.before(MYSQL, 5, 6):
        back = " Only skip-innodb-doublewrite switches MySQL 5.5 off: take that line out."
    price = (
        " Before MySQL 8.0.20 it may cost a fifth of the throughput while I/O-bound."
        if version.before(MYSQL, 8, 0, 20)
        else ""
    )
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect=f"Torn pages can be repaired after a power cut.{price}",
        confidence=Confidence.HIGH,
        risk=f"None for the data.{back}",
        flips_when="every layer down to the drive is proven to write a page whole or not at all",
        gain=gain,
    ).by(change(version, now, "ON", dynamic=dynamic))


def _measured(version: ServerVersion, facts: Facts) -> str:
    """Say what doublewrite costs as this server does it, "" when that was not measured."""
    price = facts.find(FLUSH_DOUBLEWRITE)
    if price is None:
        return ""
    # MariaDB never took over the files of 8.0.20: it has kept the area in the system tablespace.
    old = version.is_mariadb or version.before(MYSQL, 8, 0, 20)
    ratio = price.legacy_ratio if old else price.on_ratio
    if ratio is None:
        return ""
    if not ratio.is_sure or ratio.value >= 1:
        return " What it costs in flushed pages can't be told from chance on this drive."
    return (
        f" Measured here, it costs {figures.percent(1 - ratio.value)} of the pages flushed "
        f"({figures.percent(1 - min(1.0, ratio.high))} to {figures.percent(1 - ratio.low)})."
    )


def _share(facts: Facts) -> tuple[bool, str]:
    """Tell whether the share of the drive that copies take is known, and how it is reckoned."""
    curve = facts.find(CURVE_RANDOM_WRITE_PAGE)
    written = facts.find(status("Innodb_pages_written"))
    if curve is None or written is None:
        return False, "bytes written = 2 x page size x pages written"
    knee_per_s = knee(curve).rate_per_s
    return True, (
        f"cost = {figures.rate(written, 'pages')} / {figures.rate(knee_per_s, 'page writes')} = "
        f"{figures.percent(written / knee_per_s)} at most"
    )


def _cost(facts: Facts) -> str:
    """Say what the second copies take from the drive, "" when it was not measured."""
    curve = facts.find(CURVE_RANDOM_WRITE_PAGE)
    if curve is None:
        return ""
    knee_per_s = knee(curve).rate_per_s
    written = facts.find(status("Innodb_pages_written"))
    if written is None:
        return (
            f" Of the {figures.rate(knee_per_s, 'page writes')} that this drive takes, at least "
            "half is left for pages."
        )
    share = figures.percent(written / knee_per_s)
    return (
        f" The server writes {figures.rate(written, 'pages')}; second copies take at most {share} "
        f"of the {figures.rate(knee_per_s, 'page writes')} that this drive takes."
    )


def _torn(facts: Facts) -> TornWrite | None:
    storage = facts.find(STORAGE_DATA)
    if storage is None:
        return None
    platform = facts.find(HOST_PLATFORM) or ""
    return read_torn_write(storage, platform, _page_bytes(facts))


def _page_bytes(facts: Facts) -> int:
    page = facts.find(variable("innodb_page_size"))
    return PAGE if page is None else int(page.number)
