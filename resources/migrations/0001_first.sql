-- Targets, runs and what was measured. Outcomes of rules are not kept: they are judged anew from the
-- raw answers and points, so that a better rule improves old runs.

CREATE TABLE targets (
    name TEXT PRIMARY KEY,
    spec TEXT NOT NULL CHECK (json_valid(spec)),
    saved_at TEXT NOT NULL
) STRICT;

CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    target TEXT NOT NULL,
    spec TEXT NOT NULL CHECK (json_valid(spec)),
    plan_name TEXT NOT NULL,
    plan TEXT NOT NULL CHECK (json_valid(plan)),
    program TEXT NOT NULL,
    taken_at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'done', 'cancelled', 'failed', 'interrupted')),
    reason TEXT NOT NULL DEFAULT '',
    started_at TEXT NOT NULL,
    ended_at TEXT NOT NULL DEFAULT '',
    -- names the file that the measuring process keeps locked while it lives
    life TEXT NOT NULL
) STRICT;

CREATE INDEX runs_by_target ON runs (target);

CREATE TABLE raw_answers (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (run_id, name)
) STRICT;

CREATE TABLE missing_facts (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    fact TEXT NOT NULL,
    because TEXT NOT NULL
) STRICT;

CREATE INDEX missing_facts_by_run ON missing_facts (run_id);

CREATE TABLE points (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    probe TEXT NOT NULL,
    threads INTEGER NOT NULL,
    block_size_bytes INTEGER NOT NULL,
    files INTEGER NOT NULL,
    directory TEXT NOT NULL,
    options TEXT NOT NULL CHECK (json_valid(options)),
    engine TEXT NOT NULL,
    seconds REAL NOT NULL,
    operations INTEGER NOT NULL,
    rate_per_s REAL NOT NULL,
    ci95_low_per_s REAL NOT NULL,
    ci95_high_per_s REAL NOT NULL,
    mean_us REAL NOT NULL,
    p50_us REAL NOT NULL,
    p95_us REAL NOT NULL,
    p99_us REAL NOT NULL,
    p999_us REAL NOT NULL,
    max_us REAL NOT NULL,
    histogram TEXT NOT NULL,
    cpu_user_us_per_op REAL NOT NULL,
    cpu_system_us_per_op REAL NOT NULL,
    direct INTEGER CHECK (direct IN (0, 1)),
    trust TEXT NOT NULL,
    trust_reasons TEXT NOT NULL CHECK (json_valid(trust_reasons))
) STRICT;

CREATE INDEX points_by_run ON points (run_id);

CREATE TABLE samples (
    point_id INTEGER NOT NULL REFERENCES points (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    at_s REAL NOT NULL,
    rate_per_s REAL NOT NULL,
    p95_us REAL NOT NULL,
    p99_us REAL NOT NULL,
    PRIMARY KEY (point_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE conditions (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run_id, name)
) STRICT;

CREATE TABLE run_warnings (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    code TEXT NOT NULL,
    message TEXT NOT NULL
) STRICT;

CREATE INDEX run_warnings_by_run ON run_warnings (run_id);

-- A run that has ended never changes. It may be deleted as a whole: the cascade finds no run any more.

CREATE TRIGGER runs_end_once BEFORE UPDATE ON runs
WHEN OLD.state <> 'running'
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER raw_answers_insert BEFORE INSERT ON raw_answers
WHEN EXISTS (SELECT 1 FROM runs WHERE id = NEW.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER raw_answers_update BEFORE UPDATE ON raw_answers
BEGIN SELECT RAISE(ABORT, 'a raw answer never changes'); END;

CREATE TRIGGER raw_answers_delete BEFORE DELETE ON raw_answers
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER missing_facts_insert BEFORE INSERT ON missing_facts
WHEN EXISTS (SELECT 1 FROM runs WHERE id = NEW.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER missing_facts_update BEFORE UPDATE ON missing_facts
BEGIN SELECT RAISE(ABORT, 'a missing fact never changes'); END;

CREATE TRIGGER missing_facts_delete BEFORE DELETE ON missing_facts
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER points_insert BEFORE INSERT ON points
WHEN EXISTS (SELECT 1 FROM runs WHERE id = NEW.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER points_update BEFORE UPDATE ON points
BEGIN SELECT RAISE(ABORT, 'a point never changes'); END;

CREATE TRIGGER points_delete BEFORE DELETE ON points
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER samples_insert BEFORE INSERT ON samples
WHEN EXISTS (
    SELECT 1 FROM points JOIN runs ON runs.id = points.run_id
    WHERE points.id = NEW.point_id AND runs.state <> 'running'
)
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER samples_update BEFORE UPDATE ON samples
BEGIN SELECT RAISE(ABORT, 'a sample never changes'); END;

CREATE TRIGGER samples_delete BEFORE DELETE ON samples
WHEN EXISTS (
    SELECT 1 FROM points JOIN runs ON runs.id = points.run_id
    WHERE points.id = OLD.point_id AND runs.state <> 'running'
)
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER conditions_insert BEFORE INSERT ON conditions
WHEN EXISTS (SELECT 1 FROM runs WHERE id = NEW.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER conditions_update BEFORE UPDATE ON conditions
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER conditions_delete BEFORE DELETE ON conditions
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER run_warnings_insert BEFORE INSERT ON run_warnings
WHEN EXISTS (SELECT 1 FROM runs WHERE id = NEW.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER run_warnings_update BEFORE UPDATE ON run_warnings
BEGIN SELECT RAISE(ABORT, 'a warning never changes'); END;

CREATE TRIGGER run_warnings_delete BEFORE DELETE ON run_warnings
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;
