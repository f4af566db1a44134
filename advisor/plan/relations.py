"""How settings hang together: what a server cuts, rounds or derives again when another changes.

Seen on real servers of MySQL 5.5 to 9.7 and MariaDB 10.2 to 11.8. A server shows none of this
but by a warning, and reports success.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from advisor.plan.chosen_at_start import derived
from advisor.plan.target import PlanTarget, same, whole
from advisor.steps import Needs, Procedure, SetVariable, Step
from advisor.variables.catalogue import MARIADB, MYSQL, pool_step_bytes, span
from probes.version import Flavour, ServerVersion

Values = Mapping[str, str]

_MIB, _GIB = 2**20, 2**30
POOL, _INSTANCES = "innodb_buffer_pool_size", "innodb_buffer_pool_instances"
WITH_POOL = (
    "innodb_data_file_buffering",
    "innodb_flush_method",
    "innodb_numa_interleave",
    "large_pages",
)
"""Settings that say where a pool's pages lie, and whether the page cache holds them as well."""

_POOL_MAX = "innodb_buffer_pool_size_max"
_CHUNK = "innodb_buffer_pool_chunk_size"


@dataclass(frozen=True, slots=True)
class AtMost:
    """``lower`` can't stand above ``upper``; ``only`` in servers of one family where it is given.

    ``binds`` is whether lowering ``upper`` is cut, too; else it takes ``lower`` down with it.
    """

    lower: str
    upper: str
    binds: bool = True
    only: Flavour | None = None


CEILINGS = (
    AtMost("innodb_io_capacity", "innodb_io_capacity_max"),
    AtMost("innodb_max_dirty_pages_pct_lwm", "innodb_max_dirty_pages_pct"),
    AtMost(POOL, _POOL_MAX),
    AtMost("innodb_page_cleaners", _INSTANCES, binds=False),
    AtMost("innodb_buffer_pool_size_auto_min", POOL, binds=False),
    AtMost("innodb_log_buffer_size", "innodb_log_file_size", only=MARIADB),
)

_ONLY_WITH = (("thread_pool_size", "thread_handling", "pool-of-threads"),)
"""Settings that a server forgets at once while another one is not as it must be."""

_LOG_FILES = {"innodb_log_file_size", "innodb_log_files_in_group"}


def broken(
    version: ServerVersion, values: Values, changed: Iterable[str]
) -> tuple[AtMost, str] | None:
    """Find a ceiling that the planned values break, and say what the server would make of it."""
    names = set(changed)
    for ceiling in CEILINGS:
        touched = ceiling.lower in names or (ceiling.binds and ceiling.upper in names)
        low, high = values.get(ceiling.lower), values.get(ceiling.upper)
        elsewhere = ceiling.only not in {None, version.flavour}
        if not touched or elsewhere or low is None or high is None:
            continue
        if _number(low) > _number(high):
            return ceiling, (
                f"{ceiling.lower} = {low} would stand above {ceiling.upper} = {high}, and the "
                "server would cut or refuse one of them."
            )
    return None


def goes_first(one: SetVariable, other: SetVariable) -> bool:
    """Whether ``one`` has to be set before ``other``, so that neither is cut on the way.

    A lower value that is raised waits for its ceiling; a ceiling that is lowered waits for it.
    """
    if any((other.name, one.name) == pair[:2] for pair in _ONLY_WITH):
        return True
    for ceiling in CEILINGS:
        if (one.name, other.name) == (ceiling.upper, ceiling.lower):
            return _number(other.value) > _number(one.standing.value)
        if (one.name, other.name) == (ceiling.lower, ceiling.upper):
            return _number(other.value) < _number(one.standing.value)
    return False


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def companions(
    target: PlanTarget, chosen: Iterable[SetVariable], values: Values
) -> list[tuple[str, SetVariable]]:
    """Settings that a restart would derive again, kept as they are; each with whom it goes along.

    Those that somebody has set are left alone: what was set stays set. So are those that a start
    with the planned ``values`` sets on its own.
    """
    steps = {step.name: step for step in chosen}
    kept = []
    for name, reckoned in derived(target.version):
        standing = target.standings.get(reckoned)
        if name not in steps or reckoned in steps or standing is None or standing.is_stated:
            continue
        usual = target.usual(reckoned, values)
        if usual is not None and same(usual, standing.value):
            continue
        kept.append((name, SetVariable(standing, standing.value, steps[name].needs)))
    return kept


def made_at_start(
    target: PlanTarget, steps: Mapping[str, SetVariable], values: Values
) -> dict[str, str]:
    """What a start makes of the pool's largest size beside a pool that waits for that start.

    Nothing where somebody has set it, or sets it: what was set stays set.
    """
    pool, most = steps.get(POOL), target.standings.get(_POOL_MAX)
    if pool is None or pool.needs is not Needs.RESTART or most is None or _POOL_MAX in steps:
        return {}
    now = {name: standing.value for name, standing in target.standings.items()}
    usual, then = target.usual(_POOL_MAX, now), target.usual(_POOL_MAX, values)
    derived = usual is not None and same(usual, most.value) and not most.is_stated
    return {_POOL_MAX: then} if derived and then is not None else {}


