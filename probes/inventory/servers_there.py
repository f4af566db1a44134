"""The database servers that run on a machine behind SSH, and where they can be reached there.

The same of another machine's /proc as of this one's: a shell prints what ``servers_here`` reads.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from probes.inventory.servers_here import (
    PROGRAMS,
    Listening,
    RunningProcess,
    ServerHere,
    reached,
    servers_here,
    tcp_listening,
    unix_listening,
)
from probes.targets.target import Target

_MOST_BYTES = 4 << 20
_LOOK = r"""
printf 'own %s\n' "$(id -u)"
for folder in /proc/[0-9]*; do
  read -r comm 2>/dev/null <"$folder/comm" || continue
  case $comm in PROGRAMS) ;; *) continue ;; esac
  pid=${folder#/proc/}
  uid=$(sed -n 's/^Uid:[^0-9]*[0-9]*[^0-9]*\([0-9]*\).*/\1/p' "$folder/status" 2>/dev/null)
  [ -n "$uid" ] || continue
  printf 'process %s %s %s\n' "$pid" "$comm" "$uid"
  name=$(getent passwd "$uid" 2>/dev/null | cut -d: -f1)
  printf 'account %s %s\n' "$uid" "${name:-$uid}"
  if ls "$folder/fd" >/dev/null 2>&1; then
    printf 'open %s\n' "$pid"
    ls -l "$folder/fd" 2>/dev/null | sed -n "s/.* -> socket:\[\([0-9]*\)\]$/open $pid \1/p"
  fi
done
cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | sed 's/^/tcp /'
grep ' 00010000 ' /proc/net/unix 2>/dev/null | sed 's/^/unix /'
sed -n 's|.* 00010000 [^/]* \(/.*\)$|\1|p' /proc/net/unix 2>/dev/null | sort -u | tr '\n' '\0' |
  xargs -0 stat -L -c 'owner %u %F %n' -- 2>/dev/null
true
""".replace("PROGRAMS", "|".join(PROGRAMS))


def servers_on(target: Target) -> tuple[ServerHere, ...]:
    """Every server that a client on the target could reach, the oldest process first.

    Empty where it has no /proc, or what it prints is none. Raises TargetError.
    """
    if target.is_local:
        return servers_here()
    result = target.run(["sh", "-c", _LOOK], limit_bytes=_MOST_BYTES)
    found = defaultdict[str, list[list[str]]](list)
    for line in result.stdout.decode("utf-8", "surrogateescape").splitlines():
        what, _, fields = line.partition(" ")
        found[what].append(fields.split())
    try:
        return _read(found)
    except (ValueError, IndexError):
        return ()


def _read(found: Mapping[str, list[list[str]]]) -> tuple[ServerHere, ...]:
    """Raises ValueError and IndexError for what no /proc says."""
    owners = {
        " ".join(path): int(owner) for owner, kind, *path in found["owner"] if kind == "socket"
    }
    listening = [
        Listening(path, inode, owners[path])
        for path, inode in unix_listening(found["unix"])
        if path in owners
    ]
    listening += tcp_listening(found["tcp"])
    names = {int(owner): name for owner, name in found["account"]}
    inodes = {fields[0]: set[str]() for fields in found["open"]}
    for pid, *some in found["open"]:
        inodes[pid].update(some)
    processes = [
        RunningProcess(
            int(pid), program, int(owner), frozenset(inodes[pid]) if pid in inodes else None
        )
        for pid, program, owner in found["process"]
    ]
    processes.sort(key=lambda one: one.pid)
    own = int(found["own"][0][0])
    return reached(processes, listening, lambda owner: names.get(owner, str(owner)), own)
