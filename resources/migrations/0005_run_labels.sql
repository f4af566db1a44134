-- What people call a run. It stands apart from what was measured, which never changes.

CREATE TABLE run_labels (
    run_id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    tags TEXT NOT NULL CHECK (json_valid(tags)),
    notes TEXT NOT NULL
) STRICT;
