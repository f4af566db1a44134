"""Machines and servers that get much advice, with a few words that try to be more: by a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from advisor.case import Case
from probes.inventory.facts import RawInventory
from probes.inventory.read import read
from tests.rules.recorded import variables_of

MARK = "touch MARKER"
WORDS = (
    f"x\", RUN+=\"/bin/sh -c '{MARK}'",
    *(f"$({MARK})", f"`{MARK}`", f"'; {MARK}; '", f'"; {MARK}; "', f"x\n{MARK}", f"| {MARK}"),
    *(f"x\u2028{MARK}", f"x\r{MARK}", f"x > MARKER; {MARK}", f"&& {MARK}", f"\\'; {MARK} #"),
    *("x\n--init_file=/x", "x\n[mysqld]\ninit_file=/x", "# x\ninit_file = /x", "1 init_file=/x"),
    *("{{ lookup('pipe', 'touch MARKER') }}", "{% raw %}", "{# x #}", "!unsafe x", "x: y", "- x"),
    *("--help", "-rf", "-a", "@/etc/passwd", "ON~general_log=on", "{DBInstanceClassMemory}"),
    *("*", "?", "[a-z]", "a|b", "%n", "\\x20", "a b", "\t", "", "/", "..", "=1", "~", "~root"),
    *("<img src=x onerror=alert(1)>", "![x](https://x/x.png)", "[x](javascript:1)", "```\n# x"),
    *("\u202ex", "\x1b[2J", "x\0y", "x" * 5000, "ü" * 3000, "'); DROP TABLE t; -- ", "1; SET x"),
)
LINES = (
    *("* * * * * root touch MARKER", "root:x:0:0::/root:/bin/sh", "[mysqld]", "innodb_x = 1"),
    *("init_file = /x", "loose_innodb_file_format = 1", "innodb-checksums=1 # x", "x" * 4090),
)
FILES = ("/etc/crontab", "/etc/passwd", "/etc/my.cnf", "/etc/mysql/x.ini", "~/.my.cnf", "my.cnf")
GONE = ("innodb_file_format", "innodb_large_prefix", "innodb_checksums", "innodb_support_xa")
SERVERS = (
    ("mysql-8.0.33", "8.0.33", ""),
    ("mysql-8.0.33", "8.0.33-google", ""),
    ("mysql-8.0.33", "8.0.33-azure", ""),
    ("mysql-8.0.33", "8.0.33", "/rdsdbbin/mysql/"),
    ("mariadb-10.11.19", "10.11.19-MariaDB", ""),
    ("mariadb-10.5.23", "10.5.23-MariaDB", ""),
)
_KERNEL = {
    "/proc/sys/vm/swappiness": "90",
    "/proc/sys/vm/zone_reclaim_mode": "1",
    "/proc/sys/kernel/numa_balancing": "1",
    "/proc/sys/kernel/osrelease": "6.8.0-generic",
    "/sys/kernel/mm/transparent_hugepage/enabled": "[always] madvise never",
    "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave",
    "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver": "acpi-cpufreq",
    "/sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet",
    "/sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc hpet",
    "/sys/devices/system/node/online": "0-1",
    "/proc/meminfo": "MemTotal: 67108864 kB\nMemAvailable: 60000000 kB\nSwapTotal: 9000000 kB\n"
    "SwapFree: 100 kB\n",
}
_QUEUE = {
    "size": "4000000000",
    "queue/rotational": "0",
    "queue/scheduler": "[bfq] none",
    "queue/nr_requests": "32",
    "queue/read_ahead_kb": "0",
    "queue/write_cache": "write through",
    "queue/discard_max_bytes": "100",
    "device/queue_depth": "1",
    "device/scsi_disk/0:0:0:0/cache_type": "write back",
}


def hostile_case(seed: int) -> Case:
    """A case whose inventory was read of answers with one to four such words in them."""
    chance = random.Random(seed)
    kind, version, base = chance.choice(SERVERS)
    machine = _machine(chance)
    variables = variables_of(kind) | {
        "datadir": "/data/mysql/",
        "basedir": base,
        "innodb_io_capacity": "20000",
        "innodb_adaptive_flushing": "OFF",
        "innodb_doublewrite": "OFF",
        "innodb_flush_neighbors": "1",
        "innodb_stats_on_metadata": "ON",
        "innodb_adaptive_hash_index": "ON",
        "innodb_page_size": "16384",
        "innodb_fast_shutdown": "2",
        "innodb_flush_log_at_trx_commit": "2",
        "sync_binlog": "0",
    }
    server: dict[str, Any] = {
        "variables": variables,
        "version": {"version": version, "comment": "MySQL"},
        "origins": {name: ["GLOBAL", "/etc/my.cnf"] for name in list(variables)[:40]},
        "target": "db7",
    }
    for _ in range(chance.randint(1, 4)):
        chance.choice(_PLACES)(machine, server, chance)
    answers = {
        "agent.inventory": json.dumps(machine),
        "mysql.over": "socket",
        "mysql.version": json.dumps(server["version"]),
        "mysql.variables": json.dumps(server["variables"]),
        "mysql.origins": json.dumps(server["origins"]),
    }
    return Case(server["target"], read(RawInventory("2026-11-21T04:00:00+00:00", answers)))


def _machine(chance: random.Random) -> dict[str, Any]:
    """Two machines: a volume of the device mapper with ext4, a plain disk with xfs."""
    mapped = chance.random() < 0.6
    device = "253:0" if mapped else "8:0"
    options = chance.choice(("rw,strictatime,discard", "rw,nobarrier,data=journal", "rw"))
    kind = chance.choice(("ext4", "ext4", "xfs", "btrfs", "zfs", "nfs4"))
    lines = [
        {
            "file": chance.choice(("/etc/my.cnf", "/etc/mysql/conf.d/a.cnf")),
            "line": number,
            "group": "mysqld",
            "name": name,
            "value": "1",
            "text": f"{name} = 1",
        }
        for number, name in enumerate([*GONE, *(f"loose_{each}" for each in GONE)], 1)
    ]
    path = {
        "path": "/data/mysql",
        "resolved": "/data/mysql",
        "exists": True,
        "device": device,
        "block_bytes": 4096,
        "blocks": 9_000_000,
        "blocks_free": 5_000_000,
        "blocks_available": 4_000_000,
    }
    return {
        "hostname": "db7",
        "arch": "amd64",
        "files": _KERNEL
        | {"/proc/self/mountinfo": f"50 1 {device} / /data {options} - {kind} /dev/x {options}\n"},
        "paths": {"data": path, "probe": path},
        "block": {
            "8:0": {"name": "sda", "path": "/block/ata1/sda", "files": dict(_QUEUE)},
            "253:0": {
                "name": "dm-0",
                "files": {**_QUEUE, "dm/name": "vg0-data", "dm/uuid": "LVM-abc"},
                "slaves": ["8:0"],
            },
        },
        "server": {
            "pid": 7,
            "files": {"status": "VmRSS: 1000 kB\nVmSwap: 900000 kB\n"},
            "options": {"files": [{"path": "/etc/my.cnf"}], "lines": lines},
        },
    }


_Place = Callable[[dict[str, Any], dict[str, Any], random.Random], None]


def _device(machine: dict[str, Any], _: dict[str, Any], chance: random.Random) -> None:
    entry = chance.choice(list(machine["block"].values()))
    word = chance.choice(WORDS)
    if chance.random() < 0.5 and "dm/name" in entry["files"]:
        entry["files"]["dm/name"] = word
    elif chance.random() < 0.6:
        entry["name"] = word
    else:
        entry["files"][chance.choice(("queue/scheduler", "dm/uuid", "device/model"))] = word


def _octal(text: str) -> str:
    """As the kernel writes it into its table of mounts."""
    return "".join(f"\\{ord(each):03o}" if each in " \t\n\\" else each for each in text)


def _mount(machine: dict[str, Any], _: dict[str, Any], chance: random.Random) -> None:
    line = machine["files"]["/proc/self/mountinfo"].rstrip("\n").split(" ")
    octal = _octal(chance.choice(WORDS))
    line[chance.choice((4, 5, 7, 8, 9))] = octal
    machine["files"]["/proc/self/mountinfo"] = " ".join(line)


def _mount_below(machine: dict[str, Any], _: dict[str, Any], chance: random.Random) -> None:
    """A point that holds the data's path, which begins with it."""
    point = "/data " + chance.choice(WORDS).replace("/", "_")
    octal = _octal(point)
    content = machine["files"]["/proc/self/mountinfo"]
    machine["files"]["/proc/self/mountinfo"] = content.replace(" /data ", f" {octal} ")
    for path in machine["paths"].values():
        path["path"] = path["resolved"] = f"{point}/mysql"


