-- Secrets that an older program kept are hidden where they stand, in runs that have ended as well:
-- that alone may change them. While "cleaning" has a row, a cleaning is under way; it is gone before
-- anybody else sees it. "cleanings" tells by which list of secrets the whole file was cleaned.

CREATE TABLE cleaning (under_way INTEGER NOT NULL) STRICT;

CREATE TABLE cleanings (
    rules TEXT PRIMARY KEY,
    cleaned_at TEXT NOT NULL,
    hidden INTEGER NOT NULL
) STRICT;

DROP TRIGGER IF EXISTS runs_end_once;

CREATE TRIGGER runs_end_once BEFORE UPDATE ON runs
WHEN OLD.state <> 'running' AND NOT EXISTS (SELECT 1 FROM cleaning)
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

DROP TRIGGER IF EXISTS raw_answers_update;

CREATE TRIGGER raw_answers_update BEFORE UPDATE ON raw_answers
WHEN NOT EXISTS (SELECT 1 FROM cleaning)
BEGIN SELECT RAISE(ABORT, 'a raw answer never changes'); END;

DROP TRIGGER IF EXISTS missing_facts_update;

CREATE TRIGGER missing_facts_update BEFORE UPDATE ON missing_facts
WHEN NOT EXISTS (SELECT 1 FROM cleaning)
BEGIN SELECT RAISE(ABORT, 'a missing fact never changes'); END;

DROP TRIGGER IF EXISTS conditions_update;

CREATE TRIGGER conditions_update BEFORE UPDATE ON conditions
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run_id AND state <> 'running')
    AND NOT EXISTS (SELECT 1 FROM cleaning)
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

DROP TRIGGER IF EXISTS run_warnings_update;

CREATE TRIGGER run_warnings_update BEFORE UPDATE ON run_warnings
WHEN NOT EXISTS (SELECT 1 FROM cleaning)
BEGIN SELECT RAISE(ABORT, 'a warning never changes'); END;
