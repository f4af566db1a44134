"""The keys that do something, as the page of F1 lists them."""

from __future__ import annotations

SHORTCUTS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "Pages and targets",
        (
            (
                "Ctrl+1 to Ctrl+6",
                "Home, Watch, Measure, Advice, Compare, What if",
            ),
            ("Ctrl+0", "All servers in one table"),
            ("Ctrl+H", "The chosen server over time"),
            ("Ctrl+N", "Add a target"),
            ("Ctrl+K", "Go to any action, page, run or rule by its name"),
            ("Ctrl+F", "Search targets and runs"),
            ("Ctrl+B", "Show or hide the list of targets"),
            ("F2", "Name the chosen run"),
            ("Delete", "Delete the chosen run or target"),
            ("Ctrl+Z", "Undo what the last notice offers to undo"),
            ("Alt", "Underline the letters that Alt reaches"),
            ("Ctrl+,", "Settings"),
            ("F1", "Documentation, glossary and these keys"),
            ("Esc", "Clear a search; leave this page, a list or a dialog"),
        ),
    ),
    (
        "Measuring",
        (
            ("Ctrl+R", "Measure: go to the set-up, then start"),
            ("Ctrl+Shift+R", "Watch the server's own work"),
            ("Ctrl+T", "Try a change on the chosen server"),
            ("Ctrl+L", "Ask the lab"),
            ("Ctrl+Shift+B", "Compare drives: measure directories in turn"),
            ("F5", "Read the target again"),
            ("Ctrl+.", "Stop every run, after a question"),
        ),
    ),
    (
        "Advice and files",
        (
            ("Ctrl+Shift+F", "Search the advice"),
            ("Space", "Take advice into the plan, or leave it out"),
            ("Ctrl+Shift+C", "Copy the change plan"),
            ("Ctrl+P", "A report for a client: its pages, PDF or HTML"),
            ("Ctrl+E", "Save the chart"),
            ("Ctrl+Shift+E", "Save the advice or the case as a file"),
            (
                "Ctrl+I",
                "Import files of fio, sysbench or iostat, and cases; or drop them here",
            ),
        ),
    ),
    (
        "In a chart",
        (
            ("Left, Right", "Move the cursor from point to point"),
            ("Up, Down", "Go from curve to curve at the cursor"),
            ("Enter", "Show what the point was made of"),
            ("Page Up, Page Down", "The point before, the next one"),
            ("Backspace", "Back to all points"),
        ),
    ),
)
"""By what they are for: the keys, and what they do."""
