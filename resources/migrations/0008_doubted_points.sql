-- A list shows how many points of each run are doubted: counted without reading the points.

CREATE INDEX points_by_trust ON points (run_id, trust);
