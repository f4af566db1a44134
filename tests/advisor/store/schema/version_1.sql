-- What Leadline 0.1.0 left behind: two runs with points, and a third that was deleted.
PRAGMA application_id = 1281712484;
BEGIN TRANSACTION;
CREATE TABLE conditions (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run_id, name)
) STRICT;
INSERT INTO "conditions" VALUES(1,'direct','yes');
CREATE TABLE migrations (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at TEXT NOT NULL,
    program TEXT NOT NULL
) STRICT
;
INSERT INTO "migrations" VALUES(1,'first','2026-11-21T07:54:58.414+00:00','0.1.0');
CREATE TABLE missing_facts (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    fact TEXT NOT NULL,
    because TEXT NOT NULL
) STRICT;
INSERT INTO "missing_facts" VALUES(1,1,'innodb_status','the account lacks PROCESS');
INSERT INTO "missing_facts" VALUES(2,2,'innodb_status','the account lacks PROCESS');
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
INSERT INTO "points" VALUES(1,1,'point_select',8,0,1,'/srv/Größe mit Leerzeichen','{"protocol": "prepared", "working_set": "uncached"}','leadline-agent 0.1.0',1.2,7400,6166.7,6100.5,6232.9,1290.1,1200.0,1800.0,2400.0,3100.0,5200.0,'HISTFAAAAB4',0.2,5.1,NULL,'doubtful','["The rate drifted by 12 % within the point."]');
INSERT INTO "points" VALUES(2,1,'random_write',4,4096,16,'/srv/Größe mit Leerzeichen','{}','leadline-agent 0.1.0',1.2,7400,6166.7,6100.5,6232.9,1290.1,1200.0,1800.0,2400.0,3100.0,5200.0,'HISTFAAAAB4',0.2,5.1,0,'ok','[]');
INSERT INTO "points" VALUES(3,2,'random_write',4,4096,16,'/srv/Größe mit Leerzeichen','{}','leadline-agent 0.1.0',1.2,7400,6166.7,6100.5,6232.9,1290.1,1200.0,1800.0,2400.0,3100.0,5200.0,'HISTFAAAAB4',0.2,5.1,0,'ok','[]');
CREATE TABLE raw_answers (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (run_id, name)
) STRICT;
INSERT INTO "raw_answers" VALUES(1,'agent.inventory','{"hostname": "db7"}');
INSERT INTO "raw_answers" VALUES(1,'mysql.variables','[["port","3307"]]');
INSERT INTO "raw_answers" VALUES(2,'agent.inventory','{"hostname": "db7"}');
INSERT INTO "raw_answers" VALUES(2,'mysql.variables','[["port","3307"]]');
CREATE TABLE run_warnings (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    code TEXT NOT NULL,
    message TEXT NOT NULL
) STRICT;
INSERT INTO "run_warnings" VALUES(1,1,'buffered','O_DIRECT was refused.');
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
INSERT INTO "runs" VALUES(1,'db7','{"directory": "/srv/Größe mit Leerzeichen", "kind": "ssh", "mysql": {"defaults_file": "~/.my.cnf", "host": "127.0.0.1", "port": 3307, "socket": "", "tls": "verify_ca", "tls_ca_file": "/etc/ca.pem", "user": "app"}, "name": "db7", "ssh": {"host": "db7.example", "identity_file": "~/.ssh/id_db7", "port": 2222, "user": "dba"}}','quick','{"file_sets": [{"bytes_per_file": 67108864, "directory": "/srv/Größe mit Leerzeichen", "files": 16}], "name": "quick", "sandbox": true, "seconds": 80.5, "steps": [{"seconds": 1.2, "setting": {"block_size_bytes": 16384, "directory": "/srv/Größe mit Leerzeichen", "files": 16, "options": {}, "probe": "random_read", "threads": 1}, "warmup_s": 0.3}, {"seconds": 1.2, "setting": {"block_size_bytes": 0, "directory": "/srv/Größe mit Leerzeichen", "files": 1, "options": {"protocol": "prepared", "working_set": "uncached"}, "probe": "point_select", "threads": 8}, "warmup_s": 0.3}], "table_bytes": 268435456, "warnings": ["The files are smaller: the disk is nearly full."]}','0.1.0','2026-11-21T04:00:00+00:00','done','','2026-11-21T07:54:58.416+00:00','2026-11-21T07:54:58.417+00:00','2864341d04e54ced87285c5a269a0f19');
INSERT INTO "runs" VALUES(2,'db7','{"directory": "/srv/Größe mit Leerzeichen", "kind": "ssh", "mysql": {"defaults_file": "~/.my.cnf", "host": "127.0.0.1", "port": 3307, "socket": "", "tls": "verify_ca", "tls_ca_file": "/etc/ca.pem", "user": "app"}, "name": "db7", "ssh": {"host": "db7.example", "identity_file": "~/.ssh/id_db7", "port": 2222, "user": "dba"}}','quick','{"file_sets": [{"bytes_per_file": 67108864, "directory": "/srv/Größe mit Leerzeichen", "files": 16}], "name": "quick", "sandbox": true, "seconds": 80.5, "steps": [{"seconds": 1.2, "setting": {"block_size_bytes": 16384, "directory": "/srv/Größe mit Leerzeichen", "files": 16, "options": {}, "probe": "random_read", "threads": 1}, "warmup_s": 0.3}, {"seconds": 1.2, "setting": {"block_size_bytes": 0, "directory": "/srv/Größe mit Leerzeichen", "files": 1, "options": {"protocol": "prepared", "working_set": "uncached"}, "probe": "point_select", "threads": 8}, "warmup_s": 0.3}], "table_bytes": 268435456, "warnings": ["The files are smaller: the disk is nearly full."]}','0.1.0','2026-11-21T04:00:00+00:00','cancelled','Stopped.','2026-11-21T07:54:58.417+00:00','2026-11-21T07:54:58.417+00:00','ddf19ed5bd454b4ea167f97adba9ddcd');
CREATE TABLE samples (
    point_id INTEGER NOT NULL REFERENCES points (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    at_s REAL NOT NULL,
    rate_per_s REAL NOT NULL,
    p95_us REAL NOT NULL,
    p99_us REAL NOT NULL,
    PRIMARY KEY (point_id, position)
) STRICT, WITHOUT ROWID;
INSERT INTO "samples" VALUES(1,0,-0.1,10.0,0.0,0.0);
INSERT INTO "samples" VALUES(1,1,0.2,6150.0,1800.0,2400.0);
INSERT INTO "samples" VALUES(2,0,-0.1,10.0,0.0,0.0);
CREATE TABLE targets (
    name TEXT PRIMARY KEY,
    spec TEXT NOT NULL CHECK (json_valid(spec)),
    saved_at TEXT NOT NULL
) STRICT;
INSERT INTO "targets" VALUES('db7','{"directory": "/srv/Größe mit Leerzeichen", "kind": "ssh", "mysql": {"defaults_file": "~/.my.cnf", "host": "127.0.0.1", "port": 3307, "socket": "", "tls": "verify_ca", "tls_ca_file": "/etc/ca.pem", "user": "app"}, "name": "db7", "ssh": {"host": "db7.example", "identity_file": "~/.ssh/id_db7", "port": 2222, "user": "dba"}}','2026-11-21T07:54:58.415+00:00');
CREATE INDEX runs_by_target ON runs (target);
CREATE INDEX missing_facts_by_run ON missing_facts (run_id);
CREATE INDEX points_by_run ON points (run_id);
CREATE INDEX run_warnings_by_run ON run_warnings (run_id);
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
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('runs',3);
INSERT INTO "sqlite_sequence" VALUES('points',4);
COMMIT;
