"""Doublewrite, and the cost of torn-page protection on this drive.

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
and without doublewrite (the page_flush probe), the card has the ratio of both with its interval,
of the design that this server has: that of 8.0.20 or the older one.
Where the server's writes were watched, the share of its written bytes that are copies, and how many
threads are inside their writes and syncs, stand in place of the estimate.
- ON or DETECT_AND_RECOVER: fine, whatever the cost. It is never advised to switch it off for
  speed.
- OFF: ON is proposed where pages go through the page cache (no `O_DIRECT`): the kernel writes them
  in pieces, so no guarantee of a drive holds. Fine on ZFS (it never overwrites a page) where a
  record is not known to be smaller than a page. Watched where the drive, or the cloud for its
  volume, guarantees to write a page whole and no layer above is known to split it, and where
  nothing below can be looked at (a managed server). Fine on Amazon RDS, which has it off only with
  Optimized Writes. Else ON is proposed.
- Atomic writes of ext4 and XFS (Linux 6.13, 6.16) are made for programs that ask for them; no
  released server does (2026-11), so they change nothing here. Nor does a maker's word that an
  array's memory is protected: a page that the host splits is torn before it gets there.
- DETECT_ONLY (MySQL 8.0.30+): finds torn pages but can't repair them; ON is proposed.
- `fast` (MariaDB): syncs the copies, but never the data files, not even before a checkpoint counts
  on them; ON is proposed unless the drive syncs within 0.2 ms (our choice) as one with a protected
  cache does, then it is watched.

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
- MariaDB MDEV-33545; mysql-community issue 57
- NetApp, "MySQL innodb_doublewrite"
- Amazon RDS user guide, "Improving write performance with RDS Optimized Writes for MySQL"
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_PLATFORM
from advisor.facts.measured.points import CURVE_RANDOM_WRITE_PAGE, FLUSH_DOUBLEWRITE, REDO_FDATASYNC
from advisor.facts.server.status import status
from advisor.facts.server.storage import STORAGE_DATA
from advisor.facts.server.variables import variable
from advisor.model.curves.knee import knee
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Card, Facts, Judged, Stakes, rule
from advisor.variables.aurora import RDS
from advisor.variables.catalogue import MYSQL
from advisor.workload.flushing.doublewrite_use import (
    USES,
    doublewrite_use,
    in_one_area,
    in_own_files,
)
from advisor.workload.page_buffering import METHOD, SWITCH, pages_buffered
from probes.figures import duration_us, percent, ranged, rate, size
from probes.inventory.torn_write import TornWrite, Whole, read_torn_write
from probes.points import PAGE_BYTES

PROTECTED_US = 200
ON = {"ON", "1", "YES", "TRUE", "DETECT_AND_RECOVER"}


@rule(
    topic="Doublewrite",
    do="Make sure that every layer keeps pages whole",
    setting="innodb_doublewrite",
    uses=(
        variable("innodb_page_size"),
        status("Innodb_pages_written"),
        CURVE_RANDOM_WRITE_PAGE,
        FLUSH_DOUBLEWRITE,
        REDO_FDATASYNC,
        STORAGE_DATA,
        HOST_PLATFORM,
        METHOD,
        SWITCH,
        *USES,
    ),
    findings=(
        "F37",
        "F50",
        "F51",
        "F52",
        "F53",
        "F55",
        "F57",
        "F59",
        "F61",
        "F118",
        "F119",
        "B07",
        "B09",
    ),
    stakes=Stakes.DATA,
    not_fine_beside=(
        "durability.write-cache",
        "block.write-cache",
        "flushing.flush-method",
        "redo.enabled",
        "redo.checkpoint-age",
    ),
)
def check(facts: Facts) -> Answer:
    """Keep the protection, and say what it takes."""
    measured = _measured(facts)
    watched = doublewrite_use(facts, _page_bytes(facts))
    cost = measured or ("" if watched else _cost(facts))
    cost += watched
    share, formula = _share(facts)
    how = "measured" if measured else "counted" if watched else "estimated" if share else ""
    card = facts.card(
        "",
        formula=formula,
        flips_when="every layer down to the drive is proven to write a page whole or not at all",
        valid="For the measured drive and a load like that of the window."
        if share
        else "As long as every layer down to the drive stays as it is.",
        because="Any drive can tear a page unless it guarantees otherwise"
        + (f"; the price was {how} here." if how else "."),
    )
    word = facts.now.value.upper()
    if word in ON:
        return _on(facts, card, cost)
    if word == "DETECT_ONLY":
        saw = f"Doublewrite only detects torn pages and can't repair them.{cost}"
        return _switch_on(facts, card.but(saw=saw))
    if word == "FAST":
        return _fast(facts, card, cost)
    return _off(facts, card, cost)


def _on(facts: Facts, card: Card, cost: str) -> Judged:
    whose = "by default" if facts.now.default else "as it should be"
    torn, storage = _torn(facts), facts.find(STORAGE_DATA)
    if storage is not None and storage.filesystem == "zfs":
        return card.fine(
            "No harm in keeping it. ZFS never overwrites a record in place, so where recordsize is "
            "the page size or more it may be off as well, and pages are written once.",
            saw=f"Doublewrite is on, and the data lies on ZFS.{cost}",
            flips_when="the data moves to a file system that overwrites pages in place",
        )
    atomic = f" {' '.join(torn.reasons)}" if torn is not None and torn.disks is Whole.YES else ""
    return card.fine(
        "Keep it on: torn pages can be repaired after a power cut.",
        saw=f"Doublewrite is on, {whose}.{cost}{atomic}",
        confidence=Confidence.HIGH,
    )


def _off(facts: Facts, card: Card, cost: str) -> Judged:
    # MySQL never switches on from OFF while it runs; for MariaDB the version's table decides.
    dynamic = None if facts.version.is_mariadb else False
    storage = facts.find(STORAGE_DATA)
    if storage is not None and storage.filesystem == "zfs":
        if storage.block_bytes is not None and storage.block_bytes < _page_bytes(facts):
            saw = (
                f"Doublewrite is off, and a page spans ZFS records of {size(storage.block_bytes)}."
            )
            return _switch_on(facts, card.but(saw=saw + cost), dynamic=dynamic)
        return card.fine(
            "Fine as it is, as long as the record size is at least the page size.",
            saw="Doublewrite is off, and ZFS never overwrites a page in place.",
            flips_when="the data moves to another file system",
        )
    if facts.version.vendor == RDS:
        return card.fine(
            "Keep it: with Optimized Writes the storage of Amazon RDS writes a page whole, and RDS "
            "itself switches doublewrite off there.",
            saw="Doublewrite is off, and the server is one of Amazon RDS.",
            flips_when="the server moves to another storage",
        )
    if storage is None:
        return card.watch(
            "Ask the provider whether its storage writes a page whole, as Amazon RDS does with "
            "Optimized Writes. Without such a guarantee, switch doublewrite on.",
            saw="Doublewrite is off, and the storage below the server can't be looked at.",
            flips_when="the storage is known to write a page whole, or not to",
            confidence=Confidence.LOW,
            risk="A torn page can't be repaired.",
        )
    return _split(facts, card, cost, dynamic=dynamic)


def _split(facts: Facts, card: Card, cost: str, *, dynamic: bool | None) -> Judged:
    """Judge a server without doublewrite by what may split a page below it."""
    torn = _torn(facts)
    if pages_buffered(facts):
        saw = (
            "Doublewrite is off, and pages go through the page cache, which writes them in pieces "
            f"of 4 KiB, whatever the drive guarantees.{cost}"
        )
        return _switch_on(facts, card.but(saw=saw), dynamic=dynamic)
    if torn is not None and torn.disks is Whole.YES and torn.whole is not Whole.NO:
        proven = torn.whole is Whole.YES
        return card.watch(
            "Safe only as long as every layer keeps pages whole and the server writes them "
            "with O_DIRECT; on ext4 that takes clusters of a page (bigalloc).",
            saw=f"Doublewrite is off. {' '.join(torn.reasons)}",
            flips_when="a layer is found that splits page writes",
            confidence=Confidence.MEDIUM if proven else Confidence.LOW,
            risk="A torn page can't be repaired.",
        )
    why = f" {torn.reasons[0]}" if torn is not None and torn.whole is Whole.NO else ""
    saw = f"Doublewrite is off, and no layer here is known to write a page whole.{why}{cost}"
    return _switch_on(facts, card.but(saw=saw), dynamic=dynamic)


def _fast(facts: Facts, card: Card, cost: str) -> Judged:
    sync = facts.find(REDO_FDATASYNC)
    card = card.but(
        saw="Doublewrite is 'fast': only the copies are synced, data files never are. "
        f"innodb_flush_method = O_DIRECT_NO_FSYNC sets it silently.{cost}"
    )
    if sync is None:
        return _switch_on(facts, card)
    protected = At("sync time", sync.latency.p50_us, below=PROTECTED_US, say=duration_us)
    if not protected:
        return _switch_on(facts, card)
    return card.consider(
        facts.to("ON"),
        effect=f"The drive syncs in {duration_us(protected.value)}, so the full protection of ON "
        "would cost little.",
        flips_when=protected.turn,
        risk="A drive whose cache does not survive a power cut can lose pages that a checkpoint "
        "counts on.",
    )


def _switch_on(facts: Facts, card: Card, *, dynamic: bool | None = None) -> Judged:
    version = facts.version
    back = ""
    if version.is_mariadb:
        back = " Remove innodb_flush_method = O_DIRECT_NO_FSYNC as well."
    elif version.before(MYSQL, 5, 6):
        back = " Only skip-innodb-doublewrite switches it off in MySQL 5.5: remove that line."
    price = (
        " Before MySQL 8.0.20 it may cost a fifth of the throughput while I/O-bound."
        if version.is_mysql and in_one_area(version)
        else ""
    )
    return card.recommend(
        facts.to("ON", dynamic=dynamic),
        effect=f"Torn pages can be repaired after a power cut.{price}",
        confidence=Confidence.HIGH,
        risk=f"None for the data.{back}",
        cost_of_error="Pages written twice without need: some throughput while I/O-bound.",
    )


def _measured(facts: Facts) -> str:
    """Say what doublewrite costs as this server does it, "" when that was not measured."""
    price, version = facts.find(FLUSH_DOUBLEWRITE), facts.version
    if price is None:
        return ""
    # MariaDB never got the files of 8.0.20: it has kept the area in the system tablespace.
    ratio = price.legacy_ratio if in_one_area(version) else price.on_ratio
    if ratio is None or not (in_one_area(version) or in_own_files(version)):
        return ""
    if not ratio.is_sure or ratio.value >= 1:
        return " It has no measurable cost on this drive."
    costs, low, high = ranged(1 - ratio.value, 1 - min(1.0, ratio.high), 1 - ratio.low, percent)
    return f" Measured here, it costs {costs} of the flush rate ({low} to {high})."


def _share(facts: Facts) -> tuple[bool, str]:
    """Tell whether the share of the drive that copies take is known, and how it is reckoned."""
    curve, written = facts.find(CURVE_RANDOM_WRITE_PAGE), facts.find(status("Innodb_pages_written"))
    if curve is None or written is None:
        return False, "bytes written = 2 x page size x pages written"
    knee_per_s = knee(curve).rate_per_s
    return True, (
        f"cost = {rate(written, 'pages')} / {rate(knee_per_s, 'page writes')} = "
        f"{percent(written / knee_per_s)} at most"
    )


def _cost(facts: Facts) -> str:
    """Say what the second copies take from the drive, "" when it was not measured."""
    curve, written = facts.find(CURVE_RANDOM_WRITE_PAGE), facts.find(status("Innodb_pages_written"))
    if curve is None:
        return ""
    knee_per_s = knee(curve).rate_per_s
    writes = rate(knee_per_s, "page writes")
    if written is None:
        return f" Of this drive's {writes} at the knee, at least half is left for pages."
    return (
        f" The server writes {rate(written, 'pages')}; second copies take at most "
        f"{percent(written / knee_per_s)} of this drive's {writes} at the knee."
    )


def _torn(facts: Facts) -> TornWrite | None:
    storage = facts.find(STORAGE_DATA)
    if storage is None:
        return None
    return read_torn_write(storage, facts.find(HOST_PLATFORM) or "", _page_bytes(facts))


def _page_bytes(facts: Facts) -> int:
    page = facts.find(variable("innodb_page_size"))
    return PAGE_BYTES if page is None else int(page.number)
