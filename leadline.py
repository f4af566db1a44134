"""Starts an installed Leadline: what the command ``leadline`` and ``python -m leadline`` run.

Its folders are called app, advisor, probes and resources. A package of another program may have
one of the same name, and installers overwrite files without asking: where both were installed
into one environment, this says so, and starts neither's code.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

FOLDERS = ("app", "advisor", "probes", "resources")
_WHAT_TO_DO = """\
Install Leadline into an environment of its own: pipx install leadline
(or: uv tool install leadline), then take it out of this one: pip uninstall leadline
"""


def main() -> None:
    """Run the command line of this copy, or end with status 1 where others share its folders."""
    shared = foreign(Path(__file__).parent)
    if shared:
        sys.stderr.write("Leadline can't start: other programs here use the same folders.\n")
        sys.stderr.writelines(f"  {each}\n" for each in shared)
        sys.stderr.write(_WHAT_TO_DO)
        sys.exit(1)
    from app.__main__ import main as run  # noqa: PLC0415 - it is Leadline's own only now

    run()


def foreign(home: Path) -> list[str]:
    """What is in the way of the copy in ``home``, a line for each package or folder."""
    found = []
    for record in sorted(home.glob("*.dist-info/RECORD")):
        name, _, version = record.parent.name.removesuffix(".dist-info").partition("-")
        if name == "leadline":
            continue
        files = b"\n" + record.read_bytes()
        theirs = [folder for folder in FOLDERS if f"\n{folder}/".encode() in files]
        if theirs:
            found.append(f"{name} {version} has {', '.join(f'{each}/' for each in theirs)}")
    for folder in FOLDERS:
        ours, spec = home / folder / "__init__.py", find_spec(folder)
        if not ours.is_file():
            found.append(f"{folder}/ of Leadline is lost: another package has taken it away")
        elif spec is not None and spec.origin is not None and not ours.samefile(spec.origin):
            found.append(f"{Path(spec.origin).parent} is found before Leadline's {folder}/")
    return found


if __name__ == "__main__":
    main()
