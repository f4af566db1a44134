"""Questions that have a name: what is varied, and the load under which it shows.

They repeat the experiments that Leadline's findings rest on (resources/findings).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from advisor.lab.asked import ENGINE, POOL, REDO, Asked, varied
from probes.errors import UsageError
from probes.lab.variant import LabLoad, LoadKind
from probes.version import Flavour, ServerVersion

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Preset:
    """A question by name. ``question`` is it in words; ``vary`` as ``--vary`` takes it.

    ``mysql_only`` and ``before_mariadb`` say which servers have the option: MariaDB dropped pool
    instances in 10.5.
    """

    name: str
    question: str
    vary: str
    load: LoadKind
    levels: tuple[int, ...] = (16,)
    data_bytes: int = 256 * MIB
    pool_bytes: int = 64 * MIB
    mysql_vary: str = ""
    before_mariadb: tuple[int, ...] = ()
    lines: tuple[tuple[str, str], ...] = field(default=())

    @property
    def setting(self) -> str:
        """The server's setting that it varies; "" where it varies none."""
        name = self.vary.partition("=")[0]
        return {POOL: "innodb_buffer_pool_size", REDO: "innodb_log_file_size"}.get(
            name, "" if name == ENGINE else name
        )

    def unknown_to(self, version: ServerVersion) -> bool:
        """Whether this server has no such option."""
        return bool(self.before_mariadb) and version.at_least(Flavour.MARIADB, *self.before_mariadb)


PRESETS = {
    preset.name: preset
    for preset in (
        Preset(
            "page-size",
            "Which page size brings most look-ups a second here?",
            "innodb_page_size=16k,8k,4k",
            LoadKind.POINT_SELECT,
        ),
        Preset(
            "doublewrite",
            "What does the doublewrite buffer cost here?",
            "innodb_doublewrite=ON,OFF",
            LoadKind.READ_WRITE,
        ),
        Preset(
            "pool-instances",
            "Does a split buffer pool pay here?",
            "innodb_buffer_pool_instances=1,4,8",
            LoadKind.POINT_SELECT,
            levels=(64,),
            data_bytes=2048 * MIB,
            # Below 1 GiB MySQL has one instance, whatever is asked for.
            pool_bytes=1024 * MIB,
            before_mariadb=(10, 5),
        ),
        Preset(
            "io-capacity",
            "Which io_capacity lets this drive flush without slowing the queries?",
            "innodb_io_capacity=200,1000,5000",
            LoadKind.UPDATE,
            lines=(("loose_innodb_io_capacity_max", "20000"),),
        ),
        Preset(
            "lru-depth",
            "How deep should the page cleaners look for pages to free?",
            "innodb_lru_scan_depth=1024,256,4096",
            LoadKind.READ_WRITE,
        ),
        Preset(
            "flush-method",
            "Does O_DIRECT pay here?",
            "innodb_flush_method=O_DIRECT,fsync",
            LoadKind.READ_WRITE,
            mysql_vary="innodb_flush_method=O_DIRECT,fsync,O_DIRECT_NO_FSYNC",
        ),
        Preset(
            "redo-size",
            "How much redo log pays here?",
            "redo=64M,256M,1G",
            LoadKind.UPDATE,
            pool_bytes=128 * MIB,
        ),
        Preset(
            "durability",
            "What does a synced commit cost here?",
            "innodb_flush_log_at_trx_commit=1,2",
            LoadKind.UPDATE,
        ),
        Preset(
            "engine",
            "InnoDB or MyISAM for these look-ups?",
            "engine=InnoDB,MyISAM",
            LoadKind.POINT_SELECT,
        ),
        Preset(
            "neighbours",
            "Does flushing a page's neighbours with it pay here?",
            "innodb_flush_neighbors=0,1",
            LoadKind.UPDATE,
        ),
        Preset(
            "pool-size",
            "What is a larger buffer pool worth here?",
            f"{POOL}=32M,64M,128M,256M",
            LoadKind.READ_WRITE,
        ),
    )
}


def asked_of(name: str, servers: Sequence[ServerVersion]) -> Asked:
    """The lab that answers a question of this name on these servers.

    Raises UsageError where a server lacks the option.
    """
    preset = PRESETS[name]
    for version in servers:
        if preset.unknown_to(version):
            raise UsageError(
                f"{version} has no option that {name} could vary.",
                "Name another server program with --server.",
            )
    all_mysql = bool(servers) and all(version.is_mysql for version in servers)
    vary = preset.mysql_vary if preset.mysql_vary and all_mysql else preset.vary
    return Asked(
        variants=varied([vary], (), ()),
        load=LabLoad(preset.load, data_bytes=preset.data_bytes),
        levels=preset.levels,
        pool_bytes=preset.pool_bytes,
        lines=dict(preset.lines),
        preset=name,
    )
