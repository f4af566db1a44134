-- Labs: throwaway servers beside each other. What was asked, and every turn as it came. The column
-- of kinds is made anew with one more, in runs that have ended as well, so the row of "cleaning"
-- lets them be changed.

INSERT INTO cleaning (under_way) VALUES (1);

ALTER TABLE runs ADD COLUMN new_kind TEXT NOT NULL DEFAULT 'check'
    CHECK (new_kind IN ('check', 'probe', 'watch', 'import', 'lab'));

UPDATE runs SET new_kind = kind;

ALTER TABLE runs DROP COLUMN kind;

ALTER TABLE runs RENAME COLUMN new_kind TO kind;

DELETE FROM cleaning;

CREATE TABLE labs (
    run_id INTEGER NOT NULL PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    asked TEXT NOT NULL CHECK (json_valid(asked)),
    -- versions, option lines, what did not start, how full the pools were: known as it goes on
    known TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(known))
) STRICT;

CREATE TABLE lab_turns (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    variant TEXT NOT NULL,
    level INTEGER NOT NULL,
    start INTEGER NOT NULL,
    round INTEGER NOT NULL,
    chosen INTEGER NOT NULL CHECK (chosen IN (0, 1)),
    turn TEXT NOT NULL CHECK (json_valid(turn))
) STRICT;

CREATE INDEX lab_turns_by_run ON lab_turns (run_id);

CREATE TRIGGER labs_insert BEFORE INSERT ON labs
WHEN EXISTS (SELECT 1 FROM runs WHERE id = NEW.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER labs_update BEFORE UPDATE ON labs
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER labs_delete BEFORE DELETE ON labs
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER lab_turns_insert BEFORE INSERT ON lab_turns
WHEN EXISTS (SELECT 1 FROM runs WHERE id = NEW.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER lab_turns_update BEFORE UPDATE ON lab_turns
BEGIN SELECT RAISE(ABORT, 'a turn never changes'); END;

CREATE TRIGGER lab_turns_delete BEFORE DELETE ON lab_turns
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;
