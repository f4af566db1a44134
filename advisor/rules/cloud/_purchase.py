"""More of what a volume was bought with: a higher figure, a larger volume, or another one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

from advisor.model.server.round_figures import round_up
from advisor.rulekit import Answer, Card, Change, Facts, Judged, Needs, Says, by_hand
from advisor.rules.cloud._amazon import GP3, SMALLER_AGAIN, Included
from advisor.rules.cloud._pool_first import PoolFirst
from advisor.variables.managed import AZURE
from advisor.workload.volume_use import Nearest
from probes.figures import io_rate, times
from probes.trust.provisioned import MIB, ProvisionedLimit, growing, raised_to

ROOM = 0.7
"""What is bought should be used to this share at most, so that peaks pass (our choice)."""

SHOWN = 1.01
"""Growth below this rounds to none (our choice)."""

LARGER = 1.1
"""Less than this many times the limit is not worth buying (our choice)."""

WHERE = {
    True: "in the provider's console",
    False: "where it is set: the provider's console, the hypervisor, or the control group's io.max",
}
"""Where a limit is changed, by whether a cloud that is known sells it."""


@dataclass(frozen=True, slots=True)
class _Raised:
    """How a figure is raised: at which price, ``how``, and what may be had ``instead``."""

    risk: str
    how: str = ""
    instead: str = ""


_RAISED = _Raised("It costs money each month, and providers allow a change only every few hours.")
_RAISED_AT = {
    AZURE: _Raised(
        "It costs money each month.",
        " (Compute + storage): that works online, at any time",
        " Autoscale IOPS follows spikes instead, and is paid by what is used.",
    )
}
"""The same by a service's vendor; Microsoft, "Storage IOPS in Azure Database for MySQL - Flexible
Server", read in November 2026."""


def with_reserve(asks: float, figure: float, more: float, grows: float) -> float:
    """What holds what is asked at a limit that is reached, and will be besides: peaks pass."""
    return (max(asks, figure) * grows + more) / ROOM


@dataclass(frozen=True, slots=True)
class LimitWords:
    """The words for one kind of limit.

    ``buys`` is what is bought, ``option`` how it is said on the command line, ``asks`` the server's
    verb, ``less`` gives a sentence on how to need less.
    """

    buys: str
    option: str
    asks: str
    less: Callable[[Facts], str]
    in_bytes: bool

    def text(self, value: float) -> str:
        """Say a figure of this kind."""
        return io_rate(value, in_bytes=self.in_bytes)

    def rounded_up(self, value: float) -> float:
        """Give the figure that somebody would buy."""
        return round_up(value / MIB) * MIB if self.in_bytes else round_up(value)


@dataclass(frozen=True, slots=True)
class Bought:
    """A limit of the volume that is reached, and what is asked of it.

    ``where`` more is bought, ``proof`` is the step that shows it, ``verify`` how it is seen later.
    ``end`` is the limit that comes next, ``limits`` are those that are sold at this figure.
    ``included`` is what comes with volumes there without being bought, the least first. ``less`` is
    a sentence on how to need less; ``pool`` is the larger pool that comes first. ``more`` is what a
    pool that has to become smaller asks besides, ``grows`` how many times today's load comes once
    it waits less. ``service`` is the vendor of a managed server, "" elsewhere.
    """

    figure: float
    asks: float
    where: str
    proof: str
    verify: str
    less: str
    end: Nearest | None = None
    limits: tuple[ProvisionedLimit, ...] = ()
    included: tuple[Included, ...] = ()
    pool: PoolFirst | None = None
    more: float = 0.0
    grows: float = 1.0
    service: str = ""

    @property
    def most(self) -> float:
        """What the figure can be raised to on this volume: itself where it comes with its size."""
        return raised_to(self.limits, self.figure)

    @property
    def wanted(self) -> float:
        """What holds what is asked, with a reserve."""
        return with_reserve(self.asks, self.figure, self.more, self.grows)


@dataclass(frozen=True, slots=True)
class _Aim:
    """The figure to have, and in which words it follows from what is wanted.

    ``comes`` is with which volume it comes without being bought, None where with none.
    """

    figure: float
    formula: str
    comes: Included | None = None


