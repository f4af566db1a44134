"""What a person wants of a lab, and the request that it makes."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from advisor.amounts import duration_s, size_bytes
from advisor.lab.asked import CLONED, Asked, levels, option_line, varied
from advisor.lab.like import PAGE_BYTES, connections, lines, load_like, redo_bytes
from advisor.lab.lines import pool_bytes
from advisor.lab.presets import PRESETS, asked_of
from advisor.lab.watched import WatchedLoad
from advisor.runs.lab.request import LabRequest
from app.fields.field import Field, FieldShape, Option, asked
from probes.errors import UsageError
from probes.lab.variant import Keys, LabLoad, LoadKind, TableEngine
from probes.targets.address import TargetSpec
from probes.version import ServerVersion

DATA_BYTES = 256 << 20
WAREHOUSES = 4
LEAST_BUDGET_S = 30.0
SYSBENCH = "sysbench:"
OWN_LOADS = ("point-select", "update", "read-write", "tpcc")
OWN_KEYS = ("uniform", "zipf", "pareto")
LEAST_DATA_BYTES = 16 << 20
MOST_WAREHOUSES = 1000

_ON_GIVEN_DATA = (LoadKind.POINT_SELECT, LoadKind.UPDATE)


def _option(names: str, text: str, default: Any = "", **others: Any) -> Any:
    return asked(Field(option=Option(names, text, **others)), default)


@dataclass(frozen=True, slots=True)
class LabForm:
    """Every wish as it is typed."""

    ask: str = asked(
        Field(
            FieldShape.LIST,
            "&Question",
            choices=tuple((preset.name, preset.question) for preset in PRESETS.values()),
            option=Option(
                "--ask",
                "A question that has a name: "
                + ", ".join(PRESETS)
                + ". `leadline lab --questions` says what each is.",
                metavar="QUESTION",
            ),
        )
    )
    vary: tuple[str, ...] = _option(
        "--vary",
        "An option with the values to hold beside each other, or engine, pool or redo. Repeatable: "
        "then every combination.",
        (),
        metavar="NAME=A,B,...",
        repeated=True,
    )
    directories: tuple[str, ...] = _option(
        "--dir",
        "Where the servers' data lies. Repeated, the directories' drives are what is compared.",
        (),
        metavar="DIRECTORY",
        repeated=True,
    )
    servers: tuple[str, ...] = _option(
        "--server",
        "A server program on the target. Repeated, the programs are what is compared.",
        (),
        metavar="PROGRAM",
        repeated=True,
    )
    load: str = _option(
        "--load",
        f"What the clients do: {', '.join(OWN_LOADS)}, or {SYSBENCH}NAME, a script of sysbench's "
        "by its name or path, where sysbench is installed.",
        metavar="LOAD",
    )
    like: str = _option(
        "--like",
        "A load like that of a server which was watched at work: a run's number, a target's name "
        "or a case file.",
        metavar="CASE",
    )
    keys: str = _option("--keys", "How often each row is asked for.", choices=OWN_KEYS)
    connections: str = _option("--connections", "How many clients, as in 1,16,64.", metavar="N,...")
    data: str = _option("--data", "How much the rows take on the drive.", metavar="SIZE")
    data_from: str = _option(
        "--data-from",
        "A data directory on the target that nobody uses, a restored backup or a cold copy: the "
        "servers work on copies of it.",
        metavar="DIRECTORY",
    )
    clone: bool = _option(
        "--clone",
        "Work on copies of a clone of the running server (MySQL 8.0.17 or later, with its clone "
        "plugin and BACKUP_ADMIN): it is read once, at 50 MiB/s at most. --dry-run says how long.",
        False,
    )
    warehouses: int = _option("--warehouses", "TPC-C's warehouses.", 0, metavar="N", kind=int)
    pool: str = _option("--pool", "The buffer pool of every server.", metavar="SIZE")
    redo: str = _option("--redo", "The redo log of every server.", metavar="SIZE")
    lines: tuple[str, ...] = _option(
        "--set",
        "An option line that all servers have. Repeatable.",
        (),
        metavar="NAME=VALUE",
        repeated=True,
    )
    budget: str = asked(
        Field(
            FieldShape.LINE,
            "Time at &most",
            hint="5 min",
            option=Option("--budget", "How long it may take at most.", metavar="TIME"),
        ),
        "5min",
    )
    seed: int = _option("--seed", "Orders the turns.", 1, metavar="N", kind=int)
    start_anyway: bool = _option(
        "--start-anyway", "Do not wait for another run that uses the drive.", False
    )

    def request(self, target: TargetSpec, like: WatchedLoad | None = None) -> LabRequest:
        """The lab on a target; ``like`` is what ``like`` names. Raises UsageError."""
        if bool(self.ask) == self._varies:
            raise UsageError(
                "A lab compares something: ask a question by name, or name what varies.",
                "For example leadline lab --ask doublewrite, or leadline lab --vary "
                "innodb_page_size=4k,8k,16k. `leadline lab --questions` lists the names.",
            )
        if self.ask and self.ask not in PRESETS:
            raise UsageError(
                f"There is no question '{self.ask}'.", f"There are {', '.join(PRESETS)}."
            )
        if self.clone and self.data_from:
            raise UsageError("Data are cloned or copied: give --clone or --data-from.")
        # What can't be asked at all needs no connection, and no password, to be refused.
        self._asked((), like)
        return LabRequest(
            target,
            lambda versions: self._asked(versions, like),
            servers=tuple(tuple(shlex.split(each)) for each in self.servers),
            directories=self.directories,
            start_anyway=self.start_anyway,
            seed=self.seed,
        )

    @property
    def _varies(self) -> bool:
        return bool(self.vary) or len(self.directories) > 1 or len(self.servers) > 1

    def _asked(self, versions: Sequence[ServerVersion], like: WatchedLoad | None) -> Asked:
        question = asked_of(self.ask, versions) if self.ask else self._put_together()
        if like is not None:
            question = self._like(question, like)
        load = question.load if like else self._load(question.load)
        found = replace(
            question,
            load=load,
            levels=levels(self.connections) if self.connections else question.levels,
            pool_bytes=size_bytes(self.pool) if self.pool else question.pool_bytes,
            redo_bytes=size_bytes(self.redo) if self.redo else question.redo_bytes,
            lines={**question.lines, **self._lines()},
            budget_s=duration_s(self.budget),
            data_from=self._given,
        )
        if found.budget_s < LEAST_BUDGET_S:
            raise UsageError(f"A lab takes {LEAST_BUDGET_S:.0f} s at least.", "Give 5min or more.")
        others = (
            each.page_bytes or each.engine is not TableEngine.INNODB for each in found.variants
        )
        if self._given and any(others):
            raise UsageError(
                "Data of your own have the page size and the engine that they have.",
                "Ask that of the lab's own data: leave --data-from and --clone out.",
            )
        return found

    def _put_together(self) -> Asked:
        places = self.directories if len(self.directories) > 1 else ()
        programs = [tuple(shlex.split(each)) for each in self.servers]
        variants = varied(self.vary, places, programs if len(programs) > 1 else ())
        return Asked(variants, LabLoad(data_bytes=DATA_BYTES))

    def _like(self, question: Asked, watched: WatchedLoad) -> Asked:
        """The question with a load like a watched one, on servers set as that one was."""
        if self.load or self.keys or self.connections or self.warehouses:
            raise UsageError(
                "With --like, the load is that of the run.",
                "Leave out --load, --keys, --connections and --warehouses.",
            )
        if self._given:
            raise UsageError(
                "A load like a run's works on a table of the lab's own.",
                "Leave out --data-from and --clone.",
            )
        asked_pool = size_bytes(self.pool) if self.pool else question.pool_bytes
        pool = pool_bytes(replace(question, pool_bytes=asked_pool), question.base)
        data = size_bytes(self.data) if self.data else 0
        if self.data and data < LEAST_DATA_BYTES:
            raise UsageError("The data of a lab take 16 MiB at least.")
        pages = 0 if watched.page_bytes == PAGE_BYTES else watched.page_bytes
        return replace(
            question,
            like=watched,
            load=load_like(watched, pool, data),
            levels=(connections(watched),),
            redo_bytes=redo_bytes(watched, pool) or question.redo_bytes,
            variants=tuple(
                replace(each, page_bytes=each.page_bytes or pages) for each in question.variants
            ),
            lines=lines(watched, pool) | dict(question.lines),
        )

    def _load(self, usual: LabLoad) -> LabLoad:
        kind, script = self._kind(usual)
        stocked = kind is LoadKind.TPCC or "tpcc" in script
        if not stocked and self.warehouses:
            raise UsageError("Only TPC-C has warehouses.", "Give --data SIZE instead.")
        if stocked and self.data:
            raise UsageError("TPC-C's data are warehouses.", "Give --warehouses N instead.")
        data_bytes = size_bytes(self.data) if self.data else usual.data_bytes
        if self._given and (self.data or kind not in _ON_GIVEN_DATA):
            raise UsageError(
                "On data of your own, clients look rows up or update them, and its size is given.",
                "Use --load point-select or --load update, and no --data.",
            )
        if not stocked and data_bytes < LEAST_DATA_BYTES:
            raise UsageError("The data of a lab take 16 MiB at least.")
        warehouses = self.warehouses or WAREHOUSES
        if not 1 <= warehouses <= MOST_WAREHOUSES:
            raise UsageError(f"TPC-C has 1 to {MOST_WAREHOUSES} warehouses here.")
        return LabLoad(
            kind,
            Keys(self.keys) if self.keys else usual.keys,
            0 if stocked else data_bytes,
            warehouses if stocked else 0,
            usual.think_us,
            script=script,
        )

    def _kind(self, usual: LabLoad) -> tuple[LoadKind, str]:
        """The kind of load, and sysbench's script where that carries it out."""
        if not self.load:
            return self._usual_kind(usual), ""
        if self.load.startswith(SYSBENCH):
            script = self.load.removeprefix(SYSBENCH)
            if not script or script.startswith("-"):
                raise UsageError(
                    f"'{self.load}' names no script.", "For example sysbench:oltp_read_write."
                )
            return LoadKind.SYSBENCH, script
        if self.load not in OWN_LOADS:
            raise UsageError(
                f"There is no load '{self.load}'.",
                f"There are {', '.join(OWN_LOADS)} and {SYSBENCH}NAME.",
            )
        return LoadKind(self.load), ""

    @property
    def _given(self) -> str:
        return CLONED if self.clone else self.data_from

    def _usual_kind(self, usual: LabLoad) -> LoadKind:
        if self._given and usual.kind is LoadKind.READ_WRITE:
            return LoadKind.UPDATE
        return usual.kind

    def _lines(self) -> Mapping[str, str]:
        return dict(option_line(each) for each in self.lines)
