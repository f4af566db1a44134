"""Asks a Leadline for forecasts of kept watches; run as a program of its own, by any source tree.

Standard input has a JSON list of command lines; standard output gets the forecasts' documents in
that order, or the sentence that refuses one. Another tree's forecasts are so held beside this
one's: its folder is on PYTHONPATH then.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys


def main() -> None:
    """Ask, one after the other."""
    from app.cli.main import cli

    answers = []
    for arguments in json.load(sys.stdin):
        out, complaints = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(complaints):
            status = cli.main(arguments)
        refused = " ".join(complaints.getvalue().split())
        answers.append(json.loads(out.getvalue()) if status == 0 else refused)
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