def reached(card: Card, bought: Bought, kind: LimitWords) -> Answer:
    """Buy more, up to the limit that comes next; of what can't be raised, a larger volume."""
    end, least = bought.end, LARGER * bought.figure
    if end is not None and end.ceiling.of_machine and end.at < least:
        return card.watch(_no_room(bought, end, kind))
    grown = None if bought.most >= least else growing(bought.limits, least)
    if grown is None and bought.most < least:
        return _another_volume(card, bought, kind)
    if grown is not None:
        return _larger_volume(card, bought, grown, kind)
    if end is not None and end.at < least:
        return card.watch(_no_room(bought, end, kind))
    aim = _aim(bought, bought.most, kind)
    base = bought.included[0].figure if bought.included else 0.0
    if aim.comes is not None and aim.comes.least_gib and bought.figure <= base:
        return _of_larger_size(card, bought, aim, aim.comes, kind)
    wanted, card = kind.text(aim.figure), _letting_pass(card, aim.figure / bought.figure)
    what = f"Raise the volume's {kind.buys} to {wanted}"
    of_gp2 = any(limit.name.startswith("gp2 (") for limit in bought.limits)
    there = _RAISED_AT.get(bought.service, _RAISED)
    kept = aim.comes.volume if aim.comes is not None else GP3 if of_gp2 else ""
    return _bought(
        card,
        bought,
        by_hand(
            wanted,
            what,
            (
                *_look_up(bought, wanted),
                *([f"Where it is no {kept}, make it one: that works online."] if kept else []),
                f"{what}, {bought.where}{there.how}.",
                bought.proof,
            ),
            (f"Set the volume's {kind.buys} back to {kind.text(bought.figure)}, {bought.where}.",),
            Needs.MONEY,
        ),
        setting=kind.buys,
        now=kind.text(bought.figure),
        effect=f"The server no longer waits for the limit.{there.instead} {bought.less}",
        formula=aim.formula,
        risk=there.risk,
        cost_of_error="Money for provisioned capacity that is not used.",
        side_effects="None for the server; the volume may be slower during the change.",
        verify=bought.verify,
    )


def _letting_pass(card: Card, times: float) -> Card:
    """The card of a limit that lets pass ``times`` as much."""
    relieves = card.says.get("relieves", ())
    return card.but(relieves=tuple(replace(each, times=times) for each in relieves))


def _aim(bought: Bought, most: float, kind: LimitWords) -> _Aim:
    """What holds what is asked, in a round figure: no more than is sold, or lets pass what is next.

    Where a volume has more without its being bought, that.
    """
    figure, end = kind.rounded_up(bought.wanted), bought.end
    beyond = ""
    if figure > most:
        figure, beyond = most, "the most that is sold of it"
    if end is not None and figure > end.at:
        figure, beyond = end.at, f"which is {end.ceiling.inside}"
    comes = first_with(bought.included, figure)
    if comes is not None:
        figure = comes.figure
    needs = kind.text(max(bought.asks, bought.figure))
    if bought.grows >= SHOWN:
        needs += f" x {times(bought.grows)} that shorter waits let through"
    if bought.more:
        needs = f"({needs} + {kind.text(bought.more)} that a smaller buffer pool misses)"
    asked = f"{needs} / {ROOM} = {kind.text(bought.wanted)}"
    if comes is not None:
        without = f"{comes.volume} has {kind.text(figure)} without its being bought"
        return _Aim(figure, f"{asked}; {without}", comes)
    if beyond:
        return _Aim(figure, f"{asked}, more than {kind.text(figure)}, {beyond}")
    return _Aim(figure, f"{asked}, rounded up to {kind.text(figure)}")


def first_with(included: Sequence[Included], figure: float) -> Included | None:
    """The smallest of what comes with volumes that has a figure; None where none has."""
    return next((each for each in included if each.figure >= figure), None)


def _bought(
    card: Card, bought: Bought, change: Change, *, effect: str, **says: Unpack[Says]
) -> Judged:
    """Recommend the purchase, or show it for what is left once the pool is larger.

    A limit that no known cloud sells may cost no money either: it does not wait.
    """
    if bought.pool is None or bought.where != WHERE[True]:
        return card.recommend(change, effect=effect, **says)
    return bought.pool.buys(card.but(**says), change)


def _look_up(bought: Bought, wanted: str) -> tuple[str, ...]:
    """The step that looks for what would end more; none where the machine's limit is known."""
    if bought.end is not None and bought.end.ceiling.of_machine:
        return ()
    return (f"Look up the machine's own limit: below {wanted} a larger machine comes first.",)


def _no_room(bought: Bought, end: Nearest, kind: LimitWords) -> str:
    """Say why more of this kind would bring little: what has to be raised first."""
    if end.ceiling.of_machine:
        return (
            f"The machine's own limit is {end.ceiling.text}: a larger machine comes before a "
            f"larger volume. {bought.less}"
        )
    return (
        f"{end.ceiling.name} ends it at {kind.text(end.at)}: more {kind.buys} alone would bring "
        f"little, both have to be raised. {bought.less}"
    )