def becomes(version: ServerVersion, name: str, values: Values) -> str:
    """What the server makes of a planned value, which it may round to its own steps."""
    size, known = whole(values[name]), span(version, name)
    if size is None:
        return values[name]
    if name == POOL:
        return str(_in_chunks(version, size, values))
    if known is not None and known.step and size % known.step:
        return str(size - size % known.step)
    return values[name]


def _in_chunks(version: ServerVersion, size: int, values: Values) -> int:
    """The buffer pool's size: whole chunks, one for each instance, or whole MiB."""
    if version.at_least(MARIADB, 10, 8):
        return size - size % _MIB
    instances = whole(values.get(_INSTANCES)) or 1
    step = pool_step_bytes(version, whole(values.get(_CHUNK)), instances)
    return -(-size // step) * step


def shrunk_instances(version: ServerVersion, values: Values, changed: Iterable[str]) -> str:
    """Say that the server would not make that many buffer pool instances, "" when it would."""
    pool, instances = whole(values.get(POOL)), whole(values.get(_INSTANCES))
    if _INSTANCES not in set(changed) or pool is None or instances is None or instances < 2:
        return ""
    if version.at_least(MYSQL, 5, 7) or version.at_least(MARIADB, 10, 2):
        least, text = _GIB, "1 GiB"
    elif version.is_mysql:
        least, text = 1000 * _MIB, "1,000 MiB"
    else:
        return ""
    if pool >= least:
        return ""
    return (
        f"The server makes one instance of a buffer pool below {text}, not {instances}, "
        "whatever is set."
    )


def needs_of(target: PlanTarget, step: SetVariable) -> Needs:
    """What a setting's change takes, where values decide it."""
    known = target.known(step.name)
    if known is not None and known.rebuild:
        return Needs.REINIT
    fixed = step.needs is Needs.DYNAMIC and _fixed(target, step)
    return Needs.RESTART if fixed else step.needs


def _fixed(target: PlanTarget, step: SetVariable) -> bool:
    """Whether a running server refuses this very change of what it else takes."""
    was_off, is_off = (same(text, "OFF") for text in (step.standing.value, step.value))
    match step.name:
        case "innodb_doublewrite":
            return target.version.is_mysql and was_off is not is_off
        case "innodb_commit_concurrency":
            return was_off is not is_off
        case "innodb_log_file_buffering" | "key_buffer_size":
            return is_off
        case "query_cache_type" | "query_cache_size":
            cache = target.value("query_cache_type")
            return target.version.is_mysql and cache is not None and same(cache, "OFF")
    return False


def settles_later(version: ServerVersion, name: str) -> bool:
    """Whether a running server says yes to a change at once and carries it out afterwards.

    It takes no other change of that setting meanwhile.
    """
    if name != POOL:
        return False
    # Where there is a largest size, the statement itself takes as long as the resize.
    at_once = span(version, _POOL_MAX) is not None
    asks = version.at_least(MYSQL, 5, 7, 5) or version.at_least(MARIADB, 10, 2, 2)
    return asks and not at_once


def idle(values: Values, changed: Iterable[str]) -> str:
    """Name a planned setting that does nothing, because another one switches its part off."""
    names = set(changed)
    for name, other, wanted in _ONLY_WITH:
        if name in names and values.get(other, wanted) != wanted:
            return name
    return ""


def idle_because(name: str) -> str:
    """The sentence for a setting that ``idle`` has named."""
    other, wanted = next((other, wanted) for one, other, wanted in _ONLY_WITH if one == name)
    return f"{name} does nothing unless {other} is {wanted}."


def by_hand(version: ServerVersion, step: SetVariable) -> Step:
    """The same change as people must do it, where an option file alone stops the start."""
    if step.name not in _LOG_FILES or not version.before(MYSQL, 5, 6, 8):
        return step
    return Procedure(
        f"Set {step.name} to {step.value}",
        (
            "Run SET GLOBAL innodb_fast_shutdown = 0 and stop the server.",
            "Look into its error log: it has to say that the shutdown is complete.",
            "Move the files ib_logfile* out of the directory that innodb_log_group_home_dir names.",
            f"Write {step.name} = {step.value} into the option file, below [mysqld].",
            "Start the server: it makes the files again.",
        ),
        (
            "Stop the server in the same way and move the new ib_logfile* away.",
            f"Write {step.name} = {step.standing.value} into the option file.",
            "Start the server. The old files are of no use any more.",
        ),
        Needs.RESTART,
    )