def _kernel(machine: dict[str, Any], _: dict[str, Any], chance: random.Random) -> None:
    name = chance.choice([name for name in _KERNEL if name != "/proc/meminfo"])
    machine["files"][name] = chance.choice((chance.choice(WORDS), f"[{chance.choice(WORDS)}] x"))


def _line(machine: dict[str, Any], _: dict[str, Any], chance: random.Random) -> None:
    options = machine["server"]["options"]
    line = chance.choice(options["lines"])
    key = chance.choice(("file", "text", "text", "group", "name", "value"))
    line[key] = chance.choice({"file": FILES, "text": LINES}.get(key, WORDS) + WORDS)
    if chance.random() < 0.3:
        options["suffix"] = chance.choice(WORDS)
        line["group"] = "mysqld" + options["suffix"]
    if chance.random() < 0.3:
        options["files"].append({"path": chance.choice(FILES + WORDS)})


def _variable(_: dict[str, Any], server: dict[str, Any], chance: random.Random) -> None:
    name = chance.choice(list(server["variables"]))
    server["variables"][name] = chance.choice(WORDS)


def _origin(_: dict[str, Any], server: dict[str, Any], chance: random.Random) -> None:
    name = chance.choice(list(server["variables"]))
    server["origins"][name] = ["EXPLICIT", chance.choice(FILES + WORDS)]


def _name(_: dict[str, Any], server: dict[str, Any], chance: random.Random) -> None:
    server["target"] = chance.choice(WORDS)
    if chance.random() < 0.3:
        server["version"]["version"] += chance.choice(WORDS)


_PLACES: tuple[_Place, ...] = (
    *(_device, _device, _mount, _mount_below, _kernel, _line, _line, _variable, _variable),
    *(_origin, _name),
)