def _larger_volume(card: Card, bought: Bought, grown: ProvisionedLimit, kind: LimitWords) -> Answer:
    """Enlarge it: the figure comes with its size, and grows with each GiB."""
    # Its limit of the other kind grows with it.
    machines = bought.end is not None and bought.end.ceiling.of_machine
    # No volume is made smaller again: it gets what is asked today, and more once that is used.
    alone = replace(bought, end=bought.end if machines else None, grows=1.0)
    aim = _aim(alone, grown.most or math.inf, kind)
    now, gib = (grown.gib_for(figure) for figure in (bought.figure, aim.figure))
    least = f"{math.ceil(gib - 1e-6):,} GiB"
    card = _letting_pass(card, aim.figure / bought.figure)
    each = f"{kind.text(grown.per_gib)} per GiB"
    base = f"({kind.text(aim.figure)} - {kind.text(grown.base)}) / " if grown.base else ""
    return _bought(
        card,
        bought,
        by_hand(
            f"a volume of at least {least}",
            f"Enlarge the volume to at least {least}",
            (
                *_look_up(bought, kind.text(aim.figure)),
                f"Enlarge it, {bought.where}: that works online.",
                "Let the file system grow into it (xfs_growfs, resize2fs).",
                bought.proof,
            ),
            ("Move the data to a smaller volume: none is made smaller.",),
            Needs.MONEY,
        ),
        setting="size of the volume",
        now=f"{now:,.0f} GiB",
        effect=f"The server no longer waits for the limit, which comes with the volume's size: "
        f"{grown.name}. {bought.less}",
        formula=f"{aim.formula}; {base}{each} = {least}",
        risk="It costs money each month, and no volume is made smaller again.",
        cost_of_error="Money for room that is not used.",
        side_effects="None for the server.",
        verify=bought.verify,
    )


def _of_larger_size(
    card: Card, bought: Bought, aim: _Aim, comes: Included, kind: LimitWords
) -> Answer:
    """Enlarge it to the size from which on it has more: its figures can't be bought below that."""
    wanted, gib = kind.text(aim.figure), f"{comes.least_gib:,} GiB"
    along = io_rate(comes.along, in_bytes=not kind.in_bytes)
    return _bought(
        _letting_pass(card, aim.figure / bought.figure),
        bought,
        by_hand(
            f"{gib} of {GP3} with {wanted}, never smaller again",
            f"Enlarge the volume to {gib} or more",
            (
                *_look_up(bought, wanted),
                f"Where it is no {GP3}, make it one: that works online.",
                f"Enlarge it to {gib} or more, {bought.where}: from there on it has {wanted} and "
                f"{along} without their being bought.",
                bought.proof,
            ),
            (SMALLER_AGAIN,),
            Needs.MONEY,
        ),
        setting="size of the volume",
        now=f"below {gib}",
        effect=f"The server no longer waits for the limit: below {gib} nothing but "
        f"{kind.text(bought.figure)} is sold there. {bought.less}",
        formula=aim.formula,
        risk="It costs money each month, and no volume is made smaller again.",
        cost_of_error="Money for room that is not used.",
        side_effects="None for the server; the volume may be slower during the change.",
        verify=bought.verify,
    )


def _another_volume(card: Card, bought: Bought, kind: LimitWords) -> Answer:
    """Move to what gives more: the figure comes with the volume's tier, or is the most."""
    limit = kind.text(bought.figure)
    return _bought(
        card,
        bought,
        by_hand(
            "another kind of volume, or several",
            f"Move to a volume that gives more than {limit}",
            (
                f"Look up which kinds of volume sell their {kind.buys} apart from their size, and "
                f"what the machine's own limit is: below {limit} a larger machine comes first.",
                "Move to one of them, or to several volumes striped: each has a limit of its own.",
                bought.proof,
            ),
            ("Move the data back to the old volume.",),
            Needs.MONEY,
        ),
        setting=kind.buys,
        now=limit,
        effect=f"The server no longer waits for the limit. It comes with the volume's tier, or is "
        f"the most of its kind, and can't be bought higher. {bought.less}",
        risk="The data has to be moved, and it costs money each month.",
        cost_of_error="A move, and money for provisioned capacity that is not used.",
        side_effects="The server stands still, or is slower, while the data is moved.",
        verify=bought.verify,
    )
