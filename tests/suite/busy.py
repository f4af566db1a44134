"""Runs a command beside eight busy processes for each processor: see ``make test-busy``.

No test may depend on how fast the machine is. What fails here and not on a quiet machine does.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack

PER_PROCESSOR = 8

# Ends with whoever started it, however that ends: its standard input closes then.
_BUSY = """
import os, sys, threading
def watch():
    sys.stdin.buffer.read()
    os._exit(0)
threading.Thread(target=watch, daemon=True).start()
while True:
    sum(range(100_000))
"""


def main() -> int:
    """Run the command in the arguments; returns its exit code."""
    with ExitStack() as stack:
        for _ in range(PER_PROCESSOR * (os.cpu_count() or 1)):
            busy = subprocess.Popen([sys.executable, "-S", "-c", _BUSY], stdin=subprocess.PIPE)
            stack.enter_context(busy)  # closes its input, and waits for its end
        return subprocess.run(sys.argv[1:], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
