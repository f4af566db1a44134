-- Probes beside checks, and imports: what ended a point and what limited it, the host beside each
-- sample, how the prober was calibrated, how the live server fared. What a source does not tell is
-- NULL, so points and samples are built anew; their numbers stay, and none is ever given twice.

ALTER TABLE runs ADD COLUMN kind TEXT NOT NULL DEFAULT 'check'
    CHECK (kind IN ('check', 'probe', 'import'));

ALTER TABLE runs ADD COLUMN calibrated TEXT CHECK (calibrated IS NULL OR json_valid(calibrated));

CREATE TABLE new_points (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    probe TEXT NOT NULL,
    threads INTEGER NOT NULL,
    block_size_bytes INTEGER NOT NULL,
    files INTEGER NOT NULL,
    directory TEXT NOT NULL,
    options TEXT NOT NULL CHECK (json_valid(options)),
    engine TEXT NOT NULL,
    seconds REAL,
    operations INTEGER NOT NULL,
    rate_per_s REAL NOT NULL,
    ci95_low_per_s REAL,
    ci95_high_per_s REAL,
    mean_us REAL,
    p50_us REAL,
    p95_us REAL,
    p99_us REAL,
    p999_us REAL,
    max_us REAL,
    histogram TEXT NOT NULL,
    cpu_user_us_per_op REAL,
    cpu_system_us_per_op REAL,
    direct INTEGER CHECK (direct IN (0, 1)),
    trust TEXT NOT NULL,
    trust_reasons TEXT NOT NULL CHECK (json_valid(trust_reasons)),
    ended_by TEXT NOT NULL DEFAULT '',
    warmup_s REAL DEFAULT 0,
    limited_by TEXT NOT NULL DEFAULT '',
    details TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(details))
) STRICT;

INSERT INTO new_points (
    id, run_id, probe, threads, block_size_bytes, files, directory, options, engine, seconds,
    operations, rate_per_s, ci95_low_per_s, ci95_high_per_s, mean_us, p50_us, p95_us, p99_us,
    p999_us, max_us, histogram, cpu_user_us_per_op, cpu_system_us_per_op, direct, trust,
    trust_reasons
)
SELECT
    id, run_id, probe, threads, block_size_bytes, files, directory, options, engine, seconds,
    operations, rate_per_s, ci95_low_per_s, ci95_high_per_s, mean_us, p50_us, p95_us, p99_us,
    p999_us, max_us, histogram, cpu_user_us_per_op, cpu_system_us_per_op, direct, trust,
    trust_reasons
FROM points;

DELETE FROM sqlite_sequence WHERE name = 'new_points';

INSERT INTO sqlite_sequence (name, seq)
SELECT 'new_points', seq FROM sqlite_sequence WHERE name = 'points';

CREATE TABLE new_samples (
    point_id INTEGER NOT NULL REFERENCES new_points (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    at_s REAL NOT NULL,
    rate_per_s REAL NOT NULL,
    p95_us REAL,
    p99_us REAL,
    -- an array: the fields of a host sample in their order
    host TEXT CHECK (host IS NULL OR json_valid(host)),
    PRIMARY KEY (point_id, position)
) STRICT, WITHOUT ROWID;

INSERT INTO new_samples (point_id, position, at_s, rate_per_s, p95_us, p99_us)
SELECT point_id, position, at_s, rate_per_s, p95_us, p99_us FROM samples;

-- The child goes first: dropping its parent would empty it by the cascade.
DROP TABLE samples;

DROP TABLE points;

ALTER TABLE new_points RENAME TO points;

ALTER TABLE new_samples RENAME TO samples;

CREATE INDEX points_by_run ON points (run_id);

-- What an import knows of the host over time, where it belongs to no point.
CREATE TABLE host_samples (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    at_s REAL NOT NULL,
    host TEXT NOT NULL CHECK (json_valid(host)),
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE canary_beats (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    latency_us REAL,
    baseline_us REAL,
    limit_us REAL,
    threads_running INTEGER NOT NULL,
    row_lock_waits INTEGER NOT NULL
) STRICT;

CREATE INDEX canary_beats_by_run ON canary_beats (run_id);

-- A run that has ended never changes. It may be deleted as a whole: the cascade finds no run any more.

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

CREATE TRIGGER host_samples_insert BEFORE INSERT ON host_samples
WHEN EXISTS (SELECT 1 FROM runs WHERE id = NEW.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER host_samples_update BEFORE UPDATE ON host_samples
BEGIN SELECT RAISE(ABORT, 'a sample never changes'); END;

CREATE TRIGGER host_samples_delete BEFORE DELETE ON host_samples
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER canary_beats_insert BEFORE INSERT ON canary_beats
WHEN EXISTS (SELECT 1 FROM runs WHERE id = NEW.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;

CREATE TRIGGER canary_beats_update BEFORE UPDATE ON canary_beats
BEGIN SELECT RAISE(ABORT, 'a beat never changes'); END;

CREATE TRIGGER canary_beats_delete BEFORE DELETE ON canary_beats
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run_id AND state <> 'running')
BEGIN SELECT RAISE(ABORT, 'a finished run never changes'); END;
