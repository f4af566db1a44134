"""What a computer gives too little of: said as that, and not as what failed for want of it."""

from __future__ import annotations

import errno

from probes.errors import LeadlineError


def scarce(error: BaseException) -> LeadlineError | None:
    """What there is too little of; None for any other fault."""
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, MemoryError) or number == errno.ENOMEM:
        return LeadlineError(
            "This computer gives Leadline too little memory.",
            "A limit (ulimit -v, a container's) or other programs take it: 2 GiB are enough.",
        )
    if number in {errno.EMFILE, errno.ENFILE}:
        return LeadlineError(
            "Leadline may open no more files here.", "Raise the limit: ulimit -n 1024."
        )
    return None


def scarce_for_a_command(error: OSError) -> LeadlineError | None:
    """The same of a command that could not be started."""
    if error.errno == errno.EAGAIN:
        return LeadlineError(
            "Leadline may start no more processes here.", "Raise the limit: ulimit -u 4096."
        )
    return scarce(error)
