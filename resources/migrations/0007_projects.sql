-- The project that a run belongs to, as people call it; '' is none. Lists and comparisons are filtered by it.

ALTER TABLE run_labels ADD COLUMN project TEXT NOT NULL DEFAULT '';
