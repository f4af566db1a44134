"""How the machine is changed and changed back: kernel settings, sysfs, mounts, work by hand.

What comes from a machine (paths, device names) is written as each language takes it
(``advisor.plan.foreign_words``); where one can't say it, a step by hand stands in its place.
"""

from __future__ import annotations

import re
from dataclasses import replace

from advisor.plan import foreign_words
from advisor.plan.foreign_words import UnsayableError, fstab, shell, udev
from advisor.steps import Change, HostCommand, Needs, Procedure, Step
from probes.figures import THIN
from probes.inventory.facts import Disk, Storage

_BREAKS = re.compile(rf"[^\S{THIN}]+")
"""White space that may end a line; the one between a figure and its unit does not."""

SYSCTL_FILE = "/etc/sysctl.d/zz-leadline.conf"
TMPFILES_FILE = "/etc/tmpfiles.d/zz-leadline.conf"
"""Of several files that set one name the last by name counts, and 99-sysctl.conf is a usual one."""


def sysctl(name: str, now: float, value: str) -> Change:
    """Set a kernel parameter at once, and at each boot."""
    name, value = foreign_words.sysctl(name), foreign_words.sysctl(value)
    return commands(
        value,
        HostCommand(
            what=f"Set {name} to {value}",
            run=f"sysctl -w {name}={value}",
            undo=f"sysctl -w {name}={now:g}",
            verify=f"sysctl -n {name}",
            keep_file=SYSCTL_FILE,
            keep_line=f"{name} = {value}",
        ),
    )


def system_file(what: str, path: str, now: str, value: str) -> Change:
    """Write a word into a file below /sys, at once and at each boot (by systemd-tmpfiles).

    ``path`` may hold a ``*`` for each processor.
    """
    path, first = foreign_words.tmpfiles(path), path.replace("*", "0")
    return commands(
        value,
        HostCommand(
            what=what,
            run=_written(value, path),
            undo=_written(now, path),
            verify=f"cat {first}",
            keep_file=TMPFILES_FILE,
            keep_line=f"w {path} - - - - {foreign_words.tmpfiles(value)}",
        ),
    )


def queue_setting(
    disks: tuple[Disk, ...], name: str, old: tuple[str, ...], value: str, *, mapped: str = ""
) -> Change:
    """Set ``queue/NAME`` of each disk at once, and whenever the disk appears (by udev).

    ``mapped`` is the device mapper's name of a single device, whose kernel name (dm-0) may be
    another device's after the next boot.
    """
    return _change(
        value,
        tuple(
            step
            for disk, was in zip(disks, old, strict=True)
            for step in _kept(
                disk,
                f"queue/{name}",
                value,
                mapped,
                HostCommand(
                    what=f"Set {name} of {disk.name} to {value}",
                    run=_device_written(disk, f"queue/{name}", value),
                    undo=_queue_restored(disk, name, was),
                    verify=f"cat {shell(_device_file(disk, f'queue/{name}'))}",
                ),
            )
        ),
    )


def device_setting(
    disks: tuple[Disk, ...], what: str, attribute: str, old: str, value: str
) -> Change:
    """The same for any attribute of each disk; ``what`` says it, with ``{disk}`` for its name."""
    return _change(
        value,
        tuple(
            step
            for disk in disks
            for step in _kept(
                disk,
                attribute,
                value,
                "",
                HostCommand(
                    what=what.format(disk=disk.name),
                    run=_device_written(disk, attribute, value),
                    undo=_device_written(disk, attribute, old),
                    verify=f"cat {shell(_device_file(disk, attribute))}",
                ),
            )
        ),
    )


def _kept(
    disk: Disk, attribute: str, value: str, mapped: str, command: HostCommand
) -> tuple[Step, ...]:
    """A command with the rule that repeats it; where no rule can name the device, it is said."""
    name = attribute.rpartition("/")[2]
    try:
        match = _match(disk, mapped)
    except UnsayableError as error:
        return command, _unkept(mapped or disk.name, name, value, error)
    line = f'ACTION=="add|change", SUBSYSTEM=="block", {match}, ATTR{{{attribute}}}="{value}"'
    return (replace(command, keep_file=_udev_file(name), keep_line=line),)


