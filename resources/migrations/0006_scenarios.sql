-- What was forecast of a run's server, under a name. It stands apart from what was measured, which never changes.

CREATE TABLE scenarios (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    said TEXT NOT NULL,
    PRIMARY KEY (run_id, name)
) STRICT;
