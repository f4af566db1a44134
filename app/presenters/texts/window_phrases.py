"""The command line's phrases and commands, each with what the window has in its place.

Written out, since each is a literal that its test looks up: “…” is a caption, a button or an entry
of a menu.
"""

from __future__ import annotations

Pairs = tuple[tuple[str, str], ...]

_WATCH = "“Watch the server”"
_CHECK = "“Measure › Whole check”"
_CHOSEN = "Measure › Chosen probes"
_LAB = "“Ask the lab…”"
_TEXTS = "“Import a server's texts…”"
_ADD = "“Add a server…”"
_CASE = "“Export the advice or the case…”"

PHRASES: Pairs = (
    # A server, and how it is reached.
    (
        "Name it and an account with --mysql, or in the target's settings",
        f"Name it and an account by {_ADD}",
    ),
    ("Name one with --mysql, or use --sandbox", f"Name one by {_ADD}, or tick {{--sandbox}}"),
    (r"([Nn])ame (one|how it is reached),? (?:with|by) --mysql", rf"\1ame \2 by {_ADD}"),
    ("--mysql 'socket=([^']+)'", r"socket \1"),
    (r"--mysql socket=([^\s,)]+)", r"socket \1"),
    (r"save its address \(`leadline targets add [^`]*`\)", "save its address (“Edit…”)"),
    (r"\b([Ll])eave --sudo out", r"\1eave {--sudo} unticked"),
    ("With --sudo,", "With {--sudo} ticked,"),
    # A run.
    (r"Judge the server without load \(--no-load\), watch it,", f"Watch it ({_WATCH}),"),
    ("Run `leadline check` on it", f"Measure it ({_CHECK})"),
    ("use --own-schema or --sandbox", "tick {--update} or {--sandbox}"),
    ("Leave out --sandbox", "Untick {--sandbox}"),
    ("measure without --sandbox", "untick {--sandbox}"),
    ("with --sandbox", "({--sandbox})"),
    (
        "At a quieter time leadline probe --probe point_select measures the lookups",
        f"At a quieter time “{_CHOSEN} › MySQL” measures the lookups",
    ),
    ("leadline probe storage --probe random_write", f"“{_CHOSEN} › Storage”"),
    (
        r"`leadline probe storage --block-sizes (\d+)k`",
        rf"“{_CHOSEN} › Storage” with \1 KiB among {{--block-sizes}}",
    ),
    # A trial or a lab.
    (r"Give --budget ([^.,]+), or a shorter --watch", r"Give \1 as {--budget}"),
    (r"Give --budget ([^.,]+)", r"Give \1 as {--budget}"),
    ("Give a longer --budget", "Give more as {--budget}"),
    (
        "With --restart you restart it, and Leadline looks before and after",
        "Where you restart it, “Before and after” lays two watches side by side",
    ),
    ("and --restart looks before and after", "and “Before and after” compares two watches"),
    (r"Try both together: --set (\S+) --set (\S+)\.", r"Try both together: \1, \2."),
    ("Ask for a smaller pool: --pool 256M", "Ask another {--ask}, of smaller servers"),
    ("Name another server program with --server", "Ask another {--ask}"),
    (", or name a server with --server", ""),
    # A forecast.
    ("Choose one of these with --page-size, or measure", "Measure"),
    # Imports, and what a server's texts do not say.
    ("or, where they are of one server, add --as NAME", f"or, of one server, {_TEXTS} reads it"),
    ("With `--as NAME` it is read", f"By {_TEXTS} it is read"),
    ("with --as a name of its own", "under a name of its own"),
    (
        r"Name it \(--version (\S+ or \S+); in the window under Version\)",
        r"Name it under “Version” (\1)",
    ),
    (r"or --memory (\S+) --cpus (\S+)", r"or \1 as {--memory} and \2 as {--cpus}"),
    (r" \(--apart does\)", ""),
    (r"\bby (--volume-iops|--volume-throughput)\b", r"under \1"),
    ("given with its unit, as --memory", "given with its unit, as {--memory}"),
    # What was kept.
    ("`leadline runs` lists", "The sidebar lists"),
    (r"`leadline runs show \d+` shows", "choosing it in the sidebar shows"),
    # The command line's alone.
    (
        r"`leadline probe storage` with\s`--buffers huge` and with `--buffers ordinary`",
        "“leadline probe storage --buffers huge” in a terminal, and the same with ordinary",
    ),
    ("`leadline try --mend` looks, and sets it back", "“Set it back” looks, and does so"),
    ("`leadline try --mend`", "“Set it back”"),
    ("`(leadline collect)`", r"“\1”"),
    (r"`(leadline variables[^`]*)`", r"“\1” in a terminal"),
)
"""Patterns, tried in this order; ``{--option}`` stands for the caption of the option's field."""

DEEDS: Pairs = (
    ("check --no-load", _WATCH),
    ("check --budget until-decided", "“Measure what is open”"),
    ("check", _CHECK),
    ("watch", _WATCH),
    ("probe storage", f"“{_CHOSEN} › Storage”"),
    ("probe redo", f"“{_CHOSEN} › Redo log”"),
    ("probe flush", f"“{_CHOSEN} › Page flushing”"),
    ("probe mixed", f"“{_CHOSEN} › Mixed load”"),
    ("probe steady", f"“{_CHOSEN} › Steady write”"),
    ("probe mysql", f"“{_CHOSEN} › MySQL”"),
    ("probe", f"“{_CHOSEN}”"),
    ("try", "“Try a change on the server…”"),
    ("lab", _LAB),
    ("import", _TEXTS),
    ("targets", "“Add a target…”"),
    ("forecast", "“What if”"),
    ("compare", "“Compare”"),
    ("bench", "“Compare drives…”"),
    ("history", "“The server over time”"),
    ("advise", "“Advice”"),
    ("report", "“Report for a client…”"),
    ("case", _CASE),
    ("runs delete", "“Delete the chosen run or target”"),
    ("runs", "the sidebar"),
)
"""How commands begin, what is longer first, with what is done in the window for them."""