def _match(disk: Disk, mapped: str) -> str:
    if mapped:
        return f'ENV{{DM_NAME}}=="{udev(mapped)}"'
    return f'KERNEL=="{udev(disk.name)}"'


def _unkept(device: str, name: str, value: str, error: UnsayableError) -> Procedure:
    device = one_line(device)
    return Procedure(
        what=f"Keep {name} of {device} over a boot",
        steps=(
            f"No udev rule is given: the name {device} {error}. Write one that knows the device by "
            f"something else, such as its serial number, or set {name} to {value} after each boot.",
        ),
        undo=("Take that rule out again.",),
        needs=Needs.OS,
    )


def _queue_restored(disk: Disk, name: str, was: str) -> str:
    """A change of the scheduler makes the kernel forget nr_requests, which has to come back too."""
    written = _device_written(disk, f"queue/{name}", was)
    if name != "scheduler" or disk.nr_requests is None:
        return written
    return f"{written} && {_device_written(disk, 'queue/nr_requests', str(disk.nr_requests))}"


def _device_written(disk: Disk, attribute: str, value: str) -> str:
    return f"echo {shell(value)} > {shell(_device_file(disk, attribute))}"


def _device_file(disk: Disk, attribute: str) -> str:
    return f"/sys/block/{disk.name}/{attribute}"


def _udev_file(name: str) -> str:
    """Where a drive's setting is kept. Files are read in order, and a scheduler undoes others."""
    return f"/etc/udev/rules.d/90-leadline-{1 if name == 'scheduler' else 2}-{name}.rules"


def remounted(storage: Storage, option: str, back: str) -> Change:
    """Give a mount another option at once, and say what to write into /etc/fstab."""
    option, back, point = fstab(option), fstab(back), shell(storage.mount_point)
    command = HostCommand(
        what=f"Mount {one_line(storage.mount_point)} with {option}",
        run=f"mount -o remount,{option} {point}",
        undo=f"mount -o remount,{back} {point}",
        verify=f"findmnt -no OPTIONS {point}",
    )
    line = f"the line of {one_line(storage.mount_point)} in /etc/fstab"
    keep = Procedure(
        what="Keep the mount option over a boot",
        steps=(f"In {line}, or in its mount unit, write {option} among the options.",),
        undo=(f"Write {back} there again.",),
        needs=Needs.OS,
    )
    return _change(option, (command, keep))


def by_hand(
    proposed: str, what: str, steps: tuple[str, ...], undo: tuple[str, ...], needs: Needs
) -> Change:
    """Give work that people do in order; ``needs`` says what it costs to be wrong."""
    lines = tuple(one_line(step) for step in steps)
    back = tuple(one_line(step) for step in undo)
    return _change(proposed, (Procedure(what, lines, back, needs),), needs)


def commands(proposed: str, *made: HostCommand) -> Change:
    """Give shell lines for root, each with its way back."""
    return _change(proposed, made)


def together(first: Change, second: Change) -> Change:
    """Join two changes of one setting: first the one, then the other."""
    dearer = max(first.needs, second.needs, key=list(Needs).index)
    return _change(first.proposed, first.steps + second.steps, dearer)


def one_line(text: str) -> str:
    """Keep a foreign text within its line: a line break would leave a comment."""
    return _BREAKS.sub(" ", text).strip()


def _change(proposed: str, steps: tuple[Step, ...], needs: Needs = Needs.OS) -> Change:
    return Change(proposed, needs, steps)


def _written(value: str, path: str) -> str:
    if "*" in path:
        return f"for each in {path}; do echo {shell(value)} > $each; done"
    return f"echo {shell(value)} > {path}"
