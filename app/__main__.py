"""Starts Leadline: the window, or what the command line asks for."""

from __future__ import annotations

import os
import sys

from app.runtime.stopping import STOPPED, ending_in_time

_NOT_FOR_OTHERS = 0o022
"""The right to write, for group and others."""


def main() -> None:
    """Run the command line with this process's arguments and end with its exit code."""
    # Nothing that is written may be changed by others, however careless the session is.
    os.umask(os.umask(_NOT_FOR_OTHERS) | _NOT_FOR_OTHERS)
    if getattr(sys, "frozen", False) and sys.argv[1:] == ["--typeset"]:
        from advisor.report.forms.typesetting import main as typeset  # noqa: PLC0415 - for paper

        typeset()
        return
    with ending_in_time():
        try:
            from app.cli.main import cli  # noqa: PLC0415 - Ctrl-C may come while it is being loaded

            code = cli.main(prog_name="leadline")
        except KeyboardInterrupt:
            sys.stderr.write("Stopped.\n")
            code = STOPPED
        sys.exit(code)


if __name__ == "__main__":
    main()
