-- Trials: one change on a live server, switched back and forth. What was asked and how it ended, and
-- every pair of blocks as it came. Pins: values that a person keeps. The column of kinds is made anew
-- with one more, in runs that have ended as well, so the row of "cleaning" lets them be changed.

INSERT INTO cleaning (under_way) VALUES (1);

ALTER TABLE runs ADD COLUMN new_kind TEXT NOT NULL DEFAULT 'check'
    CHECK (new_kind IN ('check', 'probe', 'watch', 'import', 'lab', 'trial'));

UPDATE runs SET new_kind = kind;

ALTER TABLE runs DROP COLUMN kind;

ALTER TABLE runs RENAME COLUMN new_kind TO kind;

DELETE FROM cleaning;

CREATE TABLE trials (
    run_id INTEGER NOT NULL PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    -- the question, the design, the guard's limits, the end: known as it goes on
    record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;

CREATE TABLE trial_pairs (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    pair TEXT NOT NULL CHECK (json_valid(pair))
) STRICT;

CREATE INDEX trial_pairs_by_run ON trial_pairs (run_id);

CREATE TRIGGER trials_insert BEFORE INSERT ON trials
WHEN EXISTS (SELECT 1 FROM runs WHERE id = NEW.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER trials_update BEFORE UPDATE ON trials
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER trials_delete BEFORE DELETE ON trials
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER trial_pairs_insert BEFORE INSERT ON trial_pairs
WHEN EXISTS (SELECT 1 FROM runs WHERE id = NEW.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER trial_pairs_delete BEFORE DELETE ON trial_pairs
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TABLE pins (
    target TEXT NOT NULL,
    setting TEXT NOT NULL,
    because TEXT NOT NULL,
    until TEXT NOT NULL,
    PRIMARY KEY (target, setting)
) STRICT;
