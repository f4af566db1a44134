"""The keys that do something, as the page of F1 lists them."""

from __future__ import annotations

from app.runtime.translation import tr_later

SHORTCUTS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        tr_later("Pages and targets"),
        (
            (
                tr_later("Ctrl+1 to Ctrl+6"),
                tr_later("Home, Watch, Probe, Advice, Compare, What if"),
            ),
            (tr_later("Ctrl+N"), tr_later("Add a target")),
            (tr_later("Ctrl+K"), tr_later("Go to any action, page, run or rule by its name")),
            (tr_later("Ctrl+F"), tr_later("Search targets and runs")),
            (tr_later("Ctrl+B"), tr_later("Show or hide the list of targets")),
            (tr_later("F2"), tr_later("Name the chosen run")),
            (tr_later("Delete"), tr_later("Delete the chosen run or target")),
            (tr_later("Ctrl+Z"), tr_later("Take a deletion back, while the notice offers it")),
            (tr_later("Alt"), tr_later("Underline the letters that Alt reaches")),
            (tr_later("F1"), tr_later("This page")),
            (tr_later("Esc"), tr_later("Clear a search; leave this page, a list or a dialog")),
        ),
    ),
    (
        tr_later("Measuring"),
        (
            (tr_later("Ctrl+R"), tr_later("Probe: go to the set-up, then start")),
            (tr_later("Ctrl+Shift+R"), tr_later("Watch the server's own work")),
            (tr_later("Ctrl+Shift+B"), tr_later("Bench directories in turn, and compare them")),
            (tr_later("F5"), tr_later("Look at the target again")),
            (tr_later("Ctrl+."), tr_later("Stop every run, after a question")),
        ),
    ),
    (
        tr_later("Advice and files"),
        (
            (tr_later("Ctrl+Shift+F"), tr_later("Search the advice")),
            (tr_later("Space"), tr_later("Take advice into the plan, or leave it out")),
            (tr_later("Ctrl+Shift+C"), tr_later("Copy the change plan")),
            (tr_later("Ctrl+P"), tr_later("A report for a client: its pages, PDF or HTML")),
            (tr_later("Ctrl+E"), tr_later("Save the chart")),
            (tr_later("Ctrl+Shift+E"), tr_later("Save the advice or the case as a file")),
            (
                tr_later("Ctrl+I"),
                tr_later("Import files of fio, sysbench or iostat, and cases; or drop them here"),
            ),
        ),
    ),
    (
        tr_later("In a chart"),
        (
            (tr_later("Left, Right"), tr_later("Move the cursor from point to point")),
            (tr_later("Up, Down"), tr_later("Go from curve to curve at the cursor")),
            (tr_later("Enter"), tr_later("Show what the point was made of")),
            (tr_later("Page Up, Page Down"), tr_later("The point before, the next one")),
            (tr_later("Backspace"), tr_later("Back to all points")),
        ),
    ),
)
"""By what they are for: the keys, and what they do."""
