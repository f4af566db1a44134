"""MariaDB's io_uring against the kernel's version.

## What it checks
Whether MariaDB may use io_uring under a kernel whose io_uring could lose the completion of a write.

## Why it matters
In Linux 5.11 to 5.15.2 a write submitted to io_uring could get lost: the server waits for it, hangs
and at last aborts. MariaDB 10.6.5 therefore kept native AIO off under these kernels. Releases with
`innodb_linux_aio` no longer check the kernel and use io_uring wherever it is available.

## How it is judged
- Native AIO off, or `innodb_linux_aio=aio`: fine, io_uring is not used.
- A kernel before 5.1 has no io_uring, one up to 5.10 or from 5.15.3 has a sound one: fine.
- A kernel from 5.11.1 to 5.15.2 by its own third number: `innodb_linux_aio=aio` is proposed where
  the server has it, else watched: only the error log shows whether it was built with io_uring.
- A name like 5.14.0-... or 5.15.0-... is a distribution's, which fixes without renumbering:
  watched.

## How to check by hand
`uname -r`, `uname -v`, and "Using io_uring" or "Using Linux native AIO" in the error log.

## Risk and undo
Low: libaio is what MariaDB used for years. A restart each way.

## When it is wrong
When the distribution backported the fix of 5.15.3 to an older kernel.

## References
- MariaDB MDEV-26674 and MDEV-36234; MariaDB 10.6.5 release notes
- Linux 5.16-rc1, fs/io-wq: the fix, in 5.15.3 as well
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_KERNEL
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Knowledge, Stakes, change, mariadb, rule
from advisor.rulekit.kernels import Uring, uring

SETTING = "innodb_linux_aio"


@rule(
    topic="Threads",
    do="Check the error log for io_uring",
    needs=(MYSQL_VERSION, variable("innodb_use_native_aio"), HOST_KERNEL),
    uses=(variable(SETTING),),
    settings=(SETTING,),
    applies_to=(mariadb("10.6"),),
    stakes=Stakes.DATA,
    knowledge=Knowledge.DOCUMENTED,
    guards_data=True,
)
def check(facts: Facts) -> Answer:
    """Join what the server may use with what the kernel's name says."""
    kernel, choice = facts.get(HOST_KERNEL), facts.find(variable(SETTING))
    state = uring(kernel)
    certain = state is Uring.LOSES_WRITES
    card = facts.card(
        f"Kernel {kernel} can lose a write that is submitted to io_uring, and "
        f"{'the server may use it' if choice is None else f'{SETTING} is {choice.value}'}."
        if certain
        else f"The name of kernel {kernel} does not show whether its io_uring is fixed.",
        setting=SETTING,
        now="" if choice is None else choice.now,
        formula=f"5.11 ≤ {kernel} < 5.15.3",
        flips_when="the kernel is 5.15.3 or newer",
        valid="For a MariaDB that was built with io_uring.",
    )
    sound = ""
    if not facts.get(variable("innodb_use_native_aio")).on:
        sound = "native AIO is off, so io_uring is not used"
    elif choice is not None and choice.value.lower() == "aio":
        sound = "the server uses libaio"
    elif state in (Uring.ABSENT, Uring.SOUND):
        sound = "it has no io_uring" if state is Uring.ABSENT else "its io_uring is sound"
    if sound:
        return card.fine(
            saw=f"The kernel is {kernel}; {sound}.",
            formula="lost writes: 5.11 ≤ kernel < 5.15.3",
            flips_when="a kernel from 5.11 to 5.15.2 is booted and io_uring is used",
        )
    if certain and choice is not None:
        return card.recommend(
            change(facts.version, choice, "aio"),
            effect="A lost write no longer hangs the server: libaio does not use io_uring.",
            because="The fault and its fix are documented; whether this kernel has the fix is not "
            "known.",
            risk="Low: needs a restart.",
            cost_of_error="Little: libaio was the only way before 10.6.",
            side_effects="Each request costs somewhat more CPU than with io_uring.",
        )
    return card.watch(
        "Check the error log for io_uring, and the changelog of the kernel package for the fix of "
        "5.15.3.",
        confidence=Confidence.MEDIUM if certain else Confidence.LOW,
        because="Distributions fix kernels without changing their number.",
    )
