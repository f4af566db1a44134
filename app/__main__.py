"""Starts Leadline: the window, or what the command line asks for."""

from __future__ import annotations

import sys

from app.cli.main import cli


def main() -> None:
    """Run the command line with this process's arguments and end with its exit code."""
    sys.exit(cli.main(prog_name="leadline"))


if __name__ == "__main__":
    main()
