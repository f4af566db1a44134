"""MariaDB's io_uring against the kernel below it.

## What it checks
Whether MariaDB may use io_uring under a kernel whose io_uring could lose the completion of a write.

## Why it matters
In Linux 5.11 to 5.15.2 a write handed to io_uring could vanish: the server waits for it, hangs and
at last aborts. MariaDB 10.6.5 therefore kept native AIO off under these kernels. Releases with
`innodb_linux_aio` no longer look at the kernel and take io_uring wherever it is offered.

## How it is judged
- Native AIO off, or `innodb_linux_aio=aio`: fine, io_uring is not used.
- A kernel before 5.1 has no io_uring, one up to 5.10 or from 5.15.3 has a sound one: fine.
- A kernel from 5.11.1 to 5.15.2 by its own third number: `innodb_linux_aio=aio` is proposed where
  the server has it, else watched: whether it was built with io_uring, only its error log tells.
- A name like 5.14.0-... or 5.15.0-... is a distribution's, which mends without renumbering:
  watched.

## How to check by hand
`uname -r`, `uname -v`, and "Using io_uring" or "Using Linux native AIO" in the error log.

## Risk and undo
Low: libaio is what MariaDB used for years. A restart each way.

## When it is wrong
When the distribution carried the mend of 5.15.3 back into an older kernel.

## References
- MariaDB MDEV-26674 and MDEV-36234; MariaDB 10.6.5 release notes
- Linux 5.16-rc1, fs/io-wq: the mend, in 5.15.3 as well
"""

from __future__ import annotations

from advisor.facts.known import HOST_KERNEL, MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.kernels import Uring, uring
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb
from advisor.variables.standing import Standing
from probes.version import ServerVersion

SETTING = "innodb_linux_aio"


@rule(
    topic="Threads",
    needs=(MYSQL_VERSION, variable("innodb_use_native_aio"), HOST_KERNEL),
    uses=(variable(SETTING),),
    settings=(SETTING,),
    applies_to=(mariadb("10.6"),),
)
def check(facts: Facts) -> Answer:
    """Join what the server may use with what the kernel's name tells."""
    native = facts.get(variable("innodb_use_native_aio"))
    kernel = facts.get(HOST_KERNEL)
    choice = facts.find(variable(SETTING))
    if not native.on:
        return _fine(choice, kernel, "native AIO is off, so io_uring is not used")
    if choice is not None and choice.text.lower() == "aio":
        return _fine(choice, kernel, "the server uses libaio")
    state = uring(kernel)
    if state in (Uring.ABSENT, Uring.SOUND):
        return _fine(choice, kernel, f"io_uring is {state.value} in it")
    if state is Uring.LOSES_WRITES and choice is not None:
        return _safer(facts.get(MYSQL_VERSION), choice, kernel)
    return _watched(choice, kernel, state)


def _safer(version: ServerVersion, choice: Standing, kernel: str) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        f"Kernel {kernel} can lose a write that is handed to io_uring, and {SETTING} is "
        f"{choice.text}.",
        SETTING,
        choice.now,
        effect="A lost write no longer hangs the server: libaio takes another way to the drive.",
        confidence=Confidence.MEDIUM,
        risk="Low: takes a restart.",
        flips_when="the kernel is 5.15.3 or newer",
        gain=0.8,
        formula=f"5.11 <= {kernel} < 5.15.3",
        valid="MariaDB built with io_uring; kernels without the mend carried back",
        because="The fault and its mend are documented; whether this kernel was mended is not.",
        cost_of_error="Little: libaio was the only way before 10.6.",
        side_effects="Each request costs somewhat more CPU than with io_uring.",
    ).by(change(version, choice, "aio"))


def _watched(choice: Standing | None, kernel: str, state: Uring) -> Judged:
    certain = state is Uring.LOSES_WRITES
    saw = (
        f"Kernel {kernel} can lose a write that is handed to io_uring, and the server may use it."
        if certain
        else f"The name {kernel} does not tell whether its io_uring has been mended."
    )
    return Judged(
        Verdict.WATCH,
        saw,
        SETTING,
        "" if choice is None else choice.now,
        effect="Look into the error log for io_uring, and into the kernel package's list of "
        "changes for the mend of 5.15.3.",
        confidence=Confidence.MEDIUM if certain else Confidence.LOW,
        flips_when="the kernel is 5.15.3 or newer",
        gain=0.5 if certain else 0.2,
        formula=f"5.11 <= {kernel} < 5.15.3, as far as the name tells",
        valid="MariaDB built with io_uring",
        because="Distributions mend kernels without changing their number.",
        cost_of_error="A look into a log for nothing.",
    )


def _fine(choice: Standing | None, kernel: str, why: str) -> Judged:
    return Judged(
        Verdict.FINE,
        f"The kernel is {kernel}; {why}.",
        SETTING,
        "" if choice is None else choice.now,
        effect="Fine as it is.",
        flips_when="a kernel from 5.11 to 5.15.2 is booted and io_uring is used",
        formula="faulty from 5.11 up to, not including, 5.15.3",
        valid="MariaDB 10.6 and newer on Linux",
        because="The fault, its mend and their kernels are documented.",
    )
