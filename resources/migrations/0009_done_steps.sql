-- Which steps of its change plan a target has had: ticked by people, beside what was measured.

CREATE TABLE done_steps (
    target TEXT NOT NULL,
    step TEXT NOT NULL,
    done_at TEXT NOT NULL,
    PRIMARY KEY (target, step)
) STRICT;
