-- What a table of servers shows of one, as it was judged: kept so that no start judges it again.

CREATE TABLE judged_rows (
    run_id INTEGER NOT NULL PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    -- what it was judged from, beside the run; another one is judged again
    made_of TEXT NOT NULL,
    row TEXT NOT NULL
) STRICT;
